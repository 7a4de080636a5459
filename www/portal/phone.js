// Whether this browser can get notifications of leads, and what to do if it cannot.
(() => {
  const form = document.getElementById("push");
  if (!form) return;
  const { serviceWorker } = navigator;
  const own = async () => (await serviceWorker?.getRegistration("/portal/"))?.pushManager?.getSubscription();
  const say = (state) => {
    for (const note of document.querySelectorAll("[data-push]")) note.hidden = note.dataset.push !== state;
    form.hidden = !!state && !/lost|failed/.test(state);
  };
  const look = async () => {
    if (!isSecureContext) return say("insecure");
    if (!serviceWorker || !self.PushManager || !self.Notification) return say(navigator.standalone === false ? "ios" : "none");
    if (Notification.permission === "denied") return say("denied");
    if (form.dataset.on === undefined) return say("");
    say((await own().catch(() => {})) ? "on" : "lost");
  };
  form.addEventListener("submit", async (event) => {
    const fields = form.elements;
    if (fields.endpoint.value) return;
    event.preventDefault();
    try {
      if ((await Notification.requestPermission()) !== "granted") return look();
      await serviceWorker.register("/portal/worker.js");
      const { pushManager } = await serviceWorker.ready;
      // One of another key is of no use. One of ours may serve another company of this person.
      const earlier = await pushManager.getSubscription();
      const key = earlier && btoa(String.fromCharCode(...new Uint8Array(earlier.options.applicationServerKey ?? [])));
      if (key?.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") !== form.dataset.key) await earlier?.unsubscribe();
      const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key })).toJSON();
      fields.endpoint.value = endpoint;
      fields.p256dh.value = keys.p256dh;
      fields.auth.value = keys.auth;
      form.submit();
    } catch {
      say("failed");
    }
  });
  document.querySelector("[data-own]")?.addEventListener("submit", () => {
    own().then((subscribed) => subscribed?.unsubscribe(), () => {});
  });
  look();
})();
