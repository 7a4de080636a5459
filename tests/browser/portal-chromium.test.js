// The portal's journeys in Chromium.

import { launch, newVisitor } from "./harness/browser.js";
import { portalJourneys } from "./fixtures/portal-journeys.js";

await portalJourneys("Chromium", {
  skip: false,
  launch,
  arrive: async (browser, size) => {
    const visitor = await newVisitor(browser, size);
    return { ...visitor, problems: () => visitor.problems };
  },
});
