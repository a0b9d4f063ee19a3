"use strict";
// The engine is `MODULE` of engine.js: WebAssembly that runs in a worker, so that the page never waits for it.
// It is made from texts, and nothing is fetched, so that this works where pages are opened as files, too.

/** The time limit for an answer about a position, in milliseconds. */
const LONGEST = 60_000;

/** The script of the worker. It gets the module, then tasks; it posts `progress`, and an `answer` or `failed`. */
const work = () => {
  let instance;
  let told = 0;
  let reason = null;
  let memory;
  const text = (address, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, address >>> 0, length >>> 0));
  const page = {
    progress(begun, all) {
      const now = performance.now();
      if (now - told < 200) return;
      told = now;
      postMessage({ progress: [begun, all] });
    },
    failed(address, length) {
      reason = text(address, length);
    },
  };
  onmessage = async ({ data: { module, task, input } }) => {
    try {
      if (module) {
        instance = WebAssembly.instantiate(module, { page });
        return;
      }
      const { exports } = (await instance).instance;
      ({ memory } = exports);
      // The buffer of the memory is another one when the memory has grown.
      const address = exports.input(input.length) >>> 0;
      new Uint8Array(memory.buffer, address, input.length).set(input);
      // Only the board takes a number.
      const length = exports[task](crypto.getRandomValues(new Uint32Array(1))[0]);
      postMessage({ answer: JSON.parse(text(exports.output(), length)) });
    } catch (error) {
      postMessage({ failed: reason ?? String(error) });
    }
  };
};

let worker = null;
let asked = null;

/** Ends the worker with what it does. The next task starts another. */
function stop(reason) {
  worker?.terminate();
  worker = null;
  asked?.reject(new Error(reason));
  asked = null;
}

/** Gives the engine a task, which ends the one before. Returns its answer. */
function ask(task, input, { progress = () => {}, longest = Infinity } = {}) {
  if (asked) stop("another was begun");
  if (!worker) {
    worker = new Worker(URL.createObjectURL(new Blob([`"use strict";(${work})()`], { type: "text/javascript" })));
    const module = Uint8Array.from(atob(MODULE), (letter) => letter.charCodeAt(0));
    worker.postMessage({ module }, [module.buffer]);
  }
  return new Promise((resolve, reject) => {
    const timer = longest < Infinity ? setTimeout(() => stop("it takes too long"), longest) : 0;
    const end = () => { clearTimeout(timer); asked = null; };
    asked = { reject: (error) => { end(); reject(error); } };
    worker.onmessage = ({ data }) => {
      if (data.progress) return progress(...data.progress);
      // After a failure, the module's memory is in no certain state.
      if (data.failed) return stop(data.failed);
      end();
      resolve(data.answer);
    };
    worker.onerror = (event) => stop(event.message || "the browser runs no such worker");
    worker.postMessage({ task, input });
  });
}

/** An element with attributes and children. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const number = (value) => value.toLocaleString("en");

// Certificates.

const check = document.getElementById("check");
if (check) {
  const status = document.getElementById("checked");
  check.hidden = false;

  /** Checks the bytes of a file. `expected` is the SHA-256 in the list, if it is a file of the list. */
  const verify = async (name, read, expected) => {
    status.className = "";
    status.textContent = `${name}: reading…`;
    try {
      const input = new Uint8Array(await read());
      const progress = (begun, all) => { status.textContent = `${name}: ${number(begun)} of ${number(all)} facts`; };
      status.textContent = `${name}: checking…`;
      const { verdict, text, kind, facts, sha256 } = await ask("check", input, { progress });
      const listed = document.querySelector(`[data-sha256="${sha256}"]`)?.textContent.trim();
      if (expected && expected !== sha256) {
        status.textContent = `${name}: not the file in the list. Its SHA-256 is ${sha256}; it is ${verdict}: ${text}`;
      } else {
        const by = kind !== "outcome" ? "" : `, by ${number(facts)} facts`;
        const which = listed ? `, which is ${listed} of the list` : "";
        status.textContent = `${name}: ${verdict}. ${text}${by}. Its SHA-256 is ${sha256}${which}.`;
      }
      status.className = verdict === "accepted" && (!expected || expected === sha256) ? "accepted" : "wrong";
    } catch (error) {
      status.className = "wrong";
      status.textContent = `${name}: not checked: ${error.message}`;
    }
  };

  document.getElementById("file").addEventListener("change", ({ target }) => {
    const [file] = target.files;
    if (file) verify(file.name, () => file.arrayBuffer());
  });
  for (const link of document.querySelectorAll("a.certificate")) {
    const name = link.textContent.trim();
    const button = element("button", { class: "quiet", type: "button", "aria-label": `check ${name}` }, "check");
    button.addEventListener("click", () => {
      status.scrollIntoView({ block: "center" });
      verify(name, async () => {
        // Where pages are opened as files, browsers fetch none: the visitor chooses the file instead.
        const answer = await fetch(link.href).catch(() => { throw new Error("choose the file above"); });
        if (!answer.ok) throw new Error(`the site has no such file (${answer.status})`);
        return answer.arrayBuffer();
      }, link.dataset.sha256);
    });
    link.after(" ", button);
  }
}

// Positions.

const form = document.getElementById("ask");
if (form) {
  const field = document.getElementById("position");
  const status = document.getElementById("told");
  const found = document.getElementById("found");
  const address = (text) => `#${encodeURIComponent(text)}`;

  /** An outcome under a convention, in a sentence. */
  const verdict = (play, outcome, more) => {
    const words = { win: "the player to move wins", loss: "the player to move loses" };
    const said = `Under ${play} play, ${words[outcome] ?? "the outcome is unknown"}${more}.`;
    return element("div", { class: `verdict ${outcome}` }, element("p", { class: "lead" }, said));
  };

  /** A move as the position that it leads to. */
  const move = (of) => element("li", {},
    element("a", { class: `small-board ${of.normal}`, href: address(of.canonical) },
      element("span", { class: "position" }, of.canonical),
      element("small", {}, `normal: ${of.normal}`),
      element("small", {}, `misère: ${of.misere}`)));

  const show = (answer) => {
    const { canonical, normal, misere, nimber, genus, moves, most_moves, picture, note, citations } = answer;
    const cited = citations.map((citation) => (citation ? ` (${citation})` : ""));
    const about = element("section", { class: "about", "aria-label": canonical },
      element("h2", {}, element("span", { class: "position" }, canonical)),
      verdict("normal", normal, cited[0] || (nimber === null ? "" : ` (nimber ${nimber})`)),
      verdict("misère", misere, cited[1] || (genus === null ? "" : ` (genus ${genus})`)));
    if (note) about.append(element("p", { class: "empty" }, note));
    const seen = element("div", { class: "seen" }, about);
    if (picture && most_moves > 0) {
      const drawn = new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
      seen.append(element("figure", { class: "drawing" }, drawn));
    }
    found.replaceChildren(seen);
    if (moves.length > 0) {
      const told = `${number(moves.length)} ${moves.length === 1 ? "move" : "moves"}, each shown as the position it `
        + "leads to, up to equal play. The outcomes are those of the player who makes the move.";
      found.append(element("section", { "aria-label": "Moves" },
        element("h2", {}, "Moves"), element("p", {}, told), element("ul", { class: "boards" }, ...moves.map(move))));
    }
  };

  const lookUp = async () => {
    const text = decodeURIComponent(location.hash.slice(1));
    if (!text) return;
    field.value = text;
    found.replaceChildren();
    status.className = "";
    status.textContent = "Searching…";
    try {
      const answer = await ask("look_up", new TextEncoder().encode(text), { longest: LONGEST });
      if (location.hash !== address(text) && decodeURIComponent(location.hash.slice(1)) !== text) return;
      status.textContent = answer.problem ?? "";
      status.className = answer.problem ? "wrong" : "";
      if (!answer.problem) show(answer);
    } catch (error) {
      if (decodeURIComponent(location.hash.slice(1)) !== text) return;
      status.className = "wrong";
      status.textContent = `No answer: ${error.message}.`;
    }
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const to = address(field.value.trim());
    if (location.hash === to) lookUp();
    else location.hash = to;
  });
  addEventListener("hashchange", lookUp);
  lookUp();
}
