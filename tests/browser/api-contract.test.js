// The description of the API against the live server, by Schemathesis, which makes requests of it: right ones and wrong
// ones, alone and in chains along its links. `SHINGLE_SCHEMATHESIS_EXAMPLES` makes more of them, as the nightly run does.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { python, pythonPackage } from "./harness/python.js";
import { startDescribed } from "./harness/described.js";
import { root } from "./harness/shingle.js";

const seed = "20261122";

test("Schemathesis finds nothing between the description and the server", async (t) => {
  const { folder, missing } = pythonPackage("schemathesis", "4.32.5");
  if (missing) return t.skip(`skipped: ${missing}`);
  const { shingle, operations } = await startDescribed(t);
  const words = [
    "-c", "from schemathesis.cli import schemathesis; schemathesis()",
    "--config-file", path.join(root, "tests/browser/schemathesis.toml"),
    "run", `${shingle.url}/openapi.json`, "--header", `token: ${shingle.key}`, "--seed", seed, "--continue-on-failure",
    "--max-examples", process.env.SHINGLE_SCHEMATHESIS_EXAMPLES ?? "6",
  ];
  const { status, stdout, stderr } = await python(words, { folder, cwd: shingle.data });
  assert.equal(status, 0, stdout + stderr);
  t.diagnostic(stdout.slice(stdout.lastIndexOf("SUMMARY")));
  const [, selected, all] = stdout.match(/Operations:\s*(\d+) selected \/ (\d+) total/) ?? [];
  assert.deepEqual([Number(selected), Number(all)], [operations.length, operations.length]);
});
