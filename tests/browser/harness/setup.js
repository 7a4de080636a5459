// What most files of journeys start with and end with: a server, a browser, and sites of their own.

import { after } from "node:test";
import { launch } from "./browser.js";
import { Shingle } from "./shingle.js";

/** A server and a browser, ended after the file's tests; so is what is given to `closing`. `options` are the server's. */
export async function setUp(options, browserKind = launch) {
  const open = [];
  after(async () => {
    for (const end of open.reverse()) await end();
  });
  const closing = (it) => {
    open.push(() => it.stop());
    return it;
  };
  const [shingle, browser] = await Promise.all([Shingle.start(options), browserKind()]);
  closing(shingle);
  open.push(() => browser.close());
  return { shingle, browser, closing };
}
