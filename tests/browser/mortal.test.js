// A file of tests that is killed leaves nothing behind.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const script = `
  import { spawnMortal } from ${JSON.stringify(new URL("harness/mortal.js", import.meta.url).href)};
  const child = spawnMortal("sleep", ["1000"], { stdio: "ignore" });
  console.log(child.pid);
  setInterval(() => {}, 1000);
`;

/** Not a corpse that nobody has buried either. */
const lives = async (pid) => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) [ZX] /.test(stat);
};

test("what a killed file of tests had started ends too", { skip: process.platform !== "linux" }, async () => {
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = await once(parent.stdout, "data");
  const pid = Number(String(said));
  assert.ok(await lives(pid));
  parent.kill("SIGKILL");
  await once(parent, "exit");
  // The system sends its signal before it reports the end; when the other acts on it is its own affair.
  while (await lives(pid)) await new Promise((later) => setTimeout(later, 10));
});
