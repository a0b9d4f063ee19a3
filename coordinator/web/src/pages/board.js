// Draws lines by hand on a sheet, and takes over what the site answers without loading the page anew. The site
// decides: it gets the points of the hand, and answers with the page after the move and the reply.
const board = (() => {
  const SIDE = 1024;
  // A spot is met within so many pixels, and within so many units of the sheet.
  const REACH = 30;
  const NEAR = 40;
  // A hand may stray so many pixels, or so many units, beyond the border. A line that goes farther is not drawn.
  const STRAY = 16;
  const OUTSIDE = 24;
  // Points of a hand are so far apart, and no more than so many are sent.
  const STEP = 2.5;
  const MOST_POINTS = 1200;
  // A press that moves less than this, in pixels, is a click.
  const STILL = 7;
  // A stroke that ends at its spot, and never went farther than this, in pixels, is the click of an unsteady hand.
  const UNSTEADY = { mouse: 16, touch: 24, pen: 24 };
  // A stroke on empty paper that goes farther than this, in pixels, was meant as a line. A swipe has become a scroll before.
  const MEANT = 30;
  // How long a refused line is shown, in milliseconds.
  const REFUSED = 2000;
  // The radius of the ring around the place of the fault, in units of the sheet, and the least one in pixels, so that it
  // can be seen on a small screen.
  const STOPPED = 22;
  const SEEN = 10;
  const BEND = 420;
  // The time from a request without an answer to the next one, at first and at most, in milliseconds.
  const AGAIN = 1000;
  const LONGEST = 30000;
  // The digits of a number follow each other within so many milliseconds.
  const PAUSE = 700;
  const SAMPLES = 28;
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  // Where pages come from. A site without a server has another source.
  const site = {
    // The path and the query of a page.
    address: ({ pathname, search }) => pathname + search,
    // Asks for the page at an address.
    async ask(address, method) {
      const answer = await fetch(address, { method, headers: { accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      return { url: answer.url, status: answer.status, page };
    },
    // Goes to a page of another kind.
    leave: ({ url }) => location.assign(url),
  };

  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");

  let drag = null;
  // The press on empty paper, from which no line begins.
  let missed = null;
  // The timer that removes a refused line.
  let fading = 0;
  // Whether the last press drew a line: then the click that follows is none.
  let hasDrawn = false;
  // Whether the last press was on the board, which is then in sight.
  let isAtBoard = false;
  let asked = 0;
  // What the reader wants, until it is answered.
  let wanted = null;

  const tell = (text, isWrong) => {
    const told = find("#told");
    told.textContent = text;
    told.classList.toggle("wrong", isWrong);
  };

  // The sheet.

  const spots = () =>
    all(".sheet .dot").map((dot) => ({
      number: dot.dataset.spot,
      x: Number(dot.dataset.x),
      y: Number(dot.dataset.y),
    }));

  const nearest = (point, among, reach) => {
    let best = null;
    let least = reach;
    for (const spot of among) {
      const away = Math.hypot(spot.x - point.x, spot.y - point.y);
      if (away <= least) [best, least] = [spot, away];
    }
    return best;
  };

  const clearGhost = () => {
    clearTimeout(fading);
    find(".pick .ghost")?.setAttribute("d", "M0 0");
    find(".pick")?.classList.remove("drawing-on", "waiting", "refused");
    all(".pick .can").forEach((target) => target.classList.remove("can"));
  };

  // Shows a line that is on its way to the server.
  const showSent = ({ way }) => {
    find(".pick .ghost").setAttribute("d", way);
    find(".pick").classList.add("waiting");
  };

  // A ring around a place as a part of a path.
  const ring = ([x, y]) => {
    const r = Math.max(STOPPED, Math.round(SEEN / find(".pick").getScreenCTM().a));
    return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  };

  // Says why a line was refused, and shows it for a while, with the place where it was stopped, if that is known.
  const refuse = (why, at) => {
    const ghost = find(".pick .ghost");
    if (at) ghost.setAttribute("d", ghost.getAttribute("d") + ring(at.split(" ").map(Number)));
    all(".pick .can").forEach((target) => target.classList.remove("can"));
    find(".pick").classList.remove("drawing-on", "waiting");
    find(".pick").classList.add("refused");
    clearTimeout(fading);
    fading = setTimeout(clearGhost, REFUSED);
    tell(why, true);
  };

  // What the server answers.

  const sample = (path) => {
    const long = path.getTotalLength();
    return Array.from({ length: SAMPLES }, (_, i) => {
      const { x, y } = path.getPointAtLength((long * i) / (SAMPLES - 1));
      return [x, y];
    });
  };

  // The lines and spots that are shown, to bend from. A line that was just drawn counts as the two that it becomes.
  const shown = () => {
    const paths = all(".sheet .line");
    const lines = paths.map(sample);
    const ends = paths.map((path) => path.dataset.ends);
    const ghost = find(".pick .ghost");
    if (find(".pick.waiting") && ghost.getTotalLength() > 0) {
      const drawn = sample(ghost);
      const half = SAMPLES / 2;
      const twice = (points) => points.flatMap((point) => [point, point]);
      // In the editor a line stays one.
      if (find(".match").dataset.put) lines.push(drawn);
      else lines.push(twice(drawn.slice(0, half)), twice(drawn.slice(half)));
    }
    return { lines, ends, spots: new Map(spots().map((spot) => [spot.number, spot])) };
  };

  // Lines bend from where they were to where they are; what is new is drawn by the style.
  const bend = (before) => {
    if (isStill.matches) return;
    const lines = all(".sheet .line").slice(0, before.lines.length);
    // Lines that went have taken the places of others.
    if (before.ends.some((ends, i) => lines[i]?.dataset.ends !== ends)) return;
    const moves = lines.map((path, i) => ({
      path,
      end: path.getAttribute("d"),
      from: before.lines[i],
      to: sample(path),
    }));
    const dots = all(".sheet .dot").flatMap((dot) => {
      const from = before.spots.get(dot.dataset.spot);
      return from ? [{ dot, x: from.x - dot.dataset.x, y: from.y - dot.dataset.y }] : [];
    });
    const begin = performance.now();
    const step = (now) => {
      const part = Math.min(1, Math.max(0, (now - begin) / BEND));
      const left = (1 - part) ** 3;
      for (const { path, end, from, to } of moves) {
        const at = (i) => to[i].map((value, axis) => (value + (from[i][axis] - value) * left).toFixed(1));
        const way = `M${to.map((_, i) => at(i).join(" ")).join("L")}`;
        path.setAttribute("d", part < 1 ? way : end);
      }
      for (const { dot, x, y } of dots) {
        if (part < 1) dot.setAttribute("transform", `translate(${x * left} ${y * left})`);
        else dot.removeAttribute("transform");
      }
      if (part < 1 && moves.every(({ path }) => path.isConnected)) requestAnimationFrame(step);
    };
    step(begin);
  };

  // Scrolls the page until all is seen from one element to another below it, or its beginning if there is too much.
  const show = (first, last) => {
    const { top } = first.getBoundingClientRect();
    const { bottom } = last.getBoundingClientRect();
    const isAbove = top < 0 || bottom - top > innerHeight;
    if (isAbove || bottom > innerHeight) scrollBy({ top: isAbove ? top : bottom - innerHeight });
  };

  const takeOver = (fresh) => {
    const before = shown();
    const hadHint = find(".pick .hint");
    const old = find(".match");
    const focused = old.contains(document.activeElement);
    // A line that is still on its way stays as long as it can be drawn: the answer may be about something else.
    const sent = wanted?.line;
    const isOnItsWay = sent && sent.hand === fresh.querySelector(".match").dataset.hand;
    if (sent && !isOnItsWay) wanted = null;
    clearGhost();
    become(old, fresh.querySelector(".match"));
    find("#told").classList.remove("wrong");
    if (isOnItsWay) showSent(sent);
    document.title = fresh.title;
    // What was there before is not drawn once more.
    if (all(".sheet .dot").length <= before.spots.size) find(".drawn").classList.add("still");
    bend(before);
    const choice = find("#choice a");
    if (choice) choice.focus();
    else if (focused && !old.contains(document.activeElement)) {
      // The first link may be that of something else than what is chosen.
      const next = find(".pick .chosen") ? "a.chosen" : "a";
      (find(`.pick ${next}`) ?? find("#turn")).focus({ preventScroll: true });
    }
    // Who chose something below the board wants to see what it did there, and the message; in a task, whether the line was
    // right. In the editor, the sheet stays under the hand that works on it, and the buttons below under a hand that undoes.
    const more = all(".sheet .dot").length - before.spots.size;
    const isEdited = find(".match").dataset.put;
    const isNew = more > 0 || (more < 0 && !isEdited) || (find(".pick .hint") && !hadHint);
    const verdict = find(".task #turn");
    if (isNew && !(isEdited && isAtBoard)) show(verdict ?? find("#told"), verdict ?? find(".board"));
  };

  // Asks for an address. `keep` says what becomes of the one before: "push", "replace", or nothing. Resolves to the reason
  // why there was no answer, if it makes sense to ask again; else to nothing.
  const go = async (address, keep, method = "get") => {
    asked += 1;
    const mine = asked;
    const { put, method: isShared } = find(".match").dataset;
    const wait = put || isShared ? "One moment …" : "The solver is thinking …";
    find(".match").setAttribute("aria-busy", "true");
    const slow = setTimeout(() => mine === asked && tell(wait, false), 700);
    try {
      const answer = await site.ask(address, method);
      const fresh = answer.page;
      if (mine !== asked) return "";
      if (fresh.querySelector(".match") && !kind(here())) {
        // From the front page.
        site.leave(answer);
      } else if (fresh.querySelector(".match")) {
        takeOver(fresh);
        if (keep === "push" && answer.url !== location.href) history.pushState(null, "", answer.url);
        else if (keep === "replace") history.replaceState(null, "", answer.url);
      } else if (answer.status < 400) {
        // To where one signs in, for example.
        site.leave(answer);
      } else {
        const why = fresh.querySelector(".problem .lead")?.textContent ?? "That did not work.";
        if (answer.status >= 500) return why;
        refuse(why, fresh.querySelector(".problem").dataset.at);
      }
    } catch {
      return "The coordinator does not answer.";
    } finally {
      clearTimeout(slow);
      if (mine === asked) find(".match").removeAttribute("aria-busy");
    }
    return "";
  };

  const nextTry = (why, wait) => `${why} Next try in ${Math.round(wait / 1000)} s.`;

  // Asks for what the reader wants: a page, or a move. Without an answer it asks again, later and later, until the reader
  // wants something else. `line` is a line that is drawn by hand.
  const want = async (address, keep, method = "get", line = null) => {
    const mine = { line, askAgain: null };
    wanted = mine;
    if (!line) clearGhost();
    for (let wait = AGAIN; wanted === mine; wait = Math.min(2 * wait, LONGEST)) {
      const why = await go(address, keep, method);
      if (wanted !== mine) return;
      if (!why) break;
      tell(nextTry(why, wait), true);
      await new Promise((askAgain) => {
        mine.askAgain = askAgain;
        setTimeout(askAgain, wait);
      });
      mine.askAgain = null;
    }
    if (wanted === mine) wanted = null;
  };

  // Asks again at once. Returns whether the reader waits for something.
  const hurry = () => {
    wanted?.askAgain?.();
    return wanted !== null;
  };
  addEventListener("online", hurry);

  // Asks no more for what was asked in vain.
  const giveUp = () => {
    if (!wanted?.askAgain) return;
    wanted = null;
    clearGhost();
    tell("", false);
  };

  const code = (points) => {
    const digits = (value) => {
      const quarter = Math.round(Math.min(Math.max(value, 0), SIDE - 0.25) * 4);
      return DIGITS[quarter >> 6] + DIGITS[quarter & 63];
    };
    return points.map(({ x, y }) => digits(x) + digits(y)).join("");
  };

  // Clicks a link, if there is one. An event without a detail is no click of the hand that just drew.
  const press = (link) => link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));

  // The hand. While it draws, only the path of its line changes.

  const place = ({ clientX, clientY }, matrix) => new DOMPoint(clientX, clientY).matrixTransform(matrix);

  const draw = () => {
    if (!drag?.isDrawing) return;
    drag.frame = 0;
    drag.ghost.setAttribute("d", drag.way);
  };

  // How far a point is beyond the border.
  const beyond = ({ x, y }) => Math.max(-x, -y, x - SIDE, y - SIDE);

  const add = (point) => {
    drag.strayed ||= beyond(point) > Math.max(OUTSIDE, STRAY * drag.matrix.a);
    const last = drag.points[drag.points.length - 1];
    if (Math.hypot(point.x - last.x, point.y - last.y) < STEP) return;
    if (drag.points.length >= MOST_POINTS) return;
    drag.points.push(point);
    drag.way += `L${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
  };

  document.addEventListener("pointerdown", (event) => {
    if (event.isPrimary) [hasDrawn, missed] = [false, null];
    const pick = event.target.closest?.(".pick");
    isAtBoard = Boolean(pick);
    if (!pick || drag || event.button !== 0 || !event.isPrimary) return;
    const { hand, put, method } = find(".match").dataset;
    if (!hand) return;
    if (find(".match").hasAttribute("aria-busy")) {
      tell(put || method ? "One moment …" : "Wait for the solver.", false);
      return;
    }
    const matrix = pick.getScreenCTM().inverse();
    const reach = Math.max(NEAR, REACH * matrix.a);
    const among = spots();
    const from = nearest(place(event, matrix), among, reach);
    if (!from) {
      // In the editor, a click on empty paper is something else.
      if (!put) missed = { id: event.pointerId, press: [event.clientX, event.clientY] };
      return;
    }
    drag = {
      id: event.pointerId,
      farthest: 0,
      pick,
      matrix,
      reach,
      spots: among,
      from,
      press: [event.clientX, event.clientY],
      points: [from],
      way: `M${from.x} ${from.y}`,
      ghost: pick.querySelector(".ghost"),
      isDrawing: false,
      strayed: false,
      frame: 0,
    };
  });

  const begin = () => {
    giveUp();
    clearGhost();
    drag.isDrawing = true;
    drag.pick.setPointerCapture(drag.id);
    drag.pick.classList.add("drawing-on");
    const ends = find(`#spot-${drag.from.number}`)?.dataset.ends ?? "";
    for (const end of ends.split(" ")) find(`#spot-${end || 0}`)?.classList.add("can");
  };

  // How far an event is from a press, in pixels.
  const away = ({ clientX, clientY }, [x, y]) => Math.hypot(clientX - x, clientY - y);

  document.addEventListener("pointermove", (event) => {
    if (missed?.id === event.pointerId && away(event, missed.press) > MEANT) {
      missed = null;
      tell("A line begins at a spot.", true);
    }
    if (drag?.id !== event.pointerId) return;
    drag.farthest = Math.max(drag.farthest, away(event, drag.press));
    if (!drag.isDrawing) {
      if (drag.farthest < STILL) return;
      begin();
    }
    const steps = event.getCoalescedEvents?.() ?? [];
    for (const step of steps.length ? steps : [event]) add(place(step, drag.matrix));
    drag.frame ||= requestAnimationFrame(draw);
  });

  document.addEventListener("pointerup", (event) => {
    missed = null;
    if (drag?.id !== event.pointerId) return;
    const done = drag;
    if (!done.isDrawing) {
      // A click: the link of the spot does the rest.
      drag = null;
      return;
    }
    const end = place(event, done.matrix);
    add(end);
    const to = nearest(end, done.spots, done.reach);
    if (to) {
      done.points.push(to);
      done.way += `L${to.x} ${to.y}`;
    }
    cancelAnimationFrame(done.frame);
    drag = null;
    hasDrawn = true;
    if (to === done.from && done.farthest < (UNSTEADY[event.pointerType] ?? UNSTEADY.touch)) {
      clearGhost();
      press(find(`a#spot-${to.number}`));
      return;
    }
    if (done.strayed) {
      done.ghost.setAttribute("d", done.way);
      refuse("The line leaves the sheet, so it was not drawn.");
      return;
    }
    all(".pick .can").forEach((target) => target.classList.remove("can"));
    done.pick.classList.remove("drawing-on");
    const { hand, method } = find(".match").dataset;
    const line = { hand, way: done.way };
    showSent(line);
    want(hand + code(done.points), "push", method, line);
  });

  const drop = () => {
    if (!drag) return;
    cancelAnimationFrame(drag.frame);
    drag = null;
    clearGhost();
  };
  document.addEventListener("pointercancel", (event) => {
    missed = null;
    if (drag?.id === event.pointerId) drop();
  });
  // A finger that begins at a spot draws; elsewhere it scrolls the page. Two fingers zoom.
  document.addEventListener(
    "touchmove",
    (event) => {
      const draws = drag || event.target.closest?.(".pick .target");
      if (draws && event.touches.length === 1 && event.cancelable) event.preventDefault();
    },
    { passive: false },
  );
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (drag) drop();
    else if (wanted?.askAgain) giveUp();
    else press(find("#elsewhere"));
  });
  document.addEventListener("dragstart", (event) => event.target.closest?.(".pick") && event.preventDefault());

  // Keys: the number of a spot chooses it, and arrows go from way to way.

  let typed = "";
  let late = 0;

  const choose = () => {
    const number = Number(typed);
    const link = find(`a#spot-${number}`);
    typed = "";
    if (!link && find(".pick a")) tell(`Spot ${number} cannot be chosen here.`, true);
    // The focus stays on the board after the move.
    link?.focus({ preventScroll: true });
    press(link);
  };

  const type = (digit) => {
    clearTimeout(late);
    typed += digit;
    // Another digit may follow only if there are so many spots.
    if (Number(typed) * 10 > Math.max(...spots().map((spot) => spot.number))) choose();
    else late = setTimeout(choose, PAUSE);
  };

  const next = (step) => {
    const ways = all("#choice :is(a, button)");
    const at = ways.indexOf(document.activeElement);
    if (at < 0) return false;
    ways[(at + step + ways.length) % ways.length].focus();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea")) return;
    if (/^[0-9]$/.test(event.key)) type(event.key);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step && next(step)) event.preventDefault();
  });

  // Links to pages of the same kind.

  const here = () => site.address(location);
  const path = (address) => address.split("?")[0];
  const kind = (address) => /^\/(board|editor|match)(\/[^/]+)?$/.exec(path(address))?.[1];

  const isClick = (event) => event.detail === 0 || !hasDrawn;

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(".match a[href]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = site.address(new URL(link.getAttribute("href"), location.href));
    if (!kind(to) || kind(to) !== kind(here()) || link.hasAttribute("download")) return;
    event.preventDefault();
    if (!isClick(event)) return;
    if (link.dataset.ask && !confirm(link.dataset.ask)) return;
    want(to, path(to) === path(here()) && !/[?&]to=/.test(to) ? "replace" : "push");
  });

  // Whether the shown page and the one at the address are boards.
  const stays = () => Boolean(find(".match") && kind(here()));

  addEventListener("popstate", () => stays() && want(here(), ""));
  document.documentElement.dataset.script = "";
  return { code, go, hurry, isClick, nextTry, place, site, stays, tell, want };
})();
