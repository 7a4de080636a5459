// Where there is no connection, a page that says so. Nothing of a lead is kept on the device.
const KEPT = "shingle-offline-1";
const PAGE = "/portal/offline";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll([PAGE, "/portal/portal.css", "/portal/icon.svg"])));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  // Back to the answer to a form, which is in no cache: that is not a lost connection. Its address leads to the form's
  // page.
  const again = () => fetch(request.url, { redirect: "manual", headers: { accept: "text/html" } });
  const answer = () => (request.cache === "only-if-cached" ? again() : fetch(request));
  if (request.mode === "navigate") event.respondWith(answer().catch(() => caches.match(PAGE)));
  // What the page that says so needs.
  else if (/\/portal\/(portal\.css|icon\.svg)$/.test(request.url)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});

// A new lead, or a test. Browsers want something to be shown for every message.
self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data.json();
  } catch {
    // Not of ours.
  }
  const path = told.path || "/portal/leads";
  const shown = { body: told.body, tag: path, data: path, icon: "/portal/icon-192.png" };
  event.waitUntil(self.registration.showNotification(told.title || "Shingle", shown));
});

// The tab that shows the lead, or one that shows a list: nothing is typed there. Else a new one.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data, self.location.origin).href;
  const open = async () => {
    const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = tabs.find((tab) => tab.url === url);
    if (there) return there.focus();
    const list = tabs.find((tab) => new URL(tab.url).pathname === "/portal/leads");
    if (!list) return self.clients.openWindow(url);
    const shown = await list.focus();
    return shown.navigate(url).catch(() => self.clients.openWindow(url));
  };
  event.waitUntil(open());
});

// The push service gave this browser another address.
self.addEventListener("pushsubscriptionchange", (event) => {
  const renew = async () => {
    const options = event.oldSubscription?.options;
    const subscribed = event.newSubscription || (options && (await self.registration.pushManager.subscribe(options)));
    if (!subscribed) return;
    const { endpoint, keys } = subscribed.toJSON();
    const body = new URLSearchParams({ renew: 1, endpoint, p256dh: keys.p256dh, auth: keys.auth });
    await fetch("/portal/phone/push", { method: "POST", body });
  };
  event.waitUntil(renew());
});
