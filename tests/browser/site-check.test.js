// The check of a site, as its owner sees it: a plain form, what was found, and nothing axe objects to. The
// phone has JavaScript off, so the page cannot need any.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture, sizes } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";

const { shingle, browser, closing } = await setUp({ env: { SHINGLE_EGRESS_ALLOW: "127.0.0.0/8", SHINGLE_EGRESS_HTTP: "true" } });
const widget = await shingle.widget();
const tag = widget.widgetScript;
const policy = "default-src 'self'; script-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'";
const sites = {
  shown: await contractorSite(tag),
  hidden: await contractorSite(tag, { "content-security-policy": policy }),
  limited: await contractorSite(tag.replace(" src=", ' type="rocketlazyloadscript" data-rocket-src=')),
  unclear: await contractorSite("<script>/* GTM-ABC123 */</script>"),
};
Object.values(sites).forEach(closing);

describe("the check of a site", () => {
  const said = {
    shown: /^Your site shows the estimate button\.$/,
    limited: /with limits: the script waits for the visitor’s first move/,
    unclear: /^We cannot tell .*the script tag is not in the HTML\.$/,
    hidden: /does not show the estimate button: the site’s content policy blocks our script/,
  };
  for (const size of ["phone", "desktop"]) {
    for (const verdict of Object.keys(said)) {
      it(`says on a ${size} that the estimate is ${verdict}`, async () => {
        const context = await browser.newContext({ ...sizes[size], javaScriptEnabled: size != "phone" });
        const page = await context.newPage();
        const problems = [];
        page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
        await page.goto(`${shingle.url}/w/${widget.referenceId}/check`);
        await page.getByLabel("Page address").fill(sites[verdict].url);
        await page.getByRole("button", { name: "Check this page" }).click();
        const result = page.getByRole("region", { name: "Result" });
        await result.getByRole("heading", { level: 2, name: said[verdict] }).waitFor();
        assert.equal(await page.getByLabel("Page address").inputValue(), sites[verdict].url);
        await picture(page, `check-${verdict}-${size}`, { fullPage: true });
        assert.deepEqual(problems, []);
        // The ruler is itself a script.
        if (size != "phone") assert.deepEqual(await violations(page), []);
        await context.close();
      });
    }
  }
});
