// One look-up by address each. For a home that is not known nothing is found, so that a Zap can go on without.

const { createHash } = require("node:crypto");
const { ask } = require("../server");

const ADDRESS = {
  key: "address",
  label: "Address",
  type: "string",
  required: true,
  placeholder: "14 Alder Court, Harrow Falls, ME 04995",
  helpText: "In one line.",
};

const MATERIALS = { "asphalt shingle": "Asphalt shingle", slate: "Slate", tile: "Tile", metal: "Metal", other: "Other" };

function lookUp({ key, noun, label, description, path, inputFields = [], isKnown, sample }) {
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      inputFields: [ADDRESS, ...inputFields],
      async perform(z, bundle) {
        const filled = Object.entries(bundle.inputData).filter(([, value]) => value !== "" && value != null);
        const record = await ask(z, bundle, "GET", `/api/v1/${path}`, { params: Object.fromEntries(filled) });
        const id = createHash("sha256").update(bundle.inputData.address).digest("hex").slice(0, 16);
        return isKnown(record) ? [{ id, ...record }] : [];
      },
      sample: { id: "5f3c2a9be1d04477", ...sample },
    },
  };
}

const estimate_roof = lookUp({
  key: "estimate_roof",
  noun: "Roof",
  label: "Estimate Roof",
  description: "Looks up size, pitch and price of the roof at an address.",
  path: "roof-estimate",
  inputFields: [
    { key: "roofMaterial", label: "Roof material", choices: MATERIALS, required: false },
    { key: "installedPrice", label: "Price per square", type: "number", required: false, helpText: "Yours, for one installed square of 100 square feet, in US dollars. Blank uses the table of the server." },
  ],
  isKnown: ({ roofArea }) => roofArea !== null,
  sample: {
    timestamp: "2026-11-22T23:04:04.000Z",
    roofArea: 2480,
    squaresWithPitch: 24.8,
    averageRoofPitch: 26.57,
    roofComplexityLevel: "simple",
    roofMaterial: "asphalt shingle",
    installedPrice: 525,
    roofCostEstimate: 13020,
    structurePresentConfidenceScore: 100,
    dataAccurcyAlerts: { roofPitchAlert: "NO_ALERTS", roofAreaAlert: "NO_ALERTS" },
  },
});

const get_property = lookUp({
  key: "get_property",
  noun: "Property",
  label: "Get Property",
  description: "Looks up owner, age and kind of the property at an address.",
  path: "address-info",
  isKnown: ({ timestamp: _, ...facts }) => Object.values(facts).some((fact) => fact !== null),
  sample: {
    timestamp: "2026-11-22T23:04:04.000Z",
    primaryOwner: "Ann Sample",
    secondaryOwner: "Bo Sample",
    ownerOccupied: true,
    homeBuiltYear: "1974",
    yearsInHome: "11",
    county: "Cumberland",
    subdivision: "Deering Highlands",
    school: "Portland Public Schools",
    propertyType: "Single Family Residential",
    areaBuildingSize: "2140",
    scructurePresent: true,
  },
});

module.exports = { estimate_roof, get_property };
