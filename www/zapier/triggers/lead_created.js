const { hookTrigger } = require("../hook");

module.exports = hookTrigger({
  key: "lead_created",
  noun: "Lead",
  label: "New Lead",
  description: "Triggers when a homeowner leaves their details.",
  events: ["lead.created"],
  wanted: () => true,
});
