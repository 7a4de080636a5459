// What most files of journeys start with and end with: a server, a browser, and sites of their own.

import { after, afterEach } from "node:test";
import { launch, pictures } from "./browser.js";
import { Shingle } from "./shingle.js";

/**
 * A server and a browser, ended after the file's tests; so is what is given to `closing`. `options` are the server's. A
 * test that fails leaves its visitors behind: what they saw last is kept as a picture.
 */
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
  afterEach(async (test) => {
    const pages = browser.contexts?.().flatMap((context) => context.pages()) ?? [];
    for (const [at, page] of pages.entries()) {
      const name = `failed-${test.name.replace(/\W+/g, "-").slice(0, 80)}-${at + 1}`;
      await page.screenshot({ path: `${pictures}/${name}.png`, timeout: 5_000 }).catch(() => {});
    }
    for (const context of browser.contexts?.() ?? []) await context.close();
  });
  return { shingle, browser, closing };
}
