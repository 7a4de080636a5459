// A display for programs that open windows, where there is none, drawn by the processor.

import { once } from "node:events";
import { spawnMortal } from "./mortal.js";

/** The environment that leads to the display, and its end. */
export async function openDisplay() {
  let name = process.env.DISPLAY;
  let server;
  if (!name) {
    const words = ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"];
    server = spawnMortal("Xvfb", words, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    server.once("error", (error) => console.error(`Xvfb: ${error.message}`));
    const [number] = await Promise.race([once(server.stdio[3], "data"), once(server, "exit").then(() => [null])]);
    if (number === null) throw new Error("Xvfb did not start");
    name = `:${String(number).trim()}`;
  }
  return {
    // No graphics card: what is drawn is drawn by the processor.
    env: { ...process.env, DISPLAY: name, GDK_BACKEND: "x11", WEBKIT_DISABLE_DMABUF_RENDERER: "1", LIBGL_ALWAYS_SOFTWARE: "1" },
    async close() {
      if (server && server.exitCode === null && server.kill()) await once(server, "exit");
    },
  };
}
