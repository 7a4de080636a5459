// Programs that automate: our Zapier app in Zapier's own harness and our n8n nodes, both against the real server. `bench/n8n.js`
// runs the nodes in a real n8n.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import path from "node:path";
import { after, before, test } from "node:test";
import { askForVisit } from "./harness/ask-for-visit.js";
import { loadNodes } from "./harness/n8n-context.js";
import { n8nNodes, nodePackage, runIn } from "./harness/node-package.js";
import { sendLead } from "./harness/send-lead.js";
import { Shingle, root } from "./harness/shingle.js";
import { webhookReceiver } from "./harness/webhook-receiver.js";

const home = "14 Alder Court, Harrow Falls, ME 04995";
const open = [];
let shingle, widget, zapier, n8n;

before(async () => {
  shingle = await Shingle.start({ env: { SHINGLE_EGRESS_ALLOW: "127.0.0.0/8", SHINGLE_EGRESS_HTTP: "true" } });
  open.push(() => shingle.stop());
  widget = await shingle.widget();
  [zapier, n8n] = await Promise.all([nodePackage("www/zapier").then(loadZapier), n8nNodes().then(loadNodes)]);
});
after(async () => {
  for (const end of open.reverse()) await end();
});

/** The app and Zapier's harness. */
function loadZapier(folder) {
  const load = createRequire(path.join(folder, "index.js"));
  // Else its harness prints how much memory it has.
  process.env.NODE_ENV = "test";
  const app = load("./index.js");
  delete process.env.NODE_ENV;
  const { createAppTester, createAppHandler } = load("zapier-platform-core");
  return { app, ask: createAppTester(app), handle: createAppHandler(app), lead: load("./lead.js"), originOf: load("./server.js").originOf };
}

let people = 0;
/** What the server answered to the lead of somebody new. */
function someone() {
  people++;
  return sendLead(shingle, widget, { firstName: `Dana${people}`, email: `dana.${people}@example.com`, phone: `20755502${10 + people}` });
}
const hooks = () => shingle.api("GET", "/api/v1/webhooks");
const confirm = (id) => shingle.api("PATCH", `/api/v1/leads/${id}`, { inspection: { state: "confirmed" } });

/** A server that answers as it is told to; what it was asked. */
async function answering(t, status, headers, body = {}) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.closeAllConnections() ?? server.close());
  return { url: `http://127.0.0.1:${server.address().port}`, asked };
}

/** What people type as the address of their server, and where it is. */
const typed = [
  ["https://roofs.example.com", "https://roofs.example.com"],
  [" https://roofs.example.com/ ", "https://roofs.example.com"],
  ["https://Roofs.example.com/portal/leads?data=sandbox#top", "https://roofs.example.com"],
  ["roofs.example.com", "https://roofs.example.com"],
  ["http://192.0.2.7:8080//", "http://192.0.2.7:8080"],
  ["https://user:pass@roofs.example.com", undefined],
  ["ftp://roofs.example.com", undefined],
  ["", undefined],
];

test("both take the address of the server from what people type", () => {
  for (const [text, wanted] of typed) {
    assert.equal(zapier.originOf(text), wanted, `Zapier: ${text}`);
    assert.equal(n8n.originOf(text), wanted, `n8n: ${text}`);
  }
});

// Zapier

const bundle = (inputData = {}, more = {}) => ({ authData: { server: `${shingle.url}/portal/leads`, apiKey: shingle.key }, inputData, meta: {}, ...more });
/** As Zapier passes a request on to the app. */
const passedOn = ({ headers, body, event }) => ({
  rawRequest: {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [`Http-${name.replace(/(^|-)./g, (letter) => letter.toUpperCase())}`, value])),
    content: body,
  },
  cleanedRequest: event,
});
const fails = (asked, sentence) => assert.rejects(asked, ({ message }) => sentence.test(message) || assert.fail(message));

test("Zapier's own rules accept the app", async () => {
  const { results } = await zapier.handle({ command: "validate" });
  assert.deepEqual(results, []);
});

test("the fields that Zapier shows of a lead are those of the API", async () => {
  const { components: { schemas } } = JSON.parse(await readFile(path.join(root, "assets/openapi.json"), "utf8"));
  const plain = (schema) => {
    if (schema.$ref) return plain(schemas[schema.$ref.split("/").pop()]);
    return schema.anyOf ? plain(schema.anyOf.find(({ type }) => type !== "null")) : schema;
  };
  const is = ({ type }, wanted) => [type].flat().includes(wanted);
  const fields = [];
  const walk = (schema, names) => {
    const of = plain(schema);
    const below = Object.entries(plain(of.items ?? of).properties ?? {});
    // Zapier knows no lines within lines.
    if (is(of, "array")) fields.push(...below.filter(([, one]) => !is(plain(one), "array")).map(([name]) => `${names.join("__")}[]${name}`));
    else if (is(of, "object")) for (const [name, one] of below) walk(one, [...names, name]);
    else fields.push(names.join("__"));
  };
  walk(schemas.Lead, []);
  assert.deepEqual(zapier.lead.FIELDS.map(([key]) => key), fields);
});

test("Zapier: a good key connects; a wrong key, a wrong address and a redirect say what to do", async (t) => {
  const { ask, app } = zapier;
  const connect = (authData) => ask(app.authentication.test, { ...bundle(), authData: { ...bundle().authData, ...authData } });
  assert.ok((await connect({})).total);
  assert.ok((await connect({ apiKey: ` ${shingle.key}\n` })).total, "a key with blanks around it");
  await fails(connect({ apiKey: "wrong" }), /API key is invalid\. The key may be revoked or past its last day/);
  await fails(connect({ server: "ftp://x" }), /must be an address such as https/);
  const elsewhere = await answering(t, 302, { location: "https://other.example.com/" });
  await fails(connect({ server: elsewhere.url }), /sends elsewhere, to https:\/\/other\.example\.com/);
  assert.equal(elsewhere.asked.length, 1);
});

test("Zapier waits as long as a busy server says", async (t) => {
  const busy = await answering(t, 429, { "retry-after": "17" }, { message: "Too many requests" });
  const asked = zapier.ask(zapier.app.searches.estimate_roof.operation.perform, { ...bundle({ address: home }), authData: { server: busy.url, apiKey: "k" } });
  await assert.rejects(asked, (error) => error.name === "ThrottledError" && JSON.parse(error.message.split("\n")[0]).delay === 17);
});

test("a Zap is subscribed, started by real leads, and unsubscribed", async (t) => {
  const { app, ask } = zapier;
  const receiver = await webhookReceiver();
  t.after(receiver.stop);
  const { operation } = app.triggers.lead_created;
  const zap = (more) => bundle({}, { targetUrl: receiver.url, ...more });
  await ask(operation.performSubscribe, zap());
  // Zapier tries again where an answer was lost.
  const subscribeData = await ask(operation.performSubscribe, zap());
  assert.deepEqual((await hooks()).map(({ name, url }) => [name, url]), [["Zapier: New Lead", receiver.url]]);
  const { id } = await someone();
  const arrived = await receiver.next(({ event }) => event.type === "lead.created");
  const [lead] = await ask(operation.perform, zap({ subscribeData, ...passedOn(arrived) }));
  assert.deepEqual([lead.id, typeof lead.id, lead.firstName], [id, "string", `Dana${people}`]);
  assert.match(lead.createdAt, /Z$/);
  // What a person maps in the editor is there when the Zap runs.
  const [listed] = await ask(operation.performList, zap());
  assert.deepEqual(listed, lead);
  assert.deepEqual(Object.keys(lead).sort(), Object.keys(operation.sample).sort());
  for (const part of ["estimate", "inspection", "answers", "source", "consent", "earlierLead"])
    assert.deepEqual(Object.keys(lead[part]).sort(), Object.keys(operation.sample[part]).sort(), part);

  const changed = { ...arrived, body: arrived.body.replace(home, "1 Other Street") };
  assert.notEqual(changed.body, arrived.body);
  await fails(ask(operation.perform, zap({ subscribeData, ...passedOn(changed) })), /not from your Shingle server/);
  await fails(ask(operation.perform, zap({ subscribeData, rawRequest: {}, cleanedRequest: arrived.event })), /not from your Shingle server/);

  // A test from the portal starts no Zap.
  await shingle.api("POST", `/api/v1/webhooks/${subscribeData.id}/test`);
  const ping = await receiver.next(({ event }) => event.type === "ping");
  assert.deepEqual(await ask(operation.perform, zap({ subscribeData, ...passedOn(ping) })), []);

  await ask(operation.performUnsubscribe, zap({ subscribeData }));
  assert.deepEqual(await hooks(), []);
  await ask(operation.performUnsubscribe, zap({ subscribeData }));
});

test("Zaps of visits start once for each request and each booking, whatever else changes", async (t) => {
  const { app, ask } = zapier;
  const receiver = await webhookReceiver();
  t.after(receiver.stop);
  const { operation } = app.triggers.visit_requested;
  const zap = (more) => bundle({}, { targetUrl: receiver.url, ...more });
  const subscribeData = await ask(operation.performSubscribe, zap());
  const booked = () => ask(app.triggers.visit_booked.operation.perform, bundle());
  const before = await booked();
  const lead = await someone();
  await askForVisit(shingle, widget, lead);
  // The time tells a request from a later change.
  await new Promise((later) => setTimeout(later, 150));
  await shingle.api("PATCH", `/api/v1/leads/${lead.id}`, { status: "contacted" });
  await confirm(lead.id);
  const starts = [];
  const changes = [
    ({ inspection }) => !inspection,
    ({ inspection, status }) => inspection?.state === "asked" && status === "new",
    ({ inspection, status }) => inspection?.state === "asked" && status === "contacted",
    ({ inspection }) => inspection?.state === "confirmed",
  ];
  for (const fits of changes) {
    const arrived = await receiver.next(({ event: { data } }) => data.id === lead.id && fits(data));
    starts.push((await ask(operation.perform, zap({ subscribeData, ...passedOn(arrived) }))).length);
  }
  assert.deepEqual(starts, [0, 1, 0, 0], "created, asked, contacted, confirmed");
  const [one, ...others] = (await booked()).slice(0, 1 + before.length);
  assert.deepEqual([one.leadId, one.inspection.state, others], [lead.id, "confirmed", before]);
  await shingle.api("PATCH", `/api/v1/leads/${lead.id}`, { status: "won" });
  assert.deepEqual((await booked()).map(({ id }) => id), [one.id, ...before.map(({ id }) => id)], "Zapier knows them by id");
  await ask(operation.performUnsubscribe, zap({ subscribeData }));
});

test("Zapier changes a lead and looks an address up; what is blank clears nothing", async () => {
  const { app, ask } = zapier;
  const { id } = await someone();
  const update = (more) => ask(app.creates.update_lead.operation.perform, bundle({ leadId: id, ...more }));
  const note = (text) => ask(app.creates.add_note.operation.perform, bundle({ leadId: id, note: text }));
  assert.equal((await update({ status: "qualified", message: "Two leaks." })).status, "qualified");
  assert.equal((await update({ status: "won", message: "" })).message, "Two leaks.");
  assert.equal((await note(" Called at noon. ")).text, "Called at noon.");
  await fails(note("x".repeat(4_001)), /has 4001 characters; there is room for 4000/);
  assert.equal((await update({ clearMessage: true })).message, null);
  await fails(update({ status: "" }), /nothing to change/);
  await fails(update({ status: "sold" }), /status/);
  await fails(update({ visit: "confirmed" }), /inspection/);
  await fails(ask(app.creates.update_lead.operation.perform, bundle({ leadId: "../webhooks", status: "won" })), /Cannot PATCH/);

  const found = await ask(app.searches.find_lead.operation.perform, bundle({ search: `dana${people}` }));
  assert.deepEqual(found.map((lead) => lead.id), [id]);
  const look = (name, inputData) => ask(app.searches[name].operation.perform, bundle(inputData));
  const [roof] = await look("estimate_roof", { address: home, installedPrice: 600, roofMaterial: "" });
  assert.ok(roof.roofArea > 1_000 && roof.installedPrice === 600);
  assert.deepEqual(Object.keys(roof).sort(), Object.keys(app.searches.estimate_roof.operation.sample).sort());
  const [property] = await look("get_property", { address: home });
  assert.deepEqual(Object.keys(property).sort(), Object.keys(app.searches.get_property.operation.sample).sort());
  assert.deepEqual(await look("estimate_roof", { address: "1 Nowhere Lane, Harrow Falls, ME 04995" }), [], "a home that is not known");
});

// n8n

test("n8n's own linters accept the package", async () => {
  await runIn(n8n.folder, "eslint/bin/eslint.js", ".", "--max-warnings", "0");
});

test("a workflow has one webhook while it is active, whatever an earlier one has left", async () => {
  const url = "http://127.0.0.1:8080/webhook/of-a-test";
  const node = n8n.trigger({ shingle, url, parameters: { events: ["leadCreated"], options: {} } });
  await shingle.api("POST", "/api/v1/webhooks", { name: "left", url, events: ["lead.created"] });
  assert.equal(await node.checkExists(), false);
  await node.create();
  const [hook, ...others] = await hooks();
  assert.deepEqual([others, hook.name, hook.events], [[], "n8n: A workflow", ["lead.created"]]);
  assert.equal(await node.checkExists(), true);
  await shingle.api("PATCH", `/api/v1/webhooks/${hook.id}`, { active: false });
  assert.equal(await node.checkExists(), false, "one that the server has switched off is made again");
  await node.create();
  assert.equal((await hooks()).length, 1);
  const other = n8n.trigger({ shingle, url, parameters: { events: ["visitBooked"], options: { widgets: widget.referenceId } }, kept: node.kept });
  assert.equal(await other.checkExists(), false, "other events are asked for");
  await other.create();
  const [now] = await hooks();
  assert.deepEqual([now.events, now.widgets], [["lead.created", "lead.updated"], [widget.referenceId]]);
  assert.equal(await other.delete(), true);
  assert.deepEqual(await hooks(), []);
  assert.equal(await other.delete(), true, "one that is gone");
  // The key was revoked meanwhile: n8n has to be able to switch the workflow off.
  const late = n8n.trigger({ shingle: { ...shingle, url: shingle.url, key: "wrong" }, url, parameters: { events: ["leadCreated"], options: {} } });
  assert.equal(await late.delete(), false);
  assert.match(late.log.join(), /Delete it in the portal under Connections/);
});

test("a workflow starts with signed events alone, each once, and knows what is new of a visit", async (t) => {
  const receiver = await webhookReceiver();
  t.after(receiver.stop);
  const lead = await someone();
  await askForVisit(shingle, widget, lead);
  await confirm(lead.id);
  const events = ["leadCreated", "visitBooked", "visitRequested"];
  const node = n8n.trigger({ shingle, url: receiver.url, parameters: { events, options: {} } });
  await node.create();
  t.after(() => node.delete());
  const started = async (arrived, now) => (await node.webhook(arrived, now)).map(({ event, lead: { id } }) => [event, id]);
  const arrival = (id, fits) => receiver.next(({ event: { data } }) => data.id === id && fits(data));
  const next = async (id, fits) => started(await arrival(id, fits));

  await shingle.api("PATCH", `/api/v1/leads/${lead.id}`, { status: "won" });
  assert.deepEqual(await next(lead.id, ({ status }) => status === "won"), [], "booked before the workflow was active");
  const other = await someone();
  const first = await arrival(other.id, ({ inspection }) => !inspection);
  assert.deepEqual(await started(first), [["leadCreated", other.id]]);
  assert.deepEqual(await started(first), [], "an event that arrives twice");
  await askForVisit(shingle, widget, other);
  assert.deepEqual(await next(other.id, ({ inspection, status }) => inspection && status === "new"), [["visitRequested", other.id]]);
  await shingle.api("PATCH", `/api/v1/leads/${other.id}`, { status: "contacted" });
  assert.deepEqual(await next(other.id, ({ status }) => status === "contacted"), []);
  await confirm(other.id);
  const booking = await arrival(other.id, ({ inspection }) => inspection?.state === "confirmed");
  for (const [what, wrong] of [
    ["another body", { ...booking, body: booking.body.replace("confirmed", "declined ") }],
    ["no signature", { ...booking, headers: {} }],
    ["another id", { ...booking, headers: { ...booking.headers, "webhook-id": "evt_other" } }],
  ]) {
    assert.deepEqual(await started(wrong), [], what);
    assert.equal(node.answered, 401, what);
  }
  assert.deepEqual(await started(booking, Date.now() + 301_000), [], "an old one");
  // In a test of the editor n8n has kept no secret: the key that the server publishes does.
  const forgetful = n8n.trigger({ shingle, url: receiver.url, parameters: { events, options: {} } });
  const wrong = { ...booking, body: booking.body.replace("confirmed", "declined ") };
  assert.deepEqual(await forgetful.webhook(wrong), []);
  assert.deepEqual((await forgetful.webhook(booking)).map(({ event }) => event), ["visitBooked"]);
  assert.deepEqual(await started(booking), [["visitBooked", other.id]]);
  await shingle.api("POST", `/api/v1/webhooks/${(await hooks())[0].id}/test`);
  assert.deepEqual(await started(await receiver.next(({ event }) => event.type === "ping")), []);
  assert.equal(node.answered, 200);
});

test("n8n changes leads, reads all pages and looks an address up; what is blank clears nothing", async () => {
  const { id } = await someone();
  const run = (parameters, more) => n8n.action({ shingle, items: [parameters], ...more });
  const update = (updateFields, more) => run({ resource: "lead", operation: "update", leadId: id, updateFields }, more);
  const [{ json }] = await update({ status: "qualified", message: "Two leaks." });
  assert.deepEqual([json.status, json.message], ["qualified", "Two leaks."]);
  assert.equal((await update({ status: "won", message: "" }))[0].json.message, "Two leaks.");
  const [noted] = await run({ resource: "lead", operation: "addNote", leadId: id, note: "Called." });
  assert.equal(noted.json.text, "Called.");
  assert.equal((await update({ clearMessage: true }))[0].json.message, null);
  await fails(update({ status: "" }), /nothing to change/);
  await fails(update({ visit: "confirmed" }), /inspection/);
  await fails(run({ resource: "lead", operation: "get", leadId: " " }), /The lead ID is empty/);
  await fails(run({ resource: "lead", operation: "get", leadId: "../webhooks" }), /Cannot GET/);
  await fails(run({ resource: "lead", operation: "get", leadId: id }, { shingle: { url: shingle.url, key: "wrong" } }), /API key is invalid\. The key may be revoked/);
  await fails(run({ resource: "lead", operation: "get", leadId: id }, { shingle: { url: "no address", key: "k" } }), /must be an address such as/);

  const wanted = (await shingle.api("GET", "/api/v1/leads?limit=100")).data.map((lead) => lead.id);
  const many = (more) => run({ resource: "lead", operation: "getMany", filters: { status: "" }, ...more }, { page: 2 });
  assert.deepEqual((await many({ returnAll: true })).map((item) => item.json.id), wanted);
  assert.deepEqual((await many({ returnAll: false, limit: 3 })).map((item) => item.json.id), wanted.slice(0, 3));

  const look = (operation, additionalFields = {}, address = home) => run({ resource: "address", operation, address, additionalFields });
  const [roof] = await look("estimateRoof", { installedPrice: 600, roofMaterial: "metal" });
  assert.deepEqual([roof.json.installedPrice, roof.json.roofMaterial], [600, "metal"]);
  for (const operation of ["getProperty", "getSolarIndex", "getUtilityBill"]) assert.ok((await look(operation))[0].json.timestamp, operation);
  const nowhere = await look("estimateRoof", {}, "1 Nowhere Lane, Harrow Falls, ME 04995");
  assert.equal(nowhere[0].json.roofArea, null);

  // One bad item of many, where the workflow goes on.
  const items = [id, "", id].map((leadId) => ({ resource: "lead", operation: "get", leadId }));
  const out = await n8n.action({ shingle, items, goesOn: true });
  assert.deepEqual(out.map(({ json, pairedItem }) => [json.id ?? json.error, pairedItem.item]), [[id, 0], ["The lead ID is empty.", 1], [id, 2]]);
});

test("n8n waits for a busy server, and keeps the key from another one", async (t) => {
  const busy = await answering(t, 429, { "retry-after": "0" }, { message: "Too many requests" });
  const item = { resource: "lead", operation: "get", leadId: "x" };
  await fails(n8n.action({ shingle: { url: busy.url, key: "k" }, items: [item] }), /Too many requests\. Try again in 0 seconds/);
  assert.equal(busy.asked.length, 4);
  const elsewhere = await answering(t, 302, { location: `${busy.url}/x` });
  await fails(n8n.action({ shingle: { url: elsewhere.url, key: "k" }, items: [item] }), /sends elsewhere, to/);
  assert.equal(busy.asked.length, 4);
});
