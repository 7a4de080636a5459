// Stands between a page and the server: the server's real answers for the home of the demonstration, and answers made
// of them for cases that the sample town does not have.

import { consentIn, wordsOf } from "./shingle.js";

/** Asks the real server once, in a visitor's language: a session, suggestions, a roof, a lead, its visit, a lead without a price. */
export async function realResponses(shingle, widget, { home = "14 Alder Court", lang = "en" } = {}) {
  let token;
  const post = async (path, body, { method = "POST", ...headers } = {}) => {
    const answer = await fetch(`${shingle.url}/w/${widget.referenceId}/${path}`, {
      method,
      headers: { origin: shingle.url, "content-type": "application/json", ...headers },
      body: JSON.stringify({ token, ...body }),
    });
    const read = await answer.json();
    if (!answer.ok) throw new Error(`${path} was refused: ${JSON.stringify(read)}`);
    return read;
  };
  ({ token } = await post("session", {}));
  const suggested = await post("suggest", { text: home });
  const address = { key: suggested.suggestions.find(({ street }) => street == home).key };
  const roof = await post("roof", { address, lang });
  const lead = (address, email) => post("leads", {
    address,
    firstName: "Dana",
    lastName: "Whitfield",
    email,
    consent: { given: false, text: consentIn(lang) },
    elapsedMs: 60_000,
    lang,
  }, { "idempotency-key": `answers-${lang}-${email}-${home.replaceAll(" ", "-")}` });
  const receipt = await lead(address, "dana@example.com");
  const booked = async () => {
    // Days that the server offers: the first that is not over.
    const wishes = [...receipt.booking.matchAll(/"(\d{4}-\d\d-\d\d) (\w+)"/g)].slice(0, 3).map(([, date, part]) => ({ date, part }));
    const inspection = { wishes, contactBy: "email", note: "The gate is open.\nMind the dog." };
    return post(`leads/${receipt.id}`, { leadToken: receipt.leadToken, lang, inspection }, { method: "PATCH" });
  };
  const nowhere = { parts: { streetNumber: "41", streetAddress: "Alder Crt", city: "Portland", state: "ME", zip: "04103" } };
  return { suggested, roof, receipt, booked: await booked(), asked: await lead(nowhere, "dana.visit@example.com"), lang };
}

// What the server would have drawn.
const part = (...nodes) => JSON.stringify(nodes);
const note = (heading, text) => part(["p", { class: "sh-note warn" }, ["svg", { class: "sh-icon", viewBox: "0 0 20 20", "aria-hidden": "true" }, ["path", { class: "l", d: "M10 6v5M10 14v.01M10 2l8.5 15h-17z" }]], ["span", {}, ["b", {}, heading], " ", text]]);

/** The cases, made of the real answers and the sentences of their language. */
export function mockResponses({ suggested, roof, lang, ...given }) {
  const words = wordsOf(lang);
  const [garageName, shedName, behind] = { en: ["Detached garage", "Shed", "Behind the house"], es: ["Garaje aparte", "Cobertizo", "Detrás de la casa"] }[lang];
  // The same in every run, for pictures.
  const [receipt, booked, asked] = [given.receipt, given.booked, given.asked].map((one) =>
    JSON.parse(JSON.stringify(one).replaceAll(one.reference, "SH-4K7Q")));
  const [house] = roof.buildings;
  const row = (name, about, area) =>
    part(["span", {}, ["b", {}, name], ["small", {}, about]], ["span", { class: "amount" }, area, ["small", {}, words.square_feet]]);
  const garage = { row: row(`B · ${garageName}`, behind, "607"), area: 607, picked: false, why: "" };
  const why = note(words.gate_small[0].replace("{ground}", "126"), words.gate_small[1]);
  const shed = { row: row(`C · ${shedName}`, behind, "126"), area: 126, picked: false, why };
  const typed = "41 Alder Crt, Portland";
  const close = ["14 Alder Court", "41 Alder Circle", "41 Elder Court"].map((street, at) => (
    { ...suggested.suggestions[0], key: `close-${at}`, street, matched: 0 }));
  return {
    suggested,
    none: { suggestions: [] },
    roof,
    near: { ...roof, heading: words.near_title, intro: note(words.near_note_title.replace("{n}", "50"), words.near_note) },
    many: { ...roof, heading: words.many_title, buildings: [house, garage, shed] },
    noRoof: { kind: "noRoof", key: roof.key, street: roof.street, city: roof.city, why: shed.why, pane: roof.aside },
    unknown: { kind: "notFound", typed, close: [] },
    close: { kind: "notFound", typed, close },
    receipt,
    flagged: { ...receipt, estimate: { ...receipt.estimate, above: note(...words.high_pitch) } },
    booked,
    asked,
  };
}

/** Answers a page's requests as set; what is not set goes to the server. */
export class MockApi {
  static async on(page, answers = {}) {
    const api = new MockApi();
    api.answers = answers;
    await page.route(/\/w\/[^/]+\/(session|suggest|roof|leads)(\/|$)/, (route) => api.answer(route));
    return api;
  }

  set(answers) {
    Object.assign(this.answers, answers);
  }

  async answer(route) {
    const [, widget, name, more] = new URL(route.request().url()).pathname.match(/\/w\/([^/]+)\/(\w+)(\/.+)?$/);
    this.widget = widget;
    const what = await this.answers[more?.endsWith("/estimate") ? "kept" : more ? "change" : name];
    if (what === undefined) return route.continue();
    if (what === "down") return route.abort("connectionfailed");
    const { status = 200, ...body } = what;
    await route.fulfill({ status, json: body, headers: { "access-control-allow-origin": "*" } });
  }
}
