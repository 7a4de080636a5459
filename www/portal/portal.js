// What only a script can do in the portal: the key behind # of the link that claims an installation, and what is copied.
(() => {
  const setup = document.getElementById("setup");
  if (setup && location.hash.length > 1) {
    setup.elements.token.value = location.hash.slice(1);
    // It is spent by the form, and stays in no history.
    history.replaceState(null, "", location.pathname);
    setup.elements.name.focus();
  }

  const code = document.getElementById("code");
  code?.addEventListener("input", () => {
    if (code.value.replace(/\D/g, "").length === 6) code.form.requestSubmit();
  });

  // After a refused form: to the first field that needs a look, else to what is said of the whole.
  const find = (query) => document.querySelector(query);
  (find("[aria-invalid=true], .wrong[tabindex]") || find("[data-refused]"))?.focus();

  // Results: a day that is typed is no part of a period.
  for (const day of document.querySelectorAll("#from, #to"))
    day.addEventListener("input", () => day.form.elements.days && (day.form.elements.days.value = "own"));

  for (const copy of document.querySelectorAll("[data-copy]")) {
    const from = document.getElementById(copy.dataset.copy);
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      from.select();
      // Pages that came without TLS have no clipboard, and one that has lost the focus may not write to it.
      const written = await navigator.clipboard?.writeText(from.value).then(() => true, () => false);
      if (written || document.execCommand("copy")) copy.textContent = document.documentElement.lang === "es" ? "Copiado" : "Copied";
    });
  }
})();
