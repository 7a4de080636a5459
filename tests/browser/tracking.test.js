// What Google Tag Manager gets to know of a visitor, by the tags of the manual's page: their triggers, variables and consent settings are
// read from the page and followed here as Tag Manager follows them, for what the widget really pushes. `ad-clicks.test.js` has what is read of
// other people's cookies.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { root } from "./harness/shingle.js";
import { minimalSite } from "./harness/site.js";

const { shingle, browser } = await setUp();
const widget = await shingle.widget();
const manual = (page) => readFile(path.join(root, "assets/manual/src", page), "utf8");
const [tagManager, consentMode] = await Promise.all(["tag-manager.md", "consent-mode.md"].map(manual));
const blocks = (text, language) => [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code);
const { exportFormatVersion, containerVersion: container } = JSON.parse(blocks(tagManager, "json")[0]);
const [denied, granted] = blocks(consentMode, "html");
const grant = granted.replace(/<\/?script>/g, "");

const parameters = (of) => Object.fromEntries(of.parameter.map(({ key, value, list }) => [key, value ?? list]));
const person = { first: "Dana", last: "Whitfield", email: "dana.tracked@example.com", phone: "2075550143", consent: true };

/** Which tags fire for what was pushed, with what they send. `pushed`: as it is, with the calls of `gtag` as lists. */
function fired(pushed) {
  const consent = {};
  const model = {};
  const out = [];
  const valueOf = (text) => {
    const name = /^\{\{(.*)\}\}$/.exec(text)?.[1];
    if (!name) return text;
    if (name === "Event" || name === "_event") return model.event;
    const variable = container.variable.find((one) => one.name === name);
    assert.ok(variable, `a tag names ${name}: that variable is missing`);
    const { value, name: key } = parameters(variable);
    return variable.type === "c" ? value : model[key];
  };
  const holds = ({ type, parameter }) => {
    const { arg0, arg1 } = parameters({ parameter });
    const [found, wanted] = [String(valueOf(arg0)), arg1];
    return { EQUALS: () => found === wanted, MATCH_REGEX: () => new RegExp(wanted).test(found) }[type]();
  };
  for (const entry of pushed) {
    if (Array.isArray(entry)) {
      if (entry[0] === "consent") Object.assign(consent, entry[2]);
      continue;
    }
    Object.assign(model, entry);
    if (!entry.event) continue;
    const triggers = container.trigger.filter(({ customEventFilter }) => customEventFilter.every(holds)).map(({ triggerId }) => triggerId);
    for (const tag of container.tag.filter(({ firingTriggerId }) => firingTriggerId.some((id) => triggers.includes(id)))) {
      const { consentStatus, consentType } = tag.consentSettings;
      assert.equal(consentStatus, "NEEDED", tag.name);
      if (!consentType.list.every(({ value }) => consent[value] === "granted")) continue;
      const { eventName, measurementIdOverride, eventSettingsTable } = parameters(tag);
      const rows = eventSettingsTable.map(({ map }) => parameters({ parameter: map }));
      const sent = Object.fromEntries(rows.map(({ parameter, parameterValue }) => [parameter, valueOf(parameterValue)]));
      out.push({ tag: tag.name, event: valueOf(eventName), to: valueOf(measurementIdOverride), sent });
    }
  }
  return out;
}

/** A visitor on a page with this head who goes through all of the flow. `beforeSending` happens on the page. */
async function journey({ head, beforeSending }) {
  const site = await minimalSite(widget.widgetScript, head);
  const visitor = await newVisitor(browser, "desktop");
  const { page, origins } = visitor;
  const flow = new Flow(page);
  await page.goto(site.url);
  await flow.open();
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  await flow.fillDetails(person);
  if (beforeSending) await page.evaluate(beforeSending);
  await flow.showEstimate.click();
  await flow.estimateShown();
  const pushed = await page.evaluate(() => window.dataLayer?.map((entry) => (Object.prototype.toString.call(entry) === "[object Arguments]" ? [...entry] : entry)));
  const cookies = await page.context().cookies();
  const asked = [...origins].sort();
  await visitor.leave();
  await site.stop();
  return { pushed, cookies, asked, expected: [new URL(site.url).origin, shingle.url].sort() };
}

const id = widget.referenceId;
const steps = ["shingle_view", "shingle_open", "shingle_address", "shingle_contact", "shingle_submit", "shingle_estimate"];

test("the file that the manual has is a container of one piece", () => {
  assert.equal(exportFormatVersion, 2);
  for (const kind of ["tag", "trigger", "variable"]) {
    const of = container[kind];
    for (const key of [`${kind}Id`, "name"]) assert.equal(new Set(of.map((one) => one[key])).size, of.length, `${kind}: ${key}`);
    assert.ok(of.every(({ accountId, containerId }) => accountId === container.accountId && containerId === container.containerId), kind);
  }
  const known = container.trigger.map(({ triggerId }) => triggerId);
  assert.deepEqual(container.tag.flatMap(({ firingTriggerId }) => firingTriggerId).filter((one) => !known.includes(one)), []);
  for (const { name } of container.variable) assert.ok(JSON.stringify(container.tag).includes(`{{${name}}}`), `no tag has ${name}`);
});

test("without an answer of the visitor the widget works, pushes nothing of a person, and no tag fires", async () => {
  const { pushed, cookies, asked, expected } = await journey({ head: denied });
  const ours = pushed.filter(({ event }) => event?.startsWith("shingle_"));
  assert.deepEqual(ours.map(({ event }) => event), steps);
  // All of it, so that what is added later is looked at here.
  const allowed = { shingle_open: ["via"], shingle_submit: ["reference"], shingle_estimate: ["value"] };
  for (const { event, ...fields } of ours) {
    assert.deepEqual(Object.keys(fields), ["widget", ...(allowed[event] ?? [])], event);
    assert.equal(fields.widget, id);
  }
  assert.match(ours[4].reference, /^[0-9A-Z]{3}-[0-9A-Z]{3}$/);
  assert.ok(ours[5].value > 1_000, `${ours[5].value}`);
  const text = JSON.stringify(pushed).toLowerCase();
  for (const part of ["dana", "whitfield", "example.com", "2075550143", "555", "alder", "harrow"]) assert.ok(!text.includes(part), part);
  // Every row of the manual's table, and nothing that it lacks.
  for (const event of [...steps, "shingle_error", "shingle_close"]) assert.match(tagManager, new RegExp(`^\\| \`${event}\` \\|`, "m"));
  assert.deepEqual(fired(pushed), []);
  assert.deepEqual(cookies, []);
  assert.deepEqual(asked, expected, "nobody else was asked");
  const [lead] = (await shingle.leads()).filter(({ email }) => email === person.email);
  assert.equal(lead.source.clickId, null, "there was nothing to read");
});

test("once a visitor agrees, tags fire for what comes from then on", async () => {
  const { pushed } = await journey({ head: denied, beforeSending: grant });
  const { reference } = pushed.find(({ event }) => event === "shingle_submit");
  const { value } = pushed.find(({ event }) => event === "shingle_estimate");
  const to = "G-XXXXXXXXXX";
  assert.deepEqual(fired(pushed), [
    { tag: "Shingle - lead", event: "generate_lead", to, sent: { widget_id: id, transaction_id: reference, lead_source: "roof estimate" } },
    { tag: "Shingle - estimate shown", event: "roof_estimate", to, sent: { widget_id: id, currency: "USD", value } },
  ]);
});

test("a visitor who has agreed before is followed step by step", async () => {
  const head = `${denied}<script>${grant}</script>`;
  const all = fired((await journey({ head })).pushed);
  const via = (event) => ({ tag: "Shingle - steps", event, to: "G-XXXXXXXXXX", sent: { widget_id: id, via: "embed" } });
  assert.deepEqual(all.slice(0, 3), ["shingle_open", "shingle_address", "shingle_contact"].map(via));
  assert.deepEqual(all.slice(3).map(({ event }) => event), ["generate_lead", "roof_estimate"]);
});

test("a page without a data layer gets none", async () => {
  assert.equal((await journey({ head: "" })).pushed, undefined);
});
