// A match between two devices: shows the other player's move as soon as it is made, and copies the address.
(() => {
  const AGAIN = 1000; // ms
  const LONGEST = 30000; // ms
  const match = () => document.querySelector(".match");
  let version = 0;
  let isAway = false;

  const isBehind = () => version !== Number(match().dataset.version);

  // Fetches the page until it shows the last change.
  let isCatchingUp = false;
  const catchUp = async () => {
    if (isCatchingUp) return;
    isCatchingUp = true;
    for (let wait = AGAIN; isBehind(); wait = Math.min(2 * wait, LONGEST)) {
      const isAnswered = await board.go(location.pathname, "replace");
      // The match may have gone on meanwhile.
      if (!isBehind()) break;
      if (!isAnswered) {
        board.tell(`The coordinator does not answer. Next try in ${Math.round(wait / 1000)} s.`, true);
      }
      await new Promise((after) => setTimeout(after, wait));
    }
    isCatchingUp = false;
  };

  // Whether this device hears of changes.
  const show = () => {
    const field = document.querySelector("#address");
    if (field) field.value = location.origin + location.pathname;
    const presence = document.querySelector("#presence");
    const text = isAway ? "The connection is lost. Reconnecting …" : "Connected.";
    if (presence && presence.textContent !== text) presence.textContent = text;
  };

  // A browser reconnects after a lost connection, but not after an HTTP error, such as a proxy's during a restart.
  const listen = () => {
    const changes = new EventSource(`${location.pathname}/events`);
    changes.addEventListener("open", () => {
      isAway = false;
      show();
      // What was told of the lost connection does not stay.
      const told = document.querySelector("#told.wrong");
      if (told?.textContent.startsWith("The coordinator does not answer")) board.go(location.pathname, "replace");
    });
    changes.addEventListener("message", ({ data }) => {
      version = Number(data);
      catchUp();
    });
    changes.addEventListener("error", () => {
      isAway = true;
      show();
      if (changes.readyState === EventSource.CLOSED) setTimeout(listen, 3 * AGAIN);
    });
  };
  listen();

  document.addEventListener("submit", (event) => {
    if (!event.target.matches(".match :is(.draws, .resign)")) return;
    event.preventDefault();
    board.go(event.target.action, "replace", "post");
  });

  // Copies the address. Only encrypted pages, and those of this machine, have a clipboard.
  document.addEventListener("click", async (event) => {
    if (event.target.id !== "copy") return;
    const field = document.querySelector("#address");
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy");
    }
    event.target.textContent = "Copied";
  });

  show();
  new MutationObserver(show).observe(document.querySelector("main"), { childList: true, subtree: true });
})();
