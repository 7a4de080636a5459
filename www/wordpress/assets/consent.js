// Waits until the WP Consent API allows the category, then adds the widgets' scripts. The tag says which and what for.
(() => {
  const tag = document.currentScript;
  if (!tag) return;
  const { category, scripts } = tag.dataset;
  let added = false;
  const look = () => {
    if (added || typeof window.wp_has_consent !== "function") return;
    // A banner that finds out first where the visitor is.
    if (window.waitfor_consent_hook && window.wp_consent_type === undefined) return;
    if (!window.wp_has_consent(category)) return;
    added = true;
    for (const src of scripts.split(" ")) {
      document.head.append(Object.assign(document.createElement("script"), { src, async: true }));
    }
  };
  // The API's own events; the second says that a banner has decided whether it has to ask at all.
  for (const name of ["wp_listen_for_consent_change", "wp_consent_type_defined", "wp_consent_type_functions_loaded", "DOMContentLoaded"]) {
    document.addEventListener(name, look);
  }
  addEventListener("load", look);
  look();
})();
