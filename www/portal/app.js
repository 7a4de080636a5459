// The portal as an app: a page for when there is no connection.
whenSeen(() => {
  if (!document.querySelector("body.app")) return;
  // Pages that came without TLS from elsewhere than this machine have none.
  navigator.serviceWorker?.register("/portal/worker.js").catch(() => {});
  const untold = document.getElementById("untold");
  const own = async () => (await navigator.serviceWorker?.getRegistration("/portal/"))?.pushManager?.getSubscription();
  if (untold) own().then((subscribed) => { untold.hidden = !subscribed; }, () => {});
  const note = document.createElement("p");
  note.className = "note warn";
  note.setAttribute("role", "status");
  const tell = () => {
    if (navigator.onLine) return note.remove();
    const spanish = document.documentElement.lang === "es";
    // Only a page with a number and a way promises them.
    const works = document.querySelector('a[href^="tel:"]') && document.querySelector('a[href*="/maps/dir/"]');
    const said = spanish ? ["Sin conexión.", "Llamar y las indicaciones siguen funcionando."] : ["No connection.", "Call and directions still work."];
    note.textContent = works ? said.join(" ") : said[0];
    document.querySelector(".top")?.after(note);
  };
  addEventListener("offline", tell);
  addEventListener("online", tell);
  tell();
});
