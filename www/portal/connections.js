// A page that prints itself.
(() => {
  for (const print of document.querySelectorAll("[data-print]")) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }

  // Widgets are ticked where only some are meant.
  const reach = document.getElementById("reach");
  const widgets = document.getElementById("some-widgets");
  if (!reach || !widgets) return;
  const shown = () => (widgets.hidden = reach.value !== "some");
  reach.addEventListener("change", shown);
  shown();
})();
