// A match between two devices: shows the other player's move as soon as it is made, and copies the address.
(() => {
  const AGAIN = 3000; // ms
  const match = () => document.querySelector(".match");

  // A browser reconnects after a lost connection, but not after an HTTP error, such as a proxy's during a restart.
  const listen = () => {
    const changes = new EventSource(`${location.pathname}/events`);
    changes.addEventListener("message", ({ data }) => {
      if (Number(data) === Number(match().dataset.version)) return;
      board.go(location.pathname, "replace");
    });
    changes.addEventListener("error", () => {
      if (changes.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN);
    });
  };
  listen();

  document.addEventListener("submit", (event) => {
    if (!event.target.matches(".match .draws")) return;
    event.preventDefault();
    board.go(event.target.action, "replace", "post");
  });

  const show = () => {
    const field = document.querySelector("#address");
    if (field) field.value = location.origin + location.pathname;
  };
  show();
  new MutationObserver(show).observe(document.querySelector("main"), { childList: true, subtree: true });
})();
