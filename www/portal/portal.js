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
