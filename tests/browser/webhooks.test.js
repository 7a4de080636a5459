// Webhooks as their receivers get them: signatures checked by the official libraries for JavaScript and Python, and by
// Node.js with the published key; and the receiver that the command line brings.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { spawnMortal } from "./harness/mortal.js";
import { Shingle, binary, root } from "./harness/shingle.js";

const toThisMachine = { SHINGLE_EGRESS_ALLOW: "127.0.0.0/8", SHINGLE_EGRESS_HTTP: "true" };
let shingle;
before(async () => (shingle = await Shingle.start({ env: toThisMachine })));
after(() => shingle?.stop());

/** A server that keeps what it is sent. */
async function receiver(t) {
  const waiting = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      response.end();
      waiting.shift()?.({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.closeAllConnections() ?? server.close());
  return {
    url: `http://127.0.0.1:${server.address().port}/hook`,
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
}

async function api(method, where, body) {
  const headers = { token: shingle.key, "content-type": "application/json" };
  const answer = await fetch(`${shingle.url}/api/v1/${where}`, { method, headers, body: body && JSON.stringify(body) });
  const record = await answer.json();
  assert.ok(answer.ok, JSON.stringify(record));
  return record;
}

/** A webhook and the first event that it gets. */
async function delivery(t) {
  const { url, next } = await receiver(t);
  const webhook = await api("POST", "webhooks", { name: "crm", url, events: ["widget.created"] });
  const arrives = next();
  const widget = await shingle.widget();
  return { webhook, widget, ...(await arrives) };
}

/** The same body with one letter changed. */
const tampered = (body) => body.replace("Quillback", "Quillbeck");

test("the official library for JavaScript accepts an event and refuses one that was changed", async (t) => {
  const { webhook, widget, headers, body } = await delivery(t);
  const library = new Webhook(webhook.secret);
  const event = library.verify(body, headers);
  assert.equal(event.type, "widget.created");
  assert.deepEqual(event.data, widget);
  assert.notEqual(tampered(body), body);
  assert.throws(() => library.verify(tampered(body), headers), WebhookVerificationError);
  assert.throws(() => library.verify(body, { ...headers, "webhook-id": "evt_other" }), WebhookVerificationError);
  const { secret } = await api("POST", `webhooks/${webhook.id}/rotate-secret`);
  assert.throws(() => new Webhook(secret).verify(body, headers), WebhookVerificationError, "signed before");
});

/** The library in the target folder, or why it cannot be there. */
function python() {
  const folder = path.join(root, "target/python");
  const run = (...words) => spawnSync("python3", words, { encoding: "utf8" });
  if (run("-m", "pip", "--version").status !== 0) return { missing: "python3 with pip is not installed" };
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder, "--upgrade"];
  const present = run("-c", `import sys; sys.path.insert(0, ${JSON.stringify(folder)}); import standardwebhooks`);
  if (present.status !== 0 && run(...install, "standardwebhooks==1.1.0").status !== 0) {
    return { missing: "the Python library cannot be fetched" };
  }
  return { folder };
}

const check = `
import json, sys
given = json.load(sys.stdin)
sys.path.insert(0, given["folder"])
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
said = []
for body in given["bodies"]:
    try:
        Webhook(given["secret"]).verify(body, given["headers"])
        said.append("accepted")
    except WebhookVerificationError:
        said.append("refused")
print(json.dumps(said))
`;

test("the official library for Python accepts an event and refuses one that was changed", async (t) => {
  const { folder, missing } = python();
  if (missing) return t.skip(`skipped: ${missing}`);
  const { webhook, headers, body } = await delivery(t);
  const input = JSON.stringify({ folder, secret: webhook.secret, headers, bodies: [body, tampered(body)] });
  const { stdout, stderr } = spawnSync("python3", ["-c", check], { input, encoding: "utf8" });
  assert.equal(stdout.trim(), '["accepted", "refused"]', stderr);
});

test("a receiver without the secret checks the second signature with the published key", async (t) => {
  const { webhook, headers, body } = await delivery(t);
  const { keys } = await (await fetch(`${shingle.url}/webhook-keys/${webhook.id}`)).json();
  const signature = headers["webhook-signature"].split(" ").find((part) => part.startsWith("v1a,")).slice(4);
  const raw = Buffer.from(keys[0].replace("whpk_", ""), "base64");
  const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") } });
  const signed = (text) => Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`);
  assert.ok(verify(null, signed(body), key, Buffer.from(signature, "base64")));
  assert.ok(!verify(null, signed(tampered(body)), key, Buffer.from(signature, "base64")));
});

/** `shingle webhook listen` and what it prints, line by line. */
async function listen(t, ...words) {
  const child = spawnMortal(binary, ["webhook", "listen", "--port", "0", "--json", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  return { child, next, ready: await next() };
}

test("the receiver of the command line shows each event and whether its signature is right, until it is interrupted", async (t) => {
  const unsure = await listen(t);
  const failing = await listen(t, "--status", "503", "--secret", `whsec_${Buffer.alloc(32).toString("base64")}`);
  assert.deepEqual([unsure.ready.checksSignatures, failing.ready.checksSignatures], [false, true]);
  const webhook = await api("POST", "webhooks", { name: "mine", url: `${unsure.ready.url}any/path`, events: ["lead.created"] });
  await api("POST", "webhooks", { name: "theirs", url: failing.ready.url, events: ["lead.created"] })
    .then(({ id }) => api("POST", `webhooks/${id}/test`));
  await api("POST", `webhooks/${webhook.id}/test`);
  const [shown, wrong] = await Promise.all([unsure.next(), failing.next()]);
  assert.deepEqual([shown.path, shown.type, shown.signature, shown.answered], ["/any/path", "ping", "unchecked", 200]);
  assert.equal(shown.body.data.id, webhook.id);
  assert.equal(shown.tooOld, false);
  assert.deepEqual([wrong.signature, wrong.answered], ["wrong", 503]);
  failing.child.kill("SIGINT");
  assert.deepEqual(await once(failing.child, "exit"), [0, null]);

  const sure = await listen(t, "--secret", webhook.secret);
  await api("PATCH", `webhooks/${webhook.id}`, { url: sure.ready.url });
  await api("POST", `webhooks/${webhook.id}/test`);
  assert.equal((await sure.next()).signature, "valid");

  const listed = await shingle.command("webhook", "list", "--account", shingle.account);
  const names = listed.map(({ environment, name, active }) => [environment, name, active]);
  assert.ok(names.some(([environment, name, active]) => environment === "sandbox" && name === "mine" && active));
  assert.ok(!JSON.stringify(listed).includes("whsec_"), "secrets are shown once");
  assert.deepEqual(await shingle.command("webhook", "list", "--account", shingle.account, "--env", "production"), []);
});
