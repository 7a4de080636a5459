// What only a script can do in the portal: the key behind # of the link that claims an installation, and keys for the list.
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

  const rows = [...document.querySelectorAll(".leads tbody tr")];
  const search = document.getElementById("search");
  if (!search) return;
  let at = -1;
  const typing = (target) => target.closest("input:not([type=checkbox]), select, textarea");
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (event.key === "/") {
      event.preventDefault();
      search.focus();
    } else if ((event.key === "j" || event.key === "k") && rows.length) {
      at = Math.min(Math.max(at + (event.key === "j" ? 1 : -1), 0), rows.length - 1);
      rows[at].querySelector("a").focus();
    }
  });
})();
