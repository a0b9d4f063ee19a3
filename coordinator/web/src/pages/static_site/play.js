// The board of a site of files. What follows `#` in the address of this page is the address of a match, and the engine
// answers in place of a server.
(() => {
  const content = document.getElementById("content");

  const problem = (text, at) => {
    const page = document.implementation.createHTMLDocument("Not possible");
    const section = element("section", { class: "problem" }, element("h1", {}, "Not possible"), element("p", { class: "lead" }, text),
      element("p", {}, element("a", { class: "button", href: "/board" }, "Begin a match")));
    if (at) section.dataset.at = at.join(" ");
    page.body.append(section);
    return page;
  };

  /** A page whose links lead to this page. Places on a page are for readers without scripts. */
  const here = (page) => {
    for (const name of ["href", "action"]) {
      for (const link of page.querySelectorAll(`[${name}^="/"]`)) {
        link.setAttribute(name, `#${link.getAttribute(name).split("#")[0]}`);
      }
    }
    return page;
  };

  const read = ({ title, content: text }) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    page.title = `${title} · Sproutnet`;
    return page;
  };

  const { site } = board;
  site.address = ({ hash }) => hash.slice(1) || "/board";
  site.ask = async (address) => {
    const answered = (status, page) => ({ url: new URL(`#${address}`, location.href).href, status, page: here(page) });
    try {
      for (;;) {
        const answer = await ask("board", new TextEncoder().encode(address), { longest: LONGEST });
        if (answer.problem) {
          const text = `${answer.problem[0].toUpperCase()}${answer.problem.slice(1)}.`;
          return answered(422, problem(text, answer.at));
        }
        if (!answer.to) return answered(200, read(answer));
        [address] = answer.to.split("#");
      }
    } catch (error) {
      return answered(422, problem(`There is no answer: ${error.message}.`));
    }
  };

  let visits = 0;

  const show = ({ page }) => {
    content.replaceChildren(...document.adoptNode(page.body).childNodes);
    document.title = page.title;
    scrollTo(0, 0);
  };

  site.leave = (answer) => {
    if (answer.url !== location.href) history.pushState(null, "", answer.url);
    show(answer);
  };

  /** Shows the page at the address, unless the board does. */
  const visit = async () => {
    visits += 1;
    const mine = visits;
    if (board.stays()) return;
    const isFirst = mine === 1;
    const answer = await site.ask(site.address(location));
    if (mine !== visits) return;
    history.replaceState(null, "", answer.url);
    show(answer);
    if (!isFirst) (document.getElementById("turn") ?? content).focus({ preventScroll: true });
  };

  addEventListener("hashchange", visit);

  document.addEventListener("submit", (event) => {
    const address = event.target.getAttribute("action");
    if (!address?.startsWith("#/")) return;
    event.preventDefault();
    location.hash = `${address}?${new URLSearchParams(new FormData(event.target))}`;
  });

  // The address of the match stays where a link leads to a place on the page.
  document.addEventListener("click", (event) => {
    const to = event.target.closest?.("a[href^='#']:not([href^='#/'])");
    if (!to) return;
    event.preventDefault();
    document.getElementById(to.getAttribute("href").slice(1))?.focus();
  });

  visit();
})();
