// The real binary on a data folder of its own, and what a contractor does with it.

import { spawn, execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
const binary = process.env.SHINGLE_BINARY ?? path.join(root, "target/debug/shingle");
const run = promisify(execFile);

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

/** A port that is free now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export class Shingle {
  /** A new data folder with an account and a key, and the server on it. `limits` are set as an operator sets them. */
  static async start({ environment = "sandbox", limits, before } = {}) {
    const shingle = new Shingle();
    shingle.data = await mkdtemp(path.join(tmpdir(), "shingle-journey-"));
    if (limits) {
      shingle.settings = path.join(shingle.data, "journey.toml");
      const lines = Object.entries(limits).map(([name, value]) => `${name} = ${value}`);
      await writeFile(shingle.settings, ["[limits]", ...lines, ""].join("\n"));
    }
    shingle.port = await freePort();
    shingle.url = `http://127.0.0.1:${shingle.port}`;
    shingle.account = (await shingle.command("account", "create", "--name", "Quillback Roofing")).id;
    const issued = await shingle.command("key", "issue", "--account", shingle.account, "--env", environment);
    shingle.key = issued.key;
    await before?.(shingle);
    await shingle.serve();
    return shingle;
  }

  /** One command line, answered in JSON. */
  async command(...words) {
    const { stdout } = await run(binary, [...words, "--json", "--data", this.data], { maxBuffer: 64 << 20 });
    return JSON.parse(stdout);
  }

  /** Starts the server on this folder and port; again after `kill`. */
  async serve() {
    const words = ["serve", "--listen", `127.0.0.1:${this.port}`, "--base-url", this.publicUrl ?? this.url, "--data", this.data];
    if (this.settings) words.push("--config", this.settings);
    this.log = "";
    this.child = spawn(binary, words, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.on("data", (chunk) => (this.log += chunk));
    }
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
    let over = false;
    this.ended.then(() => (over = true));
    for (let left = 300; ; left--) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null);
      if (answer?.ok) return;
      if (over || left === 0) throw new Error(`the server did not get ready:\n${this.log}`);
      await Promise.race([this.ended, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
  }

  /** Ends the server as a power cut does. */
  async kill() {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  async stop() {
    if (this.child && this.child.exitCode === null && this.child.signalCode === null) await this.kill();
    await rm(this.data, { recursive: true, force: true });
  }

  /** Creates a widget; the record of the contract. What is `undefined` in `changes` is left out. */
  async widget(changes = {}) {
    const logo = await readFile(path.join(root, "www/demo/logo.png"));
    const headerLogo = new File([logo], "logo.png", { type: "image/png" });
    return this.configure("POST", "", { referenceId: randomUUID(), ...company, headerLogo, ...changes });
  }

  /** Changes a widget; its record. */
  change({ referenceId }, changes) {
    return this.configure("PUT", `/${referenceId}`, changes);
  }

  async configure(method, which, fields) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.append(name, value);
    const headers = { token: this.key };
    const answer = await fetch(`${this.url}/api/v1/roof-estimate-widget${which}`, { method, headers, body });
    const record = await answer.json();
    if (!answer.ok) throw new Error(`the widget was refused: ${JSON.stringify(record)}`);
    return record;
  }

  /** All leads, as the contractor lists them. */
  async leads() {
    const answer = await this.command("lead", "list", "--account", this.account);
    return Array.isArray(answer) ? answer : answer.leads;
  }
}
