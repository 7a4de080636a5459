const { hookTrigger } = require("../hook");

module.exports = hookTrigger({
  key: "lead_changed",
  noun: "Lead",
  label: "Changed Lead",
  description: "Triggers when a lead is changed: status, answers, visit.",
  events: ["lead.updated"],
  wanted: () => true,
});
