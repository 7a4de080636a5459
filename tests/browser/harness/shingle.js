// The real binary on a data folder of its own, and what a contractor does with it.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { personalKinds } from "./log-check.js";
import { spawnMortal } from "./mortal.js";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
export const binary = process.env.SHINGLE_BINARY ?? path.join(root, "target/debug/shingle");
const run = promisify(execFile);

/** Everything of ours is logged: more than an operator has, so that more can be looked for in it. */
const TALKATIVE = "info,shingle=trace,shingle_app=trace,shingle_web=trace,shingle_store=trace,shingle_deliver=trace";

/** What journeys' widgets have in common. */
const company = {
  elementType: "button",
  elementSize: "medium",
  elementLocation: "bottom_right",
  buttonText: "Get my roof estimate",
  primaryColor: "#8c3b24",
  secondaryColor: "#2f4858",
  backgroundColor: "#f6f1e9",
  cardBackgroundColor: "#ffffff",
  textColor: "#22262a",
  linkColor: "#8c3b24",
  footerCompanyName: "Quillback Roofing",
  footerPirvacyPolicyLink: "https://quillback.example/privacy",
  status: "active",
  companyName: "Quillback Roofing",
  companyPhone: "(207) 555-0143",
  companyEmail: "hello@quillback.example",
  companyAddress: "6 Ropewalk Lane, Portland, ME 04101",
  companyUrl: "https://quillback.example",
  domains: "127.0.0.1",
  firstPageTitle: "See what a new roof would cost",
};

/** The sentences of a language. */
export const wordsOf = (lang) => JSON.parse(readFileSync(path.join(root, `www/words/${lang}.json`), "utf8"));
/** What a homeowner agrees to at a journey's widget. */
export const consentIn = (lang) => wordsOf(lang).consent.replace("{company}", company.companyName);
export const consentText = consentIn("en");

const exists = (file) => stat(file).then(() => true, () => false);

/** Removes the templates of earlier builds. One that is young may be in use. */
async function forgetTemplates(folder) {
  for (const name of await readdir(folder)) {
    const template = path.join(folder, name);
    const { mtimeMs } = await stat(template).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 3_600_000) await rm(template, { recursive: true, force: true });
  }
}

/**
 * A data folder with an account, its keys and the sample town, made once for each build of the binary. All folders of
 * the journeys are copies of it.
 */
async function template() {
  const { mtimeMs, size } = await stat(binary);
  const folder = path.join(root, "target/browser-data", `${Math.round(mtimeMs)}-${size}`);
  if (!(await exists(folder))) {
    await mkdir(path.dirname(folder), { recursive: true });
    await forgetTemplates(path.dirname(folder));
    const made = new Shingle(await mkdtemp(`${folder}-`));
    const { id: account } = await made.command("account", "create", "--name", company.companyName);
    const keys = {};
    for (const environment of ["sandbox", "production"]) {
      keys[environment] = (await made.command("key", "issue", "--account", account, "--env", environment)).key;
    }
    // The server makes what else there has to be.
    await made.serve();
    await made.end("SIGTERM");
    await writeFile(path.join(made.data, "template.json"), JSON.stringify({ account, keys }));
    // Another file's journeys may have been faster.
    await rename(made.data, folder).catch(() => rm(made.data, { recursive: true }));
  }
  return folder;
}

/** One that nobody listens on now. */
function freePort() {
  return new Promise((found, failed) => {
    const server = createServer().on("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

export class Shingle {
  constructor(data) {
    this.data = data;
  }

  /** A data folder of its own with an account and a key, and the server on it. `limits`, `env` and `flags` are set as an operator sets them. */
  static async start({ environment = "sandbox", limits, publicUrl, env, flags = [], before } = {}) {
    const shingle = new Shingle(await mkdtemp(path.join(tmpdir(), "shingle-journey-")));
    await cp(await template(), shingle.data, { recursive: true });
    const { account, keys } = JSON.parse(await readFile(path.join(shingle.data, "template.json"), "utf8"));
    Object.assign(shingle, { account, keys, key: keys[environment], publicUrl, env, flags });
    if (limits) {
      shingle.settings = path.join(shingle.data, "journey.toml");
      const lines = Object.entries(limits).map(([name, value]) => `${name} = ${value}`);
      await writeFile(shingle.settings, ["[limits]", ...lines, ""].join("\n"));
    }
    await before?.(shingle);
    await shingle.serve();
    return shingle;
  }

  /** One command line, answered in JSON. */
  async command(...words) {
    const { stdout } = await run(binary, [...words, "--json", "--data", this.data], { maxBuffer: 64 << 20 });
    return JSON.parse(stdout);
  }

  /** Starts the server on this folder; after `kill` on the port that it had. */
  async serve() {
    // The tests open pages by the number, which this machine has without a name service.
    this.port ??= await freePort();
    const words = ["serve", "--json", "--listen", `127.0.0.1:${this.port}`, "--data", this.data];
    words.push("--base-url", this.publicUrl ?? `http://127.0.0.1:${this.port}`);
    if (this.settings) words.push("--config", this.settings);
    words.push(...(this.flags ?? []));
    // A port that it had before may meanwhile be the other end of somebody's connection.
    for (let left = 50; !(await this.listen(words)); left--) {
      if (!left) throw new Error(`the server did not start:\n${this.log}`);
      await new Promise((later) => setTimeout(later, 100));
    }
    this.url = `http://127.0.0.1:${this.port}`;
  }

  /** Whether the server came to listen; it says where. */
  async listen(words) {
    this.earlierLog = (this.earlierLog ?? "") + (this.log ?? "");
    this.log = "";
    let said = "";
    this.child = spawnMortal(binary, words, { stdio: ["ignore", "pipe", "pipe"], env: { SHINGLE_LOG: TALKATIVE, ...process.env, ...this.env } });
    const { child } = this;
    // Where the system does not do it.
    const orphaned = () => child.kill("SIGKILL");
    process.once("exit", orphaned);
    this.ended = new Promise((resolve) => child.once("exit", resolve));
    this.ended.then(() => process.off("exit", orphaned));
    child.stderr.on("data", (chunk) => (this.log += chunk));
    const ready = new Promise((resolve) =>
      child.stdout.on("data", (chunk) => {
        this.log += chunk;
        said += chunk;
        const line = said.match(/"listening":\s*"127\.0\.0\.1:(\d+)"/);
        if (line) resolve((this.port = Number(line[1])));
      }));
    return Promise.race([ready, this.ended.then(() => null)]);
  }

  /** Ends the server as a power cut does. */
  kill() {
    return this.end("SIGKILL");
  }

  async end(signal) {
    this.child.kill(signal);
    await this.ended;
  }

  async stop() {
    if (this.child && this.child.exitCode === null && this.child.signalCode === null) await this.kill();
    try {
      await this.checkLog();
    } finally {
      await rm(this.data, { recursive: true, force: true });
    }
  }

  /** Whatever the journeys of a file did, nothing of a homeowner and no token is in the log. */
  async checkLog() {
    const kinds = personalKinds((this.earlierLog ?? "") + this.log, await this.leads(), Object.values(this.keys));
    if (kinds.length) throw new Error(`the log of the server of ${path.basename(process.argv[1])} has a homeowner's ${kinds}`);
  }

  /** Creates a widget; the record of the contract. What is `undefined` in `changes` is left out. */
  async widget(changes = {}) {
    const logo = await readFile(path.join(root, "www/demo/logo.png"));
    const headerLogo = new File([logo], "logo.png", { type: "image/png" });
    // A widget made with a sandbox key works on this machine whatever its domains.
    const key = changes.domains ? this.keys.production : this.key;
    return this.configure("POST", "", { referenceId: randomUUID(), ...company, headerLogo, ...changes }, key);
  }

  /** Changes a widget; its record. */
  change({ referenceId }, changes) {
    return this.configure("PUT", `/${referenceId}`, changes);
  }

  async configure(method, which, fields, key = this.key) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.append(name, value);
    const headers = { token: key };
    const answer = await fetch(`${this.url}/api/v1/roof-estimate-widget${which}`, { method, headers, body });
    const record = await answer.json();
    if (!answer.ok) throw new Error(`the widget was refused: ${JSON.stringify(record)}`);
    return record;
  }

  /** A request with the account's key; the answer. */
  async api(method, path, sent) {
    const headers = { token: this.key };
    const answer = await fetch(this.url + path, { method, headers, body: sent && JSON.stringify(sent) });
    const record = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path} was refused: ${JSON.stringify(record)}`);
    return record;
  }

  /** All leads, as the contractor lists them. */
  async leads() {
    const answer = await this.command("lead", "list", "--account", this.account);
    return Array.isArray(answer) ? answer : answer.leads;
  }
}
