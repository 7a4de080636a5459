// A source of homes and of photographs from the air for a journey, as a program of its own.

import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { spawnMortal } from "./mortal.js";
import { binary } from "./shingle.js";

export const bucketProgram = process.env.SHINGLE_BUCKET ?? path.join(path.dirname(binary), "area-bucket");

/** What a server needs to read from this machine. */
export const localSources = { SHINGLE_EGRESS_ALLOW: "127.0.0.0/8", SHINGLE_EGRESS_HTTP: "true" };

/** Beside the server on this data folder. */
export async function areaBucket(shingle) {
  const folder = path.join(shingle.data, "sources");
  await mkdir(folder, { recursive: true });
  const child = spawnMortal(bucketProgram, [folder], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the bucket ended with ${code} before it was ready`);
  });
  await Promise.race([once(lines, "line"), ended]);
  ended.catch(() => {});
  return {
    async tell(...words) {
      const done = once(lines, "line");
      child.stdin.write(`${words.join(" ")}\n`);
      await done;
    },
    async stop() {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    },
  };
}
