const platform = require("zapier-platform-core");
const authentication = require("./authentication");
const { explain } = require("./server");
const { version } = require("./package.json");

const byKey = (...parts) => Object.fromEntries(parts.map((part) => [part.key, part]));
const { estimate_roof, get_property } = require("./searches/look_ups");

module.exports = {
  version,
  platformVersion: platform.version,
  authentication,
  flags: { cleanInputData: false },
  afterResponse: [explain],
  triggers: byKey(
    require("./triggers/lead_created"),
    require("./triggers/lead_changed"),
    require("./triggers/visit_requested"),
    require("./triggers/visit_booked"),
  ),
  creates: byKey(require("./creates/update_lead"), require("./creates/add_note")),
  searches: byKey(require("./searches/find_lead"), estimate_roof, get_property),
};
