// The editor, beside what draws lines: a click puts a spot on the sheet, Delete removes what has the focus or is
// chosen, and Control with Z undoes.
(() => {
  const isBusy = () => document.querySelector(".match").hasAttribute("aria-busy");

  document.addEventListener("click", (event) => {
    const pick = event.target;
    if (!pick.matches?.(".pick") || event.button !== 0 || isBusy() || !board.isClick(event)) return;
    const place = board.place(event, pick.getScreenCTM().inverse());
    board.want(document.querySelector(".match").dataset.put + board.code([place]), "push");
  });

  document.addEventListener("keydown", (event) => {
    if (isBusy() || event.target.matches("input")) return;
    if (event.key === "Delete" || event.key === "Backspace") {
      // What is chosen, unless another spot or line has the focus.
      const chosen = document.querySelector(".match[data-remove]");
      const remove = (event.target.closest("[data-remove]") ?? chosen)?.dataset.remove;
      const { after } = document.querySelector(".match").dataset;
      if (remove) board.want(after.replace("*", remove), "push");
    } else if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      event.preventDefault();
      document.querySelector("#undo")?.click();
    }
  });
})();
