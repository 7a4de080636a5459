// Passkeys: a device makes one or signs with one, and the form carries what it says. Without this, or where a browser knows no
// passkeys, the form works without.
(() => {
  const form = document.querySelector("form[data-passkey]");
  if (!form || !window.PublicKeyCredential) return;
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  for (const node of document.querySelectorAll("[data-with]")) node.hidden = false;
  for (const node of document.querySelectorAll("[data-alone]")) node.hidden = true;
  const failed = document.querySelector("[data-failed]");
  let waiting = new AbortController();

  const ask = async (options) => {
    const asked = await fetch(form.dataset.passkey, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    // Something that was typed is wrong: the form's own answer says what.
    if (asked.status === 422) return form.submit();
    // This page is at another address than the one that passkeys are for.
    if (asked.status === 421) {
      failed.textContent = (await asked.json()).message;
      failed.hidden = false;
    }
    if (!asked.ok) throw asked;
    const { ceremony, publicKey } = await asked.json();
    publicKey.challenge = bytes(publicKey.challenge);
    if (publicKey.user) publicKey.user.id = bytes(publicKey.user.id);
    for (const key of publicKey.excludeCredentials ?? []) key.id = bytes(key.id);
    const made = await navigator.credentials[publicKey.user ? "create" : "get"]({ publicKey, ...options });
    const response = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (made.response[name]) response[name] = text(made.response[name]);
    }
    form.elements.ceremony.value = ceremony;
    form.elements.passkey.value = JSON.stringify({ id: made.id, rawId: text(made.rawId), type: made.type, response });
    form.submit();
  };

  // The email field offers passkeys. What was asked for ends after five minutes, so it is asked for again.
  const offer = async () => {
    if (!("autofill" in form.dataset) || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    waiting.abort();
    waiting = new AbortController();
    ask({ mediation: "conditional", signal: waiting.signal }).catch(() => {});
  };
  offer();
  setInterval(() => document.visibilityState === "visible" && offer(), 240_000);

  form.addEventListener("submit", (event) => {
    if (!event.submitter?.matches("[data-go]")) return;
    event.preventDefault();
    waiting.abort();
    failed.hidden = true;
    ask({}).catch(() => {
      failed.hidden = false;
      offer();
    });
  });
})();
