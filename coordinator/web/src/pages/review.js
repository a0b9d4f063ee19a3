// The arrow keys step through the moves of a review.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const to = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = to && document.querySelector(`a[rel="${to}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
