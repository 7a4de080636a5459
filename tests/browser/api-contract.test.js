// The description of the API against the live server, by Schemathesis, which makes requests of it: right ones and wrong
// ones, alone and in chains along its links.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { python, pythonPackage } from "./harness/python.js";
import { consentText, root, Shingle } from "./harness/shingle.js";

const seed = "20261122";
const logo = await readFile(path.join(root, "www/demo/logo.png"));

/** The server with a widget and a lead that has a photograph, and the operations that it describes. */
async function start(t) {
  const shingle = await Shingle.start({ limits: { requests_per_key: 1_000_000 } });
  t.after(() => shingle.stop());
  const widget = await shingle.widget();
  const page = async (where, body) => {
    const headers = { origin: "http://127.0.0.1" };
    const answer = await fetch(`${shingle.url}/w/${widget.referenceId}${where}`, { method: "POST", headers, body });
    const record = await answer.json();
    assert.ok(answer.ok, JSON.stringify(record));
    return record;
  };
  const { token } = await page("/session");
  const lead = await page("/leads", JSON.stringify({
    token, address: { line: "14 Alder Court" }, firstName: "Ann", lastName: "Sample", email: "ann@example.com", elapsedMs: 20_000,
    consent: { given: true, text: consentText },
  }));
  const form = new FormData();
  form.append("leadToken", lead.leadToken);
  form.append("photo", new File([logo], "roof.png", { type: "image/png" }));
  await page(`/leads/${lead.id}/photos`, form);
  const description = await (await fetch(`${shingle.url}/openapi.json`)).json();
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  return { shingle, operations };
}

test("Schemathesis finds nothing between the description and the server", async (t) => {
  const { folder, missing } = pythonPackage("schemathesis", "4.32.5");
  if (missing) return t.skip(`skipped: ${missing}`);
  const { shingle, operations } = await start(t);
  const words = [
    "-c", "from schemathesis.cli import schemathesis; schemathesis()",
    "--config-file", path.join(root, "tests/browser/schemathesis.toml"),
    "run", `${shingle.url}/openapi.json`, "--header", `token: ${shingle.key}`, "--seed", seed, "--continue-on-failure",
    "--max-examples", process.env.SHINGLE_SCHEMATHESIS_EXAMPLES ?? "12",
  ];
  const { status, stdout, stderr } = await python(words, { folder, cwd: shingle.data });
  assert.equal(status, 0, stdout + stderr);
  t.diagnostic(stdout.slice(stdout.lastIndexOf("SUMMARY")));
  const [, selected, all] = stdout.match(/Operations:\s*(\d+) selected \/ (\d+) total/) ?? [];
  assert.deepEqual([Number(selected), Number(all)], [operations.length, operations.length]);
});
