// Stands between a page and the server: the server's real answers for the home of the demonstration, and answers made
// of them for cases that the sample town does not have.

import { consentText } from "./shingle.js";

const home = "14 Alder Court";

/** Asks the real server once: a session, suggestions, a roof, a lead. */
export async function realResponses(shingle, widget) {
  let token;
  const post = async (path, body, more = {}) => {
    const answer = await fetch(`${shingle.url}/w/${widget.referenceId}/${path}`, {
      method: "POST",
      headers: { origin: shingle.url, "content-type": "application/json", ...more },
      body: JSON.stringify({ token, ...body }),
    });
    const read = await answer.json();
    if (!answer.ok) throw new Error(`${path} was refused: ${JSON.stringify(read)}`);
    return read;
  };
  ({ token } = await post("session", {}));
  const suggested = await post("suggest", { text: home });
  const address = { key: suggested.suggestions.find(({ street }) => street == home).key };
  const roof = await post("roof", { address });
  const receipt = await post("leads", {
    address,
    firstName: "Dana",
    lastName: "Whitfield",
    email: "dana@example.com",
    consent: { given: false, text: consentText },
    elapsedMs: 60_000,
  }, { "idempotency-key": "answers" });
  return { suggested, roof, receipt };
}

// What the server would have drawn.
const part = (...nodes) => JSON.stringify(nodes);
const note = (heading, text) => part(["p", { class: "sh-note warn" }, ["svg", { class: "sh-icon", viewBox: "0 0 20 20", "aria-hidden": "true" }, ["path", { class: "l", d: "M10 6v5M10 14v.01M10 2l8.5 15h-17z" }]], ["span", {}, ["b", {}, heading], " ", text]]);

/** The cases, made of the real answers. */
export function mockResponses({ suggested, roof, receipt: given }) {
  // The same in every run, for pictures.
  const receipt = JSON.parse(JSON.stringify(given).replaceAll(given.reference, "SH-4K7Q"));
  const [house] = roof.buildings;
  const row = (name, about, area) =>
    part(["span", {}, ["b", {}, name], ["small", {}, about]], ["span", { class: "amount" }, area, ["small", {}, "sq ft"]]);
  const garage = { row: row("B · Detached garage", "Behind the house", "607"), area: 607, picked: false, why: "" };
  const shed = { row: row("C · Shed", "Gable", "126"), area: 126, picked: false, why: note("This building is a shed.", "A price would be wrong.") };
  const typed = "41 Alder Crt, Portland";
  const close = ["14 Alder Court", "41 Alder Circle", "41 Elder Court"].map((street, at) => (
    { ...suggested.suggestions[0], key: `close-${at}`, street, matched: 0 }));
  return {
    suggested,
    none: { suggestions: [] },
    roof,
    near: { ...roof, heading: "We may have the house next door", intro: note("Half sure.", "Check the drawing.") },
    many: { ...roof, heading: "Which buildings should we price?", buildings: [house, garage, shed] },
    noRoof: { kind: "noRoof", key: roof.key, street: roof.street, city: roof.city, why: shed.why, pane: roof.aside },
    unknown: { kind: "notFound", typed, close: [] },
    close: { kind: "notFound", typed, close },
    receipt,
    flagged: { ...receipt, estimate: { ...receipt.estimate, above: note("Steeper than most roofs here.", "Trees can look like that.") } },
    asked: { ...receipt, estimate: null },
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
