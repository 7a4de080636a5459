// Programs that end with the tests that started them.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find((file) => process.platform === "linux" && existsSync(file));

/** `spawn`, but the system kills the program when this process ends, however it ends. Only Linux does that. */
export const spawnMortal = (program, words, options) =>
  setpriv ? spawn(setpriv, ["--pdeathsig", "KILL", "--", program, ...words], options) : spawn(program, words, options);
