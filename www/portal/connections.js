// A page that prints itself.
(() => {
  for (const print of document.querySelectorAll("[data-print]")) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }
})();
