// The portal in Firefox.

import { launchFirefox, newVisitor, noFirefox } from "./harness/browser.js";
import { portalJourneys } from "./fixtures/portal-journeys.js";

await portalJourneys("Firefox", {
  skip: noFirefox,
  launch: launchFirefox,
  arrive: async (browser) => {
    const visitor = await newVisitor(browser, "desktop");
    return { ...visitor, problems: () => visitor.problems };
  },
});
