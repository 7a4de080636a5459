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
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  // What the page that says so needs.
  else if (/\/portal\/(portal\.css|icon\.svg)$/.test(request.url)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});
