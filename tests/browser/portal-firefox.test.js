// The portal's journeys in Firefox.

import { launchFirefox, newVisitor, noFirefox, sizes } from "./harness/browser.js";
import { portalJourneys } from "./fixtures/portal-journeys.js";

await portalJourneys("Firefox", {
  skip: noFirefox,
  launch: launchFirefox,
  // Firefox cannot act as a phone. A narrow window would add nothing to Chromium's.
  on: ["desktop"],
  arrive: async (browser, size) => {
    const visitor = await newVisitor(browser, { viewport: sizes[size].viewport });
    return { ...visitor, problems: () => visitor.problems };
  },
});
