// The record of a lead as Zapier shows it.

/** `a__b` is b within a; `a[]b` is b of each line of a. A test compares them with the API. */
const FIELDS = [
  ["id", "Lead ID", "string"],
  ["widgetId", "Widget ID", "string"],
  ["status", "Status", "string"],
  ["address", "Address", "string"],
  ["firstName", "First name", "string"],
  ["lastName", "Last name", "string"],
  ["email", "Email", "string"],
  ["phone", "Phone", "string"],
  ["preferredContactTime", "Preferred contact time", "string"],
  ["roofMaterial", "Roof material", "string"],
  ["message", "Message", "string"],
  ["estimate__roofArea", "Estimate roof area (square feet)", "number"],
  ["estimate__squares", "Estimate squares", "number"],
  ["estimate__averageRoofPitch", "Estimate roof pitch (degrees)", "number"],
  ["estimate__roofComplexityLevel", "Estimate complexity", "string"],
  ["estimate__structurePresentConfidenceScore", "Estimate confidence", "integer"],
  ["estimate__alerts__roofPitchAlert", "Alerts roof pitch alert", "string"],
  ["estimate__alerts__roofAreaAlert", "Alerts roof area alert", "string"],
  ["estimate__prices[]material", "Prices material", "string"],
  ["estimate__prices[]pricePerSquare", "Prices price per square", "number"],
  ["estimate__prices[]cost", "Prices cost", "number"],
  ["estimate__prices[]low", "Prices low", "number"],
  ["estimate__prices[]high", "Prices high", "number"],
  ["estimate__prices[]minimum", "Prices minimum", "number"],
  ["inspection__requestedAt", "Inspection requested at", "datetime"],
  ["inspection__wishes[]date", "Wishes date", "string"],
  ["inspection__wishes[]part", "Wishes part", "string"],
  ["inspection__contactBy", "Inspection contact by", "string"],
  ["inspection__note", "Inspection note", "string"],
  ["inspection__photos[]id", "Photos Lead ID", "string"],
  ["inspection__photos[]width", "Photos width", "integer"],
  ["inspection__photos[]height", "Photos height", "integer"],
  ["inspection__photos[]bytes", "Photos bytes", "integer"],
  ["inspection__state", "Inspection state", "string"],
  ["answers__roofAge", "Answers roof age", "string"],
  ["answers__leak", "Answers leak", "string"],
  ["answers__planned", "Answers planned", "string"],
  ["answers__contactBy", "Answers contact by", "string"],
  ["answers__contactTime", "Answers contact time", "string"],
  ["answers__note", "Answers note", "string"],
  ["source__via", "Source way", "string"],
  ["source__language", "Source language", "string"],
  ["source__pageUrl", "Source page URL", "string"],
  ["source__referrer", "Source referrer", "string"],
  ["source__utmSource", "Source UTM source", "string"],
  ["source__utmMedium", "Source UTM medium", "string"],
  ["source__utmCampaign", "Source UTM campaign", "string"],
  ["source__utmTerm", "Source UTM term", "string"],
  ["source__utmContent", "Source UTM content", "string"],
  ["source__clickId", "Source click IDs", "string"],
  ["consent__given", "Consent given", "boolean"],
  ["consent__text", "Consent text", "string"],
  ["consent__textHash", "Consent text hash", "string"],
  ["consent__at", "Consent time", "datetime"],
  ["consent__pageUrl", "Consent page URL", "string"],
  ["consent__ip", "Consent IP address", "string"],
  ["consent__userAgent", "Consent browser", "string"],
  ["firstTouchAt", "First touch at", "datetime"],
  ["takenBy", "Taken by", "string"],
  ["emailProblem", "Email problem", "string"],
  ["records[]system", "Records system", "string"],
  ["records[]id", "Records Lead ID", "string"],
  ["records[]link", "Records link", "string"],
  ["records[]at", "Records time", "datetime"],
  ["earlierLead__id", "Earlier lead Lead ID", "string"],
  ["earlierLead__same", "Earlier lead same", "string"],
  ["createdAt", "Created at", "datetime"],
  ["updatedAt", "Updated at", "datetime"],
];

const outputFields = FIELDS.map(([key, label, type]) => ({ key, label, type }));

/** Every lead has every field, so that what a sample lacks can be used in a Zap too. */
function complete(lead) {
  const whole = structuredClone(lead);
  for (const [key] of FIELDS) {
    const [path, line] = key.split("[]");
    const names = path.split("__");
    const last = names.pop();
    let within = whole;
    for (const name of names) within = within[name] ??= {};
    within[last] ??= line ? [] : null;
  }
  return whole;
}

const sample = complete({
  id: "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a",
  widgetId: "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11",
  status: "new",
  address: "14 Alder Court, Harrow Falls, ME 04995",
  firstName: "Ann",
  lastName: "Sample",
  email: "ann@example.com",
  phone: "(207) 555-0143",
  preferredContactTime: "evening",
  roofMaterial: "metal",
  message: "Two leaks.",
  estimate: {
    roofArea: 2480,
    squares: 24.8,
    averageRoofPitch: 26.57,
    roofComplexityLevel: "simple",
    structurePresentConfidenceScore: 100,
    alerts: { roofPitchAlert: "NO_ALERTS", roofAreaAlert: "NO_ALERTS" },
    prices: [{ material: "metal", pricePerSquare: 1150, cost: 28520, low: 22800, high: 37100, minimum: null }],
  },
  inspection: {
    requestedAt: "2026-11-22T23:10:00.000Z",
    wishes: [{ date: "2026-12-01", part: "morning" }],
    contactBy: "text",
    note: "The gate is open.",
    photos: [],
    state: "asked",
  },
  answers: { roofAge: "10-20", note: "The garage too." },
  source: { via: "embed", language: "en", pageUrl: "https://oak.example.com/roofs", utmSource: "newsletter", clickId: "gclid=a1b2" },
  consent: {
    given: true,
    text: "Oak Roofing may call me about my roof.",
    textHash: "d74981efa70a0c880b8d8c1985d075dbcbf679b99a5f9914e5aaf96b831a9e24",
    at: "2026-11-22T23:04:04.000Z",
    pageUrl: "https://oak.example.com/roofs",
    ip: "192.0.2.7",
    userAgent: "Mozilla/5.0",
  },
  records: [],
  createdAt: "2026-11-22T23:04:04.000Z",
  updatedAt: "2026-11-22T23:20:00.000Z",
});

module.exports = { FIELDS, complete, outputFields, sample };
