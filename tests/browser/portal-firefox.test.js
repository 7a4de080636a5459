// The portal's journeys in Firefox.

import { launchFirefox, newVisitor, noFirefox, sizes } from "./harness/browser.js";
import { portalJourneys } from "./fixtures/portal-journeys.js";

await portalJourneys("Firefox", {
  skip: noFirefox,
  launch: launchFirefox,
  arrive: async (browser, size) => {
    // Firefox plays no phone, so its window is as narrow.
    const visitor = await newVisitor(browser, { viewport: sizes[size].viewport });
    return { ...visitor, problems: () => visitor.problems };
  },
});
