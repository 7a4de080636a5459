// Calls every operation and prints which requests were sent: node every-operation.mjs PACKAGE, with a server in SHINGLE_URL,
// SHINGLE_KEY, and what is on it in SHINGLE_WIDGET, SHINGLE_LEAD and SHINGLE_LOGO.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
const { Shingle, NotFoundError, UnauthorizedError } = await import(process.argv[2]);

const { SHINGLE_URL: baseUrl, SHINGLE_KEY: key, SHINGLE_LEAD: lead } = process.env;
const sent = [];
const recording = (url, init) => {
  sent.push(`${init.method} ${new URL(url).pathname}`);
  return fetch(url, init);
};
const shingle = new Shingle({ baseUrl, key, fetch: recording });
const address = "14 Alder Court, Harrow Falls, ME 04995";
const parts = { streetNumber: "14", streetAddress: "Alder Court", city: "Harrow Falls", state: "ME", zip: "04995" };
const since = "2026-01-01T00:00:00.000Z";
const logo = await readFile(process.env.SHINGLE_LOGO);

// Look-ups
for (const name of ["addressInfo", "addressInfoV2", "buyerInsights", "roofEstimate", "solarIndex", "utilityBill"]) {
  const { timestamp } = await shingle.lookUp[name](address);
  assert.ok(Date.parse(timestamp), name);
}
const whole = await shingle.lookUp.roofEstimate(parts, { include: ["match", "range"], roofMaterial: "metal" });
assert.deepEqual([whole.match.level, whole.roofMaterial, whole.range.area.low < whole.roofArea], ["exact", "metal", true]);
assert.equal((await shingle.lookUp.roofEstimate("1 Nowhere Street, Harrow Falls, ME 04995")).roofArea, null);
assert.ok((await shingle.usage.get({ from: "2026-01-01", to: "2026-01-02" })).total.calls >= 0);

// Widgets
const made = randomUUID();
const colors = Object.fromEntries(["primary", "secondary", "background", "cardBackground", "text", "link"].map((name) => [`${name}Color`, "#1a5f3c"]));
const widget = await shingle.widgets.create({
  referenceId: made, ...colors, footerCompanyName: "Elm Roofing", footerPirvacyPolicyLink: "https://elm.example.com/privacy", status: "active",
  companyName: "Elm Roofing", companyPhone: "(207) 555-0101", companyEmail: "office@elm.example.com", companyUrl: "https://elm.example.com",
  companyAddress: "1 Main Street, Portland, ME 04101", domains: "127.0.0.1", firstPageTitle: "What would a new roof cost?", headerLogo: logo,
});
assert.equal(widget.referenceId, made);
assert.ok((await shingle.widgets.list()).some(({ referenceId }) => referenceId === made));
assert.equal((await shingle.widgets.get(made)).companyName, "Elm Roofing");
assert.equal((await shingle.widgets.update(made, { companyName: "Olmo y Peña", removeFooterLogo: true })).companyName, "Olmo y Peña");
await shingle.widgets.uploadLogos(made, { footerLogo: new Blob([logo]) });
const settings = await shingle.widgets.getSettings(made);
assert.deepEqual(await shingle.widgets.replaceSettings(made, settings), settings);

// Leads
assert.deepEqual((await shingle.leads.list({ search: "alder court", limit: 1 })).data.map(({ id }) => id), [lead]);
assert.equal((await shingle.leads.get(lead)).email, "ann@example.com");
assert.equal((await shingle.leads.update(lead, { status: "contacted" })).status, "contacted");
assert.match(await shingle.leads.csv({ status: "contacted" }), /ann@example\.com/);
assert.equal((await shingle.leads.addNote(lead, { text: "Called, no answer." })).text, "Called, no answer.");
assert.ok((await shingle.leads.notes(lead)).some(({ text }) => text === "Called, no answer."));
assert.deepEqual(await shingle.leads.repeatedAddresses(), []);
assert.equal((await shingle.leads.consentCertificate(lead)).consents[0].evidence.email, "ann@example.com");
assert.match(await shingle.leads.consentPage(lead), /ann@example\.com/);
const person = await shingle.people.export({ email: "ann@example.com" });
assert.deepEqual([...(await shingle.leads.photo(lead, person.data[0].photos[0].id)).subarray(0, 2)], [0xff, 0xd8]);
assert.ok((await shingle.leads.deliveries(lead)).data);
await shingle.leads.revokeLink(lead);

// Webhooks and their deliveries
const body = { name: "CRM", url: "https://93.184.216.34/", events: ["lead.created", "lead.updated"] };
const hook = await shingle.webhooks.create(body, { idempotencyKey: made });
assert.equal((await shingle.webhooks.create(body, { idempotencyKey: made })).id, hook.id, "the same key, the same webhook");
assert.match(hook.secret, /^whsec_/);
assert.ok((await shingle.webhooks.list()).some(({ id }) => id === hook.id));
assert.equal((await shingle.webhooks.get(hook.id)).name, "CRM");
assert.equal((await shingle.webhooks.update(hook.id, { name: "Office", active: undefined })).name, "Office");
const started = await shingle.webhooks.test(hook.id);
assert.equal((await shingle.deliveries.get(started.deliveryId)).event, "ping");
assert.ok((await shingle.webhooks.deliveries(hook.id, { limit: 5 })).data.length);
for await (const delivery of shingle.webhooks.deliveriesAll(hook.id, { limit: 1 })) assert.equal(delivery.destinationId, hook.id);
await shingle.deliveries.replay(started.deliveryId);
await shingle.webhooks.replay(hook.id, { since });
assert.notEqual((await shingle.webhooks.rotateSecret(hook.id)).secret, hook.secret);
await shingle.webhooks.delete(hook.id);

// Connectors
assert.ok((await shingle.connectors.list()).some(({ name }) => name === "slack"));
assert.equal((await shingle.connectors.get("slack")).name, "slack");
const place = await shingle.destinations.create({ connector: "slack", settings: { webhook_url: "https://hooks.slack.com/services/T/B/X" } });
assert.ok((await shingle.destinations.list()).some(({ id }) => id === place.id));
assert.equal((await shingle.destinations.get(place.id)).connector, "slack");
assert.equal((await shingle.destinations.update(place.id, { active: false })).active, false);
await shingle.destinations.test(place.id);
assert.ok((await shingle.destinations.deliveries(place.id)).data.length);
await shingle.destinations.replay(place.id, { since });
await shingle.destinations.delete(place.id);

// Notices and personal data
const notices = await shingle.notices.get();
assert.deepEqual(await shingle.notices.replace(notices), notices);
assert.equal((await shingle.retention.set({ days: 1500 })).days, 1500);
assert.equal((await shingle.retention.get({ days: 1 })).due.leads, 0);
assert.equal((await shingle.retention.set({})).days, null);
assert.deepEqual((await shingle.people.erase({ email: "nobody@example.com" })).leads, []);
if (process.env.SHINGLE_ERASE) {
  assert.equal((await shingle.leads.erase(lead)).erased, true);
  await assert.rejects(shingle.leads.get(lead), NotFoundError);
}

await assert.rejects(new Shingle({ baseUrl, key: "sandbox_wrong" }).leads.list(), (error) => {
  assert.ok(error instanceof UnauthorizedError);
  assert.deepEqual(error.body, { message: "API key is invalid", error: "Unauthorized", statusCode: 401 });
  return true;
});
console.log(JSON.stringify(sent));
