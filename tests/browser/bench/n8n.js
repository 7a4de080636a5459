// The nodes of www/n8n in a real n8n against a real server: credentials are tried, a workflow is imported, made active, started by a
// lead, and made inactive again; the editor shows its nodes. Installs n8n from the package registry, which takes minutes and
// 1.4 GB, so it is not part of a test run.
// `node tests/browser/bench/n8n.js [FOLDER OF PICTURES]`. SHINGLE_N8N names a folder for n8n; without it target/n8n. Needs a
// C++ compiler, and Node's headers in its prefix (or NODE_HEADERS), for n8n's SQLite.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { launch } from "../harness/browser.js";
import { askForVisit } from "../harness/ask-for-visit.js";
import { spawnMortal } from "../harness/mortal.js";
import { n8nNodes } from "../harness/node-package.js";
import { sendLead } from "../harness/send-lead.js";
import { Shingle, root } from "../harness/shingle.js";

const VERSION = "1.123.81";
const pictures = process.argv[2];
const home = process.env.SHINGLE_N8N ?? path.join(root, "target/n8n");
const headers = process.env.NODE_HEADERS ?? path.dirname(path.dirname(process.execPath));
const run = promisify(execFile);
const exists = (file) => stat(file).then(() => true, () => false);
const said = (what) => console.log(`${((performance.now()) / 1000).toFixed(1).padStart(6)} s  ${what}`);

async function install() {
  if (!(await exists(path.join(home, "node_modules/n8n")))) {
    await mkdir(home, { recursive: true });
    // n8n names a package outside of the registry, which nothing here needs; and npm finds a release that does not fit.
    const wanted = { private: true, dependencies: { n8n: VERSION }, overrides: { xlsx: "0.18.5", "@langchain/langgraph-checkpoint": "1.0.0" } };
    await writeFile(path.join(home, "package.json"), JSON.stringify(wanted));
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps", "--loglevel", "error"], { cwd: home, maxBuffer: 64 << 20 });
    said("n8n is installed");
  }
  const sqlite = path.join(home, "node_modules/sqlite3");
  if (!(await exists(path.join(sqlite, "build/Release/node_sqlite3.node")))) {
    const gyp = path.join(home, "node_modules/.bin/node-gyp");
    await run(gyp, ["rebuild", `--nodedir=${headers}`], { cwd: sqlite, maxBuffer: 64 << 20 });
    said("its SQLite is built");
  }
}

function freePort() {
  return new Promise((found, failed) => {
    const server = createServer().on("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

class N8n {
  static async start(data, port) {
    const n8n = Object.assign(new N8n(), { data, url: `http://127.0.0.1:${port}`, log: "" });
    n8n.env = {
      ...process.env, N8N_USER_FOLDER: data, N8N_PORT: port, N8N_LISTEN_ADDRESS: "127.0.0.1", N8N_HOST: "127.0.0.1", WEBHOOK_URL: `${n8n.url}/`,
      N8N_SECURE_COOKIE: "false", N8N_DIAGNOSTICS_ENABLED: "false", N8N_VERSION_NOTIFICATIONS_ENABLED: "false", N8N_TEMPLATES_ENABLED: "false",
      N8N_PERSONALIZATION_ENABLED: "false", N8N_RUNNERS_ENABLED: "false", N8N_HIRING_BANNER_ENABLED: "false", N8N_ENCRYPTION_KEY: "key of a test",
      EXTERNAL_FRONTEND_HOOKS_URLS: "", N8N_DIAGNOSTICS_CONFIG_FRONTEND: "", N8N_LICENSE_AUTO_RENEW_ENABLED: "false", N8N_LOG_LEVEL: "info",
      // The other engine is a native module for newer releases of Node.
      N8N_EXPRESSION_ENGINE: "legacy", N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: "true",
    };
    return n8n;
  }

  /** A command of n8n's own command line. */
  async command(...words) {
    const { stdout } = await run(path.join(home, "node_modules/.bin/n8n"), words, { env: this.env, maxBuffer: 16 << 20 });
    return stdout;
  }

  async serve() {
    this.log = "";
    this.child = spawnMortal(process.execPath, [path.join(home, "node_modules/n8n/bin/n8n"), "start"], { env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    await new Promise((ready, failed) => {
      const hear = (chunk) => {
        this.log += chunk;
        if (this.log.includes("Editor is now accessible")) ready();
      };
      this.child.stdout.on("data", hear);
      this.child.stderr.on("data", hear);
      this.child.once("exit", () => failed(new Error(`n8n did not start:\n${this.log.slice(-4000)}`)));
    });
  }

  async rest(method, where, sent) {
    const answer = await fetch(`${this.url}/rest/${where}`, {
      method,
      headers: { "content-type": "application/json", "browser-id": "test", ...(this.cookie && { cookie: this.cookie }) },
      body: sent && JSON.stringify(sent),
    });
    const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("n8n-auth="));
    if (cookie) this.cookie = cookie.split(";")[0];
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${JSON.stringify(body).slice(0, 600)}`);
    return body.data;
  }

  async executions(count, workflow) {
    for (let left = 200; left; left--) {
      const { results } = await this.rest("GET", `executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: workflow }))}&limit=50`);
      if (results.filter(({ status }) => status !== "running" && status !== "new").length >= count) return results;
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error(`there were not ${count} executions:\n${this.log.slice(-4000)}`);
  }

  async stop() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await ended;
  }
}

const credentials = { shingleApi: { id: "shingleKey0000001", name: "Shingle" } };
const node = (name, type, position, parameters, more) => ({
  id: name, name, type: `n8n-nodes-shingle.${type}`, typeVersion: 1, position, parameters, credentials, ...more,
});
const workflow = {
  id: "shingleFlow00001", name: "Roof leads", active: false, settings: { executionOrder: "v1" },
  nodes: [
    node("Shingle Trigger", "shingleTrigger", [0, 0], { events: ["leadCreated", "visitRequested", "visitBooked"], options: {} }, { webhookId: "3f0d6a1e-7c52-4a5b-9a07-1f5a60d2c001" }),
    node("Look up the roof", "shingle", [220, 0], { resource: "address", operation: "estimateRoof", address: "={{ $json.lead.address }}", additionalFields: {} }),
    node("Note it", "shingle", [440, 0], {
      resource: "lead", operation: "addNote", leadId: "={{ $('Shingle Trigger').item.json.lead.id }}",
      note: "={{ $('Shingle Trigger').item.json.event }}: {{ $json.roofArea }} square feet",
    }),
    node("Mark as contacted", "shingle", [660, 0], { resource: "lead", operation: "update", leadId: "={{ $('Shingle Trigger').item.json.lead.id }}", updateFields: { status: "contacted", message: "" } }),
  ],
  connections: {
    "Shingle Trigger": { main: [[{ node: "Look up the roof", type: "main", index: 0 }]] },
    "Look up the roof": { main: [[{ node: "Note it", type: "main", index: 0 }]] },
    "Note it": { main: [[{ node: "Mark as contacted", type: "main", index: 0 }]] },
  },
};

await install();
const nodes = await n8nNodes();
const data = await mkdtemp(path.join(tmpdir(), "shingle-n8n-"));
const shingle = await Shingle.start({ env: { SHINGLE_EGRESS_ALLOW: "127.0.0.0/8", SHINGLE_EGRESS_HTTP: "true" } });
const n8n = await N8n.start(data, await freePort());
const browser = pictures && (await launch());
try {
  // As the manual says.
  const installed = path.join(data, ".n8n/nodes");
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, "package.json"), "{}");
  const { stdout: file } = await run("npm", ["pack", "--silent", "--pack-destination", data], { cwd: nodes });
  await run("npm", ["install", "--omit=peer", path.join(data, file.trim())], { cwd: installed });
  said("the nodes are installed from their package");

  const key = { id: "shingleKey0000001", name: "Shingle", type: "shingleApi", data: { server: `${shingle.url}/portal/leads?x=1`, apiKey: ` ${shingle.key}` } };
  await writeFile(path.join(data, "key.json"), JSON.stringify([key]));
  await writeFile(path.join(data, "flow.json"), JSON.stringify([workflow]));
  await n8n.command("import:credentials", `--input=${path.join(data, "key.json")}`);
  await n8n.command("import:workflow", `--input=${path.join(data, "flow.json")}`);
  await n8n.serve();
  said(`n8n ${VERSION} has started`);
  const owner = { email: "maya@quillback.example", firstName: "Maya", lastName: "Quill", password: "Slate-and-copper-9" };
  await n8n.rest("POST", "owner/setup", owner);

  const trial = (apiKey, server = key.data.server) => n8n.rest("POST", "credentials/test", { credentials: { ...key, data: { server, apiKey } } });
  assert.equal((await trial(shingle.key)).status, "OK");
  assert.equal((await trial(shingle.key, `127.0.0.1:${shingle.port}`)).status, "Error", "https where none is spoken");
  const refused = await trial("wrong");
  assert.equal(refused.status, "Error");
  said(`credentials: OK with a key; with a wrong one: ${refused.message}`);

  const flow = `workflows/${workflow.id}`;
  const hooks = async () => (await shingle.api("GET", "/api/v1/webhooks")).filter(({ name }) => name.startsWith("n8n: "));
  const change = async (active) => {
    const { versionId } = await n8n.rest("GET", flow);
    return n8n.rest("PATCH", flow, { active, versionId });
  };
  await change(true);
  const [hook] = await hooks();
  assert.deepEqual([hook.events, hook.active, hook.ordered], [["lead.created", "lead.updated"], true, true]);
  said(`active: the server has a webhook for ${new URL(hook.url).pathname}`);

  // A test from the portal starts nothing.
  await shingle.api("POST", `/api/v1/webhooks/${hook.id}/test`);
  const widget = await shingle.widget();
  const receipt = await sendLead(shingle, widget, { firstName: "Dana", email: "dana@example.com", phone: "2075550143" });
  const [first] = await n8n.executions(1, workflow.id);
  assert.equal(first.status, "success");
  const [lead] = (await shingle.api("GET", "/api/v1/leads")).data;
  const [note] = await shingle.api("GET", `/api/v1/leads/${lead.id}/notes`);
  assert.match(note.text, /^leadCreated: \d+(\.\d+)? square feet$/);
  assert.equal(lead.status, "contacted");
  said(`a lead: ${first.status}; its note is “${note.text}”`);

  await askForVisit(shingle, widget, receipt);
  await n8n.executions(2, workflow.id);
  await shingle.api("PATCH", `/api/v1/leads/${lead.id}`, { inspection: { state: "confirmed" } });
  await n8n.executions(3, workflow.id);
  await shingle.api("PATCH", `/api/v1/leads/${lead.id}`, { status: "won" });
  await sendLead(shingle, widget, { firstName: "Eli", email: "eli@example.com", phone: "2075550144" });
  const all = await n8n.executions(4, workflow.id);
  assert.deepEqual(all.map(({ status }) => status), ["success", "success", "success", "success"]);
  const { message } = await shingle.api("GET", `/api/v1/leads/${lead.id}`);
  assert.deepEqual(message.match(/leadCreated|visitRequested|visitBooked/g), ["leadCreated", "visitRequested", "visitBooked"]);
  said("a visit: requested once and booked once, though the lead was changed seven times");

  // Anybody can post to the address.
  const forged = await fetch(hook.url, { method: "POST", headers: { "content-type": "application/json", "webhook-id": "evt_1", "webhook-timestamp": `${Math.floor(Date.now() / 1000)}`, "webhook-signature": "v1,AAAA" }, body: JSON.stringify({ id: "evt_1", type: "lead.created", data: lead }) });
  assert.equal(forged.status, 401);
  said(`a forged request: ${forged.status}`);

  // The editor's test has a webhook of its own, which is gone after one event; that of the active workflow stays.
  const full = await n8n.rest("GET", flow);
  await n8n.rest("POST", `${flow}/run`, { workflowData: full, startNodes: [], triggerToStartFrom: { name: "Shingle Trigger" } });
  const both = await hooks();
  assert.equal(both.length, 2);
  assert.ok(both.some(({ url }) => url.includes("/webhook-test/")));
  await sendLead(shingle, widget, { firstName: "Fay", email: "fay@example.com", phone: "2075550145" });
  const tested = await n8n.executions(6, workflow.id);
  assert.deepEqual(tested.slice(0, 2).map(({ mode, status }) => `${mode} ${status}`).sort(), ["manual success", "webhook success"]);
  for (let left = 100; (await hooks()).length > 1; left--) {
    assert.ok(left, "the test's webhook is gone");
    await new Promise((later) => setTimeout(later, 100));
  }
  assert.deepEqual((await hooks()).map(({ id }) => id), [hook.id]);
  said("listening in the editor: a second webhook for one event, then it is gone and the first is still there");

  if (browser) await show(browser);

  // n8n ends without a word, somebody removes the webhook, and one of another time is left with the same address.
  await n8n.stop();
  await shingle.api("DELETE", `/api/v1/webhooks/${hook.id}`);
  for (const name of ["n8n: left 1", "n8n: left 2"]) await shingle.api("POST", "/api/v1/webhooks", { name, url: hook.url, events: ["lead.created"] });
  await n8n.serve();
  await n8n.rest("POST", "login", { emailOrLdapLoginId: owner.email, password: owner.password });
  const [after, ...others] = await hooks();
  assert.deepEqual([others.length, after.url, after.id === hook.id, after.name], [0, hook.url, false, "n8n: Roof leads"]);
  const before = (await n8n.executions(0, workflow.id)).length;
  await sendLead(shingle, widget, { firstName: "Gil", email: "gil@example.com", phone: "2075550146" });
  await n8n.executions(before + 1, workflow.id);
  said("after a restart: one webhook, though two were left");

  await change(false);
  assert.deepEqual(await hooks(), []);
  said("inactive: the server has none");
  await change(true);
  assert.equal((await hooks()).length, 1);
  const { id: keyId } = (await shingle.command("key", "list", "--account", shingle.account)).find(({ environment }) => environment === "sandbox");
  await shingle.command("key", "revoke", keyId);
  await change(false);
  said("with a key that was revoked, it still becomes inactive");
} catch (error) {
  for (const { id } of await shingle.api("GET", "/api/v1/webhooks")) {
    const { data: sent } = await shingle.api("GET", `/api/v1/webhooks/${id}/deliveries`);
    for (const { id: delivery } of sent) console.error(JSON.stringify(await shingle.api("GET", `/api/v1/deliveries/${delivery}`)).slice(0, 3000));
  }
  throw error;
} finally {
  await browser?.close();
  n8n.child?.kill("SIGKILL");
  await shingle.stop();
  await rm(data, { recursive: true, force: true });
}

async function show(browser) {
  await mkdir(pictures, { recursive: true });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  // n8n ties a session to one browser.
  await context.addInitScript(() => localStorage.setItem("n8n-browserId", "test"));
  const [name, value] = n8n.cookie.split("=");
  await context.addCookies([{ name, value, url: n8n.url }]);
  const page = await context.newPage();
  const shot = (file) => page.screenshot({ path: path.join(pictures, `n8n-${file}.png`) });
  page.setDefaultTimeout(20_000);
  await page.goto(`${n8n.url}/workflow/${workflow.id}`);
  await page.getByText("Mark as contacted").first().waitFor().catch(async (error) => {
    await shot("failed");
    throw error;
  });
  await page.keyboard.press("1");
  await shot("workflow");
  await page.goto(`${n8n.url}/workflow/${workflow.id}/executions`);
  await page.getByText(/Succeeded|Success/).first().waitFor();
  await shot("executions");
  for (const [file, name, label] of [["trigger", "Shingle Trigger", "Events"], ["action", "Note it", "Lead ID"]]) {
    await page.goto(`${n8n.url}/workflow/${workflow.id}/${encodeURIComponent(name)}`);
    await page.getByText(label, { exact: true }).first().waitFor().catch(async (error) => {
      await shot("failed");
      throw error;
    });
    await shot(file);
  }
  await page.goto(`${n8n.url}/home/credentials`);
  await page.getByText("Shingle", { exact: true }).first().click();
  await page.getByText("API Key").first().waitFor();
  await shot("credentials");
  await context.close();
  said(`pictures are in ${pictures}`);
}
