// Mounts the runtime with a made-up server behind it. `?case=` chooses what the server says.
import init, { mount } from "../pkg/runtime.js";

const asked = new URLSearchParams(location.search);
const scene = asked.get("case") || "roof";
const log = (window.shingleLog = []);

const palette = Object.entries({
  "--primary": "#14365c", "--on-primary": "#ffffff", "--primary-hover": "#11304f", "--primary-pressed": "#0e2845",
  "--secondary": "#c65a11", "--on-card-secondary": "#c15506", "--bg": "#edf1f5", "--card": "#ffffff", "--text": "#17212b",
  "--muted": "#555d66", "--title": "#14365c", "--drawn": "#14365c", "--focus": "#14365c", "--link": "#1b5fa8",
  "--link-bg": "#1b5fa8", "--edge": "#868b91", "--line": "#dddfe1", "--wash": "#eff2f5", "--wash-2": "#dfe4ea",
  "--facet-n": "#ecf0f3", "--facet-w": "#dde2e9", "--facet-s": "#c9d1dd", "--facet-e": "#b8c2d0",
  "--danger": "#b3261e", "--danger-wash": "#faefee", "--warn": "#8a5a00", "--warn-wash": "#f9f2e6", "--ok": "#1e6b3c",
});
const svg = (text) => "data:image/svg+xml," + encodeURIComponent(text);
const logo = svg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 156 52" width="156" height="52" font-family="Roboto,Arial"><path d="M2 30 26 10l24 20" fill="none" stroke="#14365C" stroke-width="4"/><path d="M14 32v10M26 24v18M38 32v10" stroke="#F28A1E" stroke-width="4"/><text x="60" y="27" font-size="18" font-weight="700" fill="#14365C">Harbor &amp;</text><text x="60" y="44" font-size="14" fill="#14365C">Pine Roofing</text></svg>`);
const mark = svg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" fill="#14365C"/><path d="M4 14.5 12 8l8 6.5" fill="none" stroke="#fff" stroke-width="2"/></svg>`);

const config = {
  id: "0193b5a0-0000-7000-8000-000000000001", baseUrl: location.origin, elementType: "button", elementSize: "medium",
  elementLocation: "bottom_right", buttonText: "Get my roof estimate", bannerText: null,
  firstPageTitle: "See what a new roof would cost", companyName: "Harbor & Pine Roofing",
  companyPhone: "(207) 555-0142", companyPhoneDial: "+12075550142", companyEmail: "hello@harborpine.example",
  companyAddress: "88 Wharf Street, Portland, ME 04101", companyUrl: "https://harborpine.example/",
  footerCompanyName: "Harbor & Pine Roofing Co.", privacyLink: "https://harborpine.example/privacy",
  termsLink: "https://harborpine.example/terms", headerLogo: { url: logo, width: 156, height: 52 },
  footerLogo: { url: mark, width: 24, height: 24 }, palette,
};

const f = (aspect, area, label, ring) => ({ aspect, area, label, ring });
const l = (kind, length, from, to) => ({ kind, length, from, to });
const house = {
  width: 560, height: 534, basis: "measured",
  rings: [[[0, 0], [560, 0], [560, 534], [330, 534], [330, 300], [0, 300]]],
  facets: [
    f("north", 688, [280, 80], [[0, 0], [560, 0], [410, 150], [150, 150]]), f("west", 251, [56, 154], [[0, 0], [150, 150], [0, 300]]),
    f("south", 540, [232, 234], [[0, 300], [150, 150], [410, 150], [445, 185], [330, 300]]),
    f("west", 301, [388, 364], [[330, 300], [445, 185], [445, 419], [330, 534]]),
    f("south", 148, [445, 498], [[330, 534], [445, 419], [560, 534]]),
    f("east", 552, [506, 284], [[560, 0], [560, 534], [445, 419], [445, 185], [410, 150]]),
  ],
  lines: [
    l("hip", 23, [0, 0], [150, 150]), l("hip", 22, [0, 300], [150, 150]), l("hip", 23, [560, 0], [410, 150]), l("hip", 5, [410, 150], [445, 185]),
    l("hip", 17, [330, 534], [445, 419]), l("hip", 17, [560, 534], [445, 419]), l("valley", 17, [330, 300], [445, 185]),
    l("ridge", 26, [150, 150], [410, 150]), l("ridge", 23, [445, 185], [445, 419]),
  ],
  dimensions: [
    { side: "north", from: [0, 0], to: [560, 0], length: 560 }, { side: "east", from: [560, 0], to: [560, 534], length: 534 },
    { side: "south", from: [330, 534], to: [560, 534], length: 230 }, { side: "west", from: [0, 0], to: [0, 300], length: 300 },
  ],
};
const garage = {
  width: 240, height: 240, basis: "modelled", rings: [[[0, 0], [240, 0], [240, 240], [0, 240]]],
  facets: [f("west", 304, [60, 120], [[0, 0], [120, 0], [120, 240], [0, 240]]), f("east", 303, [180, 120], [[120, 0], [240, 0], [240, 240], [120, 240]])],
  lines: [l("ridge", 24, [120, 0], [120, 240])],
  dimensions: [{ side: "north", from: [0, 0], to: [240, 0], length: 240 }, { side: "west", from: [0, 0], to: [0, 240], length: 240 }],
};
const alerts = scene === "flags" ? { roofPitchAlert: "HIGH_PITCH", roofAreaAlert: "LOW_AREA" } : { roofPitchAlert: "NO_ALERTS", roofAreaAlert: null };
const suggestion = (street, city, matched) => ({ key: street, street, city, matched });
const suggestions = [
  suggestion("14 Alder Court", "Portland, ME 04103", 11), suggestion("14 Alder Common", "Scarborough, ME 04074", 11),
  suggestion("14 Alder Cove Road", "Windham, ME 04062", 11),
];
const building = (label, area, drawing, sides, shape) => ({ label, area, drawing, longestSides: sides, shape });
const found = {
  kind: "roof", key: "14 Alder Court", street: "14 Alder Court", city: "Portland, ME 04103", confidence: scene === "near" ? 50 : 100, alerts,
  buildings: [building("House", 2480, scene === "modelled" ? { ...house, basis: "modelled" } : scene === "outline" ? { ...house, facets: [], lines: [], basis: "outline" } : house, [560, 534], "Hip, L-shaped")],
  provenance: { method: scene === "modelled" ? "outline" : "survey", year: "2021", source: "sample town", invented: scene === "modelled" },
};
if (scene === "many") found.buildings.push(building("Detached garage", 607, garage, [240, 240], "Gable"), building("Shed", 126, null, null, ""));
const price = (material, per) => ({ material, pricePerSquare: per, cost: per * 24.8, low: per * 22.3, high: per * 27.3 });
const receipt = {
  id: "0193b5a0-0000-7000-8000-00000000000a", reference: "HP-4K7Q", leadToken: "t",
  estimate: scene === "noroof" || scene === "notfound" ? null : {
    street: "14 Alder Court", roofArea: 2480, squaresTenths: 248, pitchTenths: 266, riseHalves: 12, complexity: "average", facets: 6, alerts,
    prices: [price("asphalt shingle", 650), price("metal", 1150), price("tile", 1300), price("slate", 1750)],
  },
};

const json = (body, status = 200) => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
const realFetch = window.fetch.bind(window);
window.fetch = async (request, ...more) => {
  if (!(request instanceof Request)) return realFetch(request, ...more);
  const path = new URL(request.url).pathname.split("/").slice(3).join("/");
  const body = JSON.parse((await request.text()) || "{}");
  log.push({ path, method: request.method, key: body.idempotencyKey, type: request.headers.get("content-type"), body });
  if (path === "session") return scene === "paused" ? json({ message: "no", error: "Forbidden", statusCode: 403 }, 403) : json({ token: "s" + log.length, expiresIn: 600 });
  if (path === "suggest") return json({ suggestions: scene === "notfound" ? [] : suggestions });
  if (path === "roof") {
    if (scene === "slow") await new Promise((done, fail) => { request.signal.onabort = () => fail(new Error("stopped")); });
    if (scene === "down") return json({ message: "down", error: "x", statusCode: 503 }, 503);
    if (scene === "noroof") return json({ kind: "noRoof", key: "k", street: "14 Alder Court", city: "Portland, ME 04103" });
    if (scene === "notfound") return json({ kind: "notFound", typed: body.address.line, close: [suggestion("14 Alder Court", "Portland, ME 04103", 0), suggestion("41 Alder Circle", "Portland, ME 04103", 0), suggestion("41 Elder Court", "Portland, ME 04102", 0)] });
    return json(found);
  }
  if (path === "leads") {
    if (scene === "offline") throw new TypeError("Failed to fetch");
    return json(receipt);
  }
  return json({});
};

await init();
const host = document.createElement("div");
document.body.append(host);
const shadow = host.attachShadow({ mode: "open" });
const sheet = new CSSStyleSheet();
const style = async (name) => (await realFetch(`../${name}.css`)).text();
// The dialog's frame is the launcher's, as the loader has it.
sheet.replaceSync((await style("launcher")).split("/* § dialog */")[1] + (await style("widget")));
shadow.adoptedStyleSheets = [sheet];
const events = (window.shingleEvents = []);
const heard = (name, detail) => events.push([name, detail]);
if (asked.has("page")) {
  document.body.classList.add("hosted");
  host.id = "card";
  const root = document.createElement("div");
  root.dataset.flow = "";
  root.style.setProperty("height", "100%");
  shadow.append(root);
  window.handle = mount(host, undefined, config, { via: "hosted", mode: "page" }, heard);
} else {
  const dialog = document.createElement("dialog");
  shadow.append(dialog);
  const open = () => {
    dialog.showModal();
    if (window.handle) window.handle.open();
    else window.handle = mount(host, dialog, config, { via: "embed", pageUrl: location.href, mode: "overlay" }, heard);
  };
  document.querySelector("#open").addEventListener("click", open);
  if (!asked.has("shut")) open();
}
