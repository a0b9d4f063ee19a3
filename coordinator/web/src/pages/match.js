// A match between two devices: shows the other player's move as soon as it is made, and the address to send.
(() => {
  const AGAIN = 1000; // ms
  const LONGEST = 30000; // ms
  // A page that is loaded anew leaves and comes back within so many seconds.
  const GRACE = 5;
  const TICK = 15000; // ms
  const match = () => document.querySelector(".match");
  let version = 0;
  let isAway = false;
  // What is known of the players, and the time at which it was told.
  let players = [];
  let toldAt = 0;

  const isBehind = () => version !== Number(match().dataset.version);

  // Fetches the page until it shows the last change.
  let isCatchingUp = false;
  const catchUp = async () => {
    if (isCatchingUp) return;
    isCatchingUp = true;
    for (let wait = AGAIN; isBehind(); wait = Math.min(2 * wait, LONGEST)) {
      const why = await board.go(location.pathname, "replace");
      // The match may have gone on meanwhile.
      if (!isBehind()) break;
      if (why) board.tell(board.nextTry(why, wait), true);
      await new Promise((after) => setTimeout(after, wait));
    }
    isCatchingUp = false;
  };

  const ago = (seconds) => {
    const [count, unit] = seconds < 3600 ? [Math.floor(seconds / 60), "minute"] : [Math.floor(seconds / 3600), "hour"];
    return count === 0 ? "less than a minute ago." : `${count} ${unit}${count === 1 ? "" : "s"} ago.`;
  };

  // Where a player is, and since when. Nothing is said of a player whose page was never open.
  const whereabouts = (player, name) => {
    const left = player?.left_seconds_ago ?? Infinity;
    const seconds = left + (Date.now() - toldAt) / 1000;
    if (player?.here || seconds < GRACE) return [`${name} is here.`, ""];
    return Number.isFinite(left) ? [`${name} left`, ago(seconds)] : ["", ""];
  };

  // Whether this device hears of changes, and whether the other player's page is open.
  const state = () => {
    if (isAway) return ["The connection is lost. Reconnecting …", ""];
    const { side } = match().dataset;
    if (side) {
      const [where, since] = whereabouts(players[1 - side], "Your opponent");
      return [`Connected. ${where}`.trim(), since];
    }
    const here = ["The first player", "The second player"].filter((_, i) => players[i]?.here);
    return [["Connected.", ...here.map((name) => `${name} is here.`)].join(" "), ""];
  };

  const show = () => {
    const field = document.querySelector("#address");
    if (field) field.value = location.origin + location.pathname;
    const parts = document.querySelectorAll("#presence span");
    state().forEach((text, i) => {
      if (parts[i] && parts[i].textContent !== text) parts[i].textContent = text;
    });
  };

  // A browser reconnects after a lost connection, but not after an HTTP error, such as a proxy's during a restart.
  let pause = 3 * AGAIN;
  let changes;
  const listen = () => {
    changes?.close();
    changes = new EventSource(`${location.pathname}/events`);
    changes.addEventListener("open", () => {
      isAway = false;
      pause = 3 * AGAIN;
      // Who is here is told anew.
      players = [];
      show();
      // A move that found no answer is sent now, and what was told of the lost connection does not stay.
      if (board.hurry()) return;
      const told = document.querySelector("#told.wrong");
      if (told?.textContent.startsWith("The coordinator does not answer")) board.go(location.pathname, "replace");
    });
    changes.addEventListener("message", ({ data }) => {
      version = Number(data);
      catchUp();
    });
    changes.addEventListener("presence", ({ data }) => {
      players = JSON.parse(data);
      toldAt = Date.now();
      show();
      setTimeout(show, GRACE * 1000);
    });
    changes.addEventListener("error", () => {
      isAway = true;
      show();
      if (changes.readyState !== EventSource.CLOSED) return;
      setTimeout(listen, pause);
      pause = Math.min(2 * pause, LONGEST);
    });
  };
  listen();
  // Without a network, the open connection only seems to be one.
  addEventListener("offline", () => {
    isAway = true;
    show();
  });
  addEventListener("online", listen);
  // A browser may keep a page that was left, with its connection. The player is not here then.
  addEventListener("pagehide", () => changes.close());
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) listen();
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches(".match :is(.draws, .resign)")) return;
    event.preventDefault();
    board.want(event.target.action, "replace", "post");
  });

  show();
  setInterval(show, TICK);
  new MutationObserver(show).observe(document.querySelector("main"), { childList: true, subtree: true });
})();
