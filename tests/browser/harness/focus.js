import assert from "node:assert/strict";

/** The element with this `id` has the focus, at once or when the script of a page that has just opened has run. */
export async function assertFocused(page, id, message) {
  const found = () => page.evaluate(() => document.activeElement.id);
  await page.waitForFunction((id) => document.activeElement.id === id, id, { timeout: 10_000 }).catch(() => {});
  assert.equal(await found(), id, message);
}
