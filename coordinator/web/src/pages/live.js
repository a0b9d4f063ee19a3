// Keeps a page fresh: fetches it again and again, and takes over what changed in the parts marked
// data-live. Elements that stay are kept, and with them the focus and the selection.
(() => {
  const INTERVAL = 1500;
  const LONGEST = 30000;
  const status = document.getElementById("live-status");
  let failures = 0;
  let timer = 0;
  let underWay = null;

  const tell = (text, state) => {
    if (status.textContent !== text) status.textContent = text;
    status.dataset.state = state;
    status.hidden = false;
  };

  const takeOver = (fresh) => {
    for (const old of document.querySelectorAll("[data-live]")) {
      const next = fresh.getElementById(old.id);
      if (next && old.outerHTML !== next.outerHTML) become(old, next);
    }
    if (document.title !== fresh.title) document.title = fresh.title;
  };

  const refresh = async () => {
    underWay = new AbortController();
    const late = setTimeout(() => underWay.abort(), 10000);
    try {
      const response = await fetch(location.pathname + location.search, {
        headers: { accept: "text/html" },
        signal: underWay.signal,
      });
      // To where one signs in.
      if (response.redirected) return location.reload();
      if (!response.ok) throw new Error(String(response.status));
      takeOver(new DOMParser().parseFromString(await response.text(), "text/html"));
      failures = 0;
      tell("Live", "live");
    } catch {
      failures += 1;
    } finally {
      clearTimeout(late);
    }
    plan();
  };

  const plan = () => {
    clearTimeout(timer);
    if (document.hidden) return tell("Waiting", "waiting");
    const wait = Math.min(INTERVAL * 2 ** failures, LONGEST);
    if (failures > 0) {
      tell(`No answer; next try in ${Math.round(wait / 1000)} s`, "lost");
    }
    timer = setTimeout(refresh, wait);
  };

  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) tell("Waiting", "waiting");
    else refresh();
  });
  tell("Live", "live");
  plan();
})();
