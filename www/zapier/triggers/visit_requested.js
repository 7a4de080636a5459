const { hookTrigger } = require("../hook");

/** Milliseconds between the request and the record of it. Every later change of the lead sends the request again. */
const AT_ONCE = 100;

module.exports = hookTrigger({
  key: "visit_requested",
  noun: "Visit",
  label: "Visit Requested",
  description: "Triggers when a homeowner asks for a visit and names times.",
  events: ["lead.created", "lead.updated"],
  wanted: ({ data: { inspection, updatedAt } }) =>
    inspection?.state === "asked" && Math.abs(Date.parse(updatedAt) - Date.parse(inspection.requestedAt)) < AT_ONCE,
  sampleOf: ({ inspection }) => inspection !== null,
});
