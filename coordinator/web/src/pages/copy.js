// Copies the address on a page. Only encrypted pages, and those of this machine, have a clipboard.
(() => {
  const field = () => document.querySelector("#address");
  // The reader may know this site by another name than the server.
  const { path } = field()?.dataset ?? {};
  if (path) field().value = location.origin + path;

  document.addEventListener("click", async (event) => {
    if (event.target.id !== "copy") return;
    field().select();
    try {
      await navigator.clipboard.writeText(field().value);
    } catch {
      document.execCommand("copy");
    }
    event.target.textContent = "Copied";
  });

  document.documentElement.dataset.script = "";
})();
