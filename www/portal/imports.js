/* An import that is being worked on: how far it is, and the page again once it has ended. */
(() => {
  const card = document.querySelector("[data-progress]");
  if (!card) return;
  const bar = card.querySelector("progress"), said = card.querySelector(".rows2");
  let told = 0;
  const look = async () => {
    let now;
    try {
      now = await (await fetch(card.dataset.progress)).json();
    } catch {
      return setTimeout(look, 5000);
    }
    if (!now.working) return location.reload();
    const rows = now.rows || 0;
    if (now.total) {
      bar.max = now.total;
      bar.value = Math.min(rows, now.total);
    }
    // Each tenth is said; what is seen moves with every look.
    const tenth = now.total ? Math.floor((rows * 10) / now.total) : 0;
    said.setAttribute("aria-live", tenth > told ? "polite" : "off");
    told = Math.max(told, tenth);
    let n = 0;
    const figures = [rows, now.total];
    said.textContent = said.textContent.replace(/\d[\d,]*/g, (old) => (figures[n] == null ? (n++, old) : figures[n++].toLocaleString("en-US")));
    setTimeout(look, 1500);
  };
  setTimeout(look, 800);
})();
