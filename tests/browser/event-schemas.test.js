// The published schemas against real events of every kind: each validates, and none with a field less or more.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { consentText, Shingle } from "./harness/shingle.js";

let shingle;
before(async () => {
  shingle = await Shingle.start({ env: { SHINGLE_EGRESS_ALLOW: "127.0.0.0/8", SHINGLE_EGRESS_HTTP: "true" } });
});
after(() => shingle?.stop());

async function send(method, where, body, headers = { token: shingle.key }) {
  const answer = await fetch(shingle.url + where, { method, headers, body: body && JSON.stringify(body) });
  const record = await answer.json();
  assert.ok(answer.ok, `${method} ${where}: ${JSON.stringify(record)}`);
  return record;
}

/** Every event that a full and a thin webhook get while a contractor and two homeowners are at work. */
async function events(t) {
  const received = [];
  let wake = () => {};
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end();
    received.push(JSON.parse(Buffer.concat(chunks)));
    wake();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.closeAllConnections() ?? server.close());
  const url = `http://127.0.0.1:${server.address().port}/`;
  const kinds = ["lead.created", "lead.updated", "widget.created", "widget.updated"];
  for (const payload of ["full", "thin"]) {
    const { id } = await send("POST", "/api/v1/webhooks", { name: payload, url, events: kinds, payload });
    await send("POST", `/api/v1/webhooks/${id}/test`);
  }
  const widget = await shingle.widget({ bannerText: undefined });
  await shingle.change(widget, { buttonText: "Price my roof" });
  const page = { origin: "http://127.0.0.1" };
  for (const [line, more] of [
    ["14 Alder Court", { phone: "(207) 555-0143", roofMaterial: "metal", message: "Two leaks." }],
    ["1 Nowhere Road, Portland, ME 04101", { email: "bo@example.com" }],
  ]) {
    const { token } = await send("POST", `/w/${widget.referenceId}/session`, undefined, page);
    const { id } = await send("POST", `/w/${widget.referenceId}/leads`, {
      token, address: { line }, firstName: "Ann", lastName: "Sample", email: "ann@example.com", elapsedMs: 20_000,
      consent: { given: true, text: consentText }, ...more,
    }, page);
    await send("PATCH", `/api/v1/leads/${id}`, { status: "contacted" });
  }
  // Two pings, two events of widgets and four of leads, each full and thin.
  while (received.length < 14) await new Promise((resolve) => (wake = resolve));
  return received;
}

/** The same with something changed in it. */
function changed(event, change) {
  const copy = structuredClone(event);
  change(copy);
  return copy;
}

/** Every object in it, with the way there. */
function* objects(value, way = []) {
  if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* objects(item, [...way, at]);
  else if (value && typeof value === "object") {
    yield way;
    for (const [name, field] of Object.entries(value)) yield* objects(field, [...way, name]);
  }
}
const follow = (value, way) => way.reduce((at, name) => at[name], value);

test("events of every kind are as their schemas say, and not with a field missing or added", async (t) => {
  const ajv = new Ajv2020({ allErrors: true });
  const validators = {};
  const all = await events(t);
  assert.equal(new Set(all.map(({ type }) => type)).size, 5);
  assert.ok(all.some(({ data }) => data.estimate) && all.some(({ data }) => data.estimate === null), "measured and not");
  let refused = 0;
  for (const event of all) {
    validators[event.type] ??= ajv.compile(await send("GET", `/schemas/${event.type}.json`));
    const valid = validators[event.type];
    assert.ok(valid(event), `${event.type}: ${JSON.stringify(valid.errors)} ${JSON.stringify(event)}`);
    for (const way of objects(event)) {
      assert.ok(!valid(changed(event, (copy) => (follow(copy, way).surprise = 1))), `more in ${way.join(".")}`);
      for (const name of Object.keys(follow(event, way))) {
        // What is left of a ping is its thin form.
        if (event.type === "ping" && name === "name") continue;
        assert.ok(!valid(changed(event, (copy) => delete follow(copy, way)[name])), `${event.type} without ${[...way, name].join(".")}`);
        refused += 1;
      }
    }
  }
  assert.ok(refused > 200, `${refused}`);
});

test("every field has a meaning, and what is no event has no schema", async () => {
  const described = (schema, way) => {
    if (!schema || typeof schema !== "object") return;
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      assert.ok(field.description, `${way}.${name}`);
      described(field, `${way}.${name}`);
    }
    for (const part of [schema.items, ...(schema.oneOf ?? [])]) described(part, way);
  };
  for (const kind of ["lead.created", "lead.updated", "widget.created", "widget.updated", "ping"]) {
    described(await send("GET", `/schemas/${kind}.json`), kind);
  }
  for (const name of ["digest.json", "lead.created", "lead.created.json.json", "..%2Flead.created.json"]) {
    assert.equal((await fetch(`${shingle.url}/schemas/${name}`)).status, 404, name);
  }
});
