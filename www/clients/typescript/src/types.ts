// Written by www/clients/generate.mjs from the description of the API. Do not change it by hand.

/** The bytes of a picture. */
export type FileInput = Blob | Uint8Array | ArrayBuffer;

/** An address in one line, or in its five parts. */
export type Address = string | AddressParts;

export interface AddressParts {
  streetNumber: string;
  streetAddress: string;
  city: string;
  state: string;
  zip: string;
}

/** What is known of the property at an address; level 1 is without the two integrity fields. */
export interface AddressInfoRecord {
  /** When the answer was made, in UTC. */
  timestamp: string;
  /** Full name of the primary owner. Null where it is not known, and always where the address was matched only approximately. */
  primaryOwner: string | null;
  /** Full name of the second owner. Null if there is no second owner or the name is not known. */
  secondaryOwner: string | null;
  /** Whether an owner lives at the address. Null where it is not known. */
  ownerOccupied: boolean | null;
  /** Year in which the primary structure was built. Null where it is not known. */
  homeBuiltYear: string | null;
  /** Full years for which the primary owner has owned the property. Null where it is not known. */
  yearsInHome: string | null;
  /** Name of the county. Null where it is not known. */
  county: string | null;
  /** Name of the subdivision. Null where it has none or it is not known. */
  subdivision: string | null;
  /** Name of the school district. Null where it is not known. */
  school: string | null;
  /** General kind of the property. Null where it is not known. */
  propertyType: string | null;
  /** Area of all structures on the property together, in square feet. Null where it is not known. */
  areaBuildingSize: string | null;
  /** Whether a structure stands at the address. The name is spelled as the API spells it. Null where it is not known. */
  scructurePresent: boolean | null;
  /** Quality of the lead: 10 to 9 outstanding, 8 to 7 strong, 6 to 5 moderate, 4 to 3 weak, 2 to 1 very weak, 0 unreliable. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined. */
  leadIntegrityScore?: number | null;
  /** What lowered the score. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined. */
  leadIntegrityDefects?: Array<"zoning" | "occupancy" | "structure" | "surname"> | null;
}

/** A requested part that the product does not have is `null`. */
export interface IncludedParts {
  /** How the address was matched to a place. Absent unless `include` names `match`. */
  match?: Match;
  /** The source of each field. Absent unless `include` names `provenance`. */
  provenance?: Provenance;
  /** How far the figures may lie from the estimate. Absent unless `include` names `range`; null without one. */
  range?: RoofRange | UtilityRange | null;
  /** The buildings of a roof with their drawings, or the months of a bill. Absent unless `include` names `segments`; null where the product has none. */
  segments?: {
    /** The house first. Empty where no outline is known. */
    buildings: Segment[];
  } | {
    /** The last twelve whole months, oldest first. */
    months: UtilityMonth[];
  } | null;
  /** Every addend of every score. Absent unless `include` names `reasons`. */
  reasons?: Reason[];
  /** What a reader of the figures must know. Absent unless `include` names `reasons`. */
  notes?: string[];
}

/** How the address was matched to a place. */
export interface Match {
  /** How well it was matched. Null where it was not. */
  level: "exact" | "withoutUnit" | "withoutSuffix" | "numberRange" | "similarName" | "interpolated" | null;
  /** The address that was found, in one line. Null where none was. */
  address: string | null;
  /** Similar places if none was matched, best first. */
  close: Suggestion[];
  /** Why there can be no place: the address is a post office box, for example. Absent otherwise. */
  why?: string;
}

export interface Suggestion {
  /** Names the place on this server. Opaque. */
  key: string;
  /** The street's line of the address. */
  street: string;
  /** The town's line of the address. */
  city: string;
  /** How many characters at the start of `street` are those that were typed. */
  matched: number;
}

/** The sources of one record, the source of each field, and the values that were not used. */
export interface Provenance {
  /** The sources. Fields name one by its place in this list, from 0. */
  sources: SourceNote[];
  /** For each field of the record that has a value, where it comes from. */
  fields: Record<string, FieldNote>;
  /** Values of other sources that were not used. */
  conflicts: ConflictNote[];
  /** The reference tables that were used. */
  tables: TableNote[];
}

export interface SourceNote {
  /** Its name. */
  name: string;
  /** The licence it is published under. Null where it is not stated. */
  licence: string | null;
  /** Its date or year. Null where it is not stated. */
  asOf: string | null;
  /** Whether it is invented: true for the sample town. */
  invented: boolean;
}

/** A source, a table or a rule; or a source and the rule that was applied to it. */
export interface FieldNote {
  /** The source, by its place in `sources`. Absent where it comes from none. */
  source?: number;
  /** The reference table. Absent where it comes from none. */
  table?: string;
  /** How it was calculated. Absent where it was not. */
  derived?: string;
  /** Of a roof that was measured in the points of a survey: how many points it had on a square meter. Absent otherwise. */
  pointsPerSquareMeter?: number;
}

/** Another source's value where the newest was used. */
export interface ConflictNote {
  /** The field of the source. */
  field: string;
  /** Its value there. */
  value: string;
  /** The source, by its place in `sources`. */
  source: number;
}

export interface TableNote {
  /** Its name. */
  name: string;
  /** Who publishes it. */
  source: string;
  /** The latest year of its figures. */
  year: number;
}

/** For `include=range`: how far size and cost may lie from the estimate, and what to order. The size by the error of its evidence: 51 surveyed roofs; an assumed pitch fitted on 23 roofs of one European city, where it held 22 of 23 others; eaves of a wall outline and recorded flat roofs are judged, and so is how far roofers' prices differ. Not tested on invoices. */
export interface RoofRange {
  /** Of the area along the slope, in square feet; an assumed pitch may be flat, or steeper than usual. */
  area: {
    /** The lower end. */
    low: number;
    /** The upper end. */
    high: number;
  };
  /** Of the cost, in US dollars, with ends rounded to 100; widened where a check raised a flag. */
  cost: {
    /** The lower end. */
    low: number;
    /** The upper end. */
    high: number;
  };
  /** What the cost is made of, where the whole roof has not one price. Empty otherwise. */
  parts: PricePart[];
  /** What to order. */
  order: OrderQuantity;
}

/** One kind of work in a sum: its squares times its price. */
export interface PricePart {
  /** Which work. `lowSlope`: A membrane on what has less than 2/12: shingles leak there; `covering`: The chosen material on the rest; `steep`: In addition, on slopes from 8/12 to less than 10/12; `verySteep`: In addition, on slopes of 10/12 and more; `twoStories`: In addition, on a house of two stories; `threeStories`: In addition, on a house of three stories or more. */
  work: "lowSlope" | "covering" | "steep" | "verySteep" | "twoStories" | "threeStories";
  /** Area along the slope that it is done on, in square feet. */
  roofArea: number;
  /** Price of one square of 100 square feet, in US dollars. */
  pricePerSquare: number;
  /** Squares times price, in US dollars. */
  cost: number;
}

/** What to order: the roof and the usual waste. It is not part of the estimate, because a price per square includes it. */
export interface OrderQuantity {
  /** Usual waste, in percent: 10 for a simple roof, 13 for an average one, 18 for a complex one. */
  wastePercent: number;
  /** Squares of 100 square feet, waste included, rounded up to a hundredth. */
  squares: number;
}

/** `include=range`: how far a year's use and cost may lie from the estimate: 1.28 standard errors of the model, by the spread of homes in the 2015 survey it was fitted on. It held 82 % (electricity) and 83 % (gas) of homes of that survey which the fit had not seen. No bills of known homes tested it. */
export interface UtilityRange {
  /** Of electricity. */
  electricity: ConsumptionRange;
  /** Of the fuel. Null where the home uses none. */
  fossilFuel: ConsumptionRange | null;
}

/** kWh, therms or gallons, and USD, as in the record. */
export interface ConsumptionRange {
  /** Of a year's consumption, in kWh, therms or gallons. */
  annualConsumption: {
    /** The lower end. */
    low: number;
    /** The upper end. */
    high: number;
  };
  /** Of a year's cost, in US dollars. */
  annualCost: {
    /** The lower end. */
    low: number;
    /** The upper end. */
    high: number;
  };
}

export interface Segment {
  /** The building, as the source calls it. */
  label: string;
  /** Its area along the slope, in square feet. */
  area: number;
  /** Its roof in plan. Null where no outline is known. */
  drawing: RoofDrawing | null;
}

/** A roof in plan, ready to draw: feet × 10 in whole numbers, x to the east, y to the SOUTH (as SVG counts), north up, the smallest x and y at 0. */
export interface RoofDrawing {
  /** From west to east, in tenths of a foot. */
  width: number;
  /** From north to south, in tenths of a foot. */
  height: number;
  /** The eaves: one closed ring for each part, then its holes. Points are `[x, y]` in tenths of a foot. */
  rings: Array<Array<[number, number]>>;
  /** The planes. Empty where they are not known and cannot be modelled reliably. */
  facets: Facet[];
  /** Ridges, hips and valleys. */
  lines: RoofLine[];
  /** The longest run of each side that has one, at most four. */
  dimensions: Dimension[];
  /** How long its outer edges are. Absent where nobody measured the planes. */
  outer?: OuterEdges;
  /** What the drawing rests on. `measured`: Outline and planes come from a source; `modelled`: The outline is known, the planes are modelled from it; `outline`: Only the outline is known. */
  basis: "measured" | "modelled" | "outline";
}

export interface Facet {
  /** Its outline as `[x, y]` points, in tenths of a foot. */
  ring: Array<[number, number]>;
  /** Its area along the slope, in square feet. */
  area: number;
  /** The side that it faces. */
  aspect: "north" | "east" | "south" | "west" | "flat";
  /** The best place for its label, in tenths of a foot. */
  label: [number, number];
}

export interface RoofLine {
  /** What kind of line it is. */
  kind: "ridge" | "hip" | "valley";
  /** One end, in tenths of a foot. */
  from: [number, number];
  /** The other end, in tenths of a foot. */
  to: [number, number];
  /** Its length along the slope, in feet. */
  length: number;
}

export interface Dimension {
  /** The side of the house. */
  side: "north" | "east" | "south" | "west";
  /** One end, in tenths of a foot. */
  from: [number, number];
  /** The other end, in tenths of a foot. */
  to: [number, number];
  /** Its length, in tenths of a foot. */
  length: number;
}

/** The edges of a roof that no other plane touches. */
export interface OuterEdges {
  /** Edges that water runs off, in feet. */
  eaves: number;
  /** Edges along the slope, and upper edges, in feet along the slope. */
  rakes: number;
}

/** `include=segments`: one calendar month of the year of the record. */
export interface UtilityMonth {
  /** The calendar month. */
  month: string;
  /** Consumption of electricity, in kWh. */
  electricity: number;
  /** Consumption of fuel, in therms or gallons. Null where the home uses none. */
  fossilFuel: number | null;
}

/** One addend of a score, for `include=reasons`, so that every number can be checked by hand. */
export interface Reason {
  /** The field of the record that it explains. */
  field: string;
  /** The part of the model. */
  part: string;
  /** What it adds, in the points of the model, before rounding and clamping. */
  points: number;
  /** Its weight between 0 and 1. Null where the model does not weigh. */
  weight: number | null;
  /** The explanation, with the figures that were used. */
  because: string;
}

/** Scores of the owner at an address, with the details of the property. They rest on stated priors and on no consumer report. */
export interface BuyerInsightsRecord {
  /** When the answer was made, in UTC. */
  timestamp: string;
  /** Full name of the primary owner. Null where it is not known, and always where the address was matched only approximately. */
  primaryOwner: string | null;
  /** Full name of the second owner. Null if there is no second owner or the name is not known. */
  secondaryOwner: string | null;
  /** Whether an owner lives at the address. Null where it is not known. */
  ownerOccupied: boolean | null;
  /** Year in which the primary structure was built. Null where it is not known. */
  homeBuiltYear: string | null;
  /** Full years for which the primary owner has owned the property. Null where it is not known. */
  yearsInHome: string | null;
  /** Name of the county. Null where it is not known. */
  county: string | null;
  /** Name of the subdivision. Null where it has none or it is not known. */
  subdivision: string | null;
  /** Name of the school district. Null where it is not known. */
  school: string | null;
  /** General kind of the property. Null where it is not known. */
  propertyType: string | null;
  /** Area of all structures on the property together, in square feet. Null where it is not known. */
  areaBuildingSize: string | null;
  /** Whether a structure stands at the address. The name is spelled as the API spells it. Null where it is not known. */
  scructurePresent: boolean | null;
  /** Quality of the lead: 10 to 9 outstanding, 8 to 7 strong, 6 to 5 moderate, 4 to 3 weak, 2 to 1 very weak, 0 unreliable. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined. */
  leadIntegrityScore?: number | null;
  /** What lowered the score. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined. */
  leadIntegrityDefects?: Array<"zoning" | "occupancy" | "structure" | "surname"> | null;
  /** How likely the owner performs and meets obligations: 5 high likelihood, 4 likely, 3 average, 2 poor, 1 unlikely. Null where it cannot be determined. */
  payScore: number | null;
  /** How likely the owner takes a better offer: 10 extremely likely, 9 highly likely, 8 very likely, 7 somewhat likely, 6 likely, 5 somewhat unlikely, 4 very unlikely, 3 highly unlikely, 1 and 2 extremely unlikely. Null where it cannot be determined. */
  elevateScore: number | null;
  /** The scores of the seven buying styles. */
  buyerInsights: BuyingStyles;
  /** Whom the scores are about. A client should accept `H` as well. `P`: The owner at the address; `A`: A household at the address; `G`: Owners in the area; `N`: Nothing matched. */
  accuracyCode: "P" | "A" | "G" | "N";
  /** Advice that goes with the scores. Sent only with `salesHacksOn=true`. Null where nothing matched. */
  salesHacks?: SalesHacks | null;
}

/** One score for each buying style. */
export interface BuyingStyles {
  /** How much the owner compares: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined. */
  savvyShopperScore: number | null;
  /** How much the owner stays with a brand: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined. */
  brandLoyalistScore: number | null;
  /** How much the owner likes what is new: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined. */
  trendsetterScore: number | null;
  /** How much the owner minds the budget: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined. */
  budgetsavvyBuyerScore: number | null;
  /** How much the owner puts quality first: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined. */
  qualityFirstBuyerScore: number | null;
  /** How much the owner buys on impulse: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined. */
  impulseShopperScore: number | null;
  /** How much the owner buys what others buy: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined. */
  popularPicksScore: number | null;
}

export interface SalesHacks {
  /** What to do about the pay score. Null where it says nothing. */
  payHack: string | null;
  /** What to do about the elevate score. Null where it says nothing. */
  elevateHack: string | null;
  /** Advice for every buying style. */
  buyerInsightHacks: StyleHacks;
}

/** The advice for every style with a score of 8 or more. */
export interface StyleHacks {
  /** Advice for a savvy shopper. Null unless that score is 8 or higher. */
  savvyShopperHack: string | null;
  /** Advice for a brand loyalist. Null unless that score is 8 or higher. */
  brandLoyalistHack: string | null;
  /** Advice for a trendsetter. Null unless that score is 8 or higher. */
  trendsetterHack: string | null;
  /** Advice for a budget-savvy buyer. Null unless that score is 8 or higher. */
  budgetsavvyBuyerHack: string | null;
  /** Advice for a quality-first buyer. Null unless that score is 8 or higher. */
  qualityFirstBuyerHack: string | null;
  /** Advice for an impulse shopper. Null unless that score is 8 or higher. */
  impulseShopperHack: string | null;
  /** Advice for a buyer of popular picks. Null unless that score is 8 or higher. */
  popularPicksHack: string | null;
}

/** The roof at an address and what a new one would cost: an approximation, which replaces no inspection. */
export interface RoofEstimateRecord {
  /** When the answer was made, in UTC. */
  timestamp: string;
  /** Total area of the roof along its slope, in square feet. Null where it cannot be determined. */
  roofArea: number | null;
  /** The same in squares; a square is 100 square feet. Null where it cannot be determined. */
  squaresWithPitch: number | null;
  /** Average pitch, in degrees. Null where it cannot be determined. */
  averageRoofPitch: number | null;
  /** How complex the roof is, by the number of its facets. Null where it cannot be determined. */
  roofComplexityLevel: "simple" | "average" | "complex" | null;
  /** The material of the estimate: the requested one, or asphalt shingle. Null where there is no estimate. */
  roofMaterial: "asphalt shingle" | "slate" | "tile" | "metal" | "other" | null;
  /** Price of one installed square, in US dollars: the requested one, or that of the reference table. Null where there is no estimate. */
  installedPrice: number | null;
  /** Estimated cost of the whole roof, in US dollars. An approximation, which replaces no inspection. Null where it cannot be determined. */
  roofCostEstimate: number | null;
  /** 100: the data are those of the primary structure at this very address. 50: they may be those of a structure nearby. Null where there are none. */
  structurePresentConfidenceScore: number | null;
  /** What is unusual about the measurement and should be looked at. The name is spelled as the API spells it. */
  dataAccurcyAlerts: Alerts;
}

export interface Alerts {
  /** Whether the pitch is unusual. Null where it cannot be determined. */
  roofPitchAlert: "LOW_PITCH" | "HIGH_PITCH" | "NO_ALERTS" | null;
  /** Whether the area is unusual. Null where it cannot be determined. */
  roofAreaAlert: "LOW_AREA" | "HIGH_AREA" | "NO_ALERTS" | null;
}

/** How likely the household at an address takes up solar power, with the details of the property. */
export interface SolarIndexRecord {
  /** When the answer was made, in UTC. */
  timestamp: string;
  /** How likely the household takes up solar power, 0 to 10 with two decimals. Null where it cannot be determined. */
  solarIndex: number | null;
  /** The index in words: `Ideal` from 8.33, `Moderate` from 5.0, `Weak` below. Null where it cannot be determined. */
  prospectFitLevel: "Ideal" | "Moderate" | "Weak" | null;
  /** What to lead with, one of three texts. Null where it cannot be determined. */
  prospectAttitude: string | null;
  /** Whom index, level and message are about. A client should accept `H` as well. `P`: The owner at the address; `A`: A household at the address; `G`: Owners in the area; `N`: Nothing matched. */
  accuracyCode: "P" | "A" | "G" | "N";
  /** Full name of the primary owner. Null where it is not known, and always where the address was matched only approximately. */
  primaryOwner: string | null;
  /** Full name of the second owner. Null if there is no second owner or the name is not known. */
  secondaryOwner: string | null;
  /** Whether an owner lives at the address. Null where it is not known. */
  ownerOccupied: boolean | null;
  /** Year in which the primary structure was built. Null where it is not known. */
  homeBuiltYear: string | null;
  /** Full years for which the primary owner has owned the property. Null where it is not known. */
  yearsInHome: string | null;
  /** Name of the county. Null where it is not known. */
  county: string | null;
  /** Name of the subdivision. Null where it has none or it is not known. */
  subdivision: string | null;
  /** Name of the school district. Null where it is not known. */
  school: string | null;
  /** General kind of the property. Null where it is not known. */
  propertyType: string | null;
  /** Area of all structures on the property together, in square feet. Null where it is not known. */
  areaBuildingSize: string | null;
  /** Whether a structure stands at the address. The name is spelled as the API spells it. Null where it is not known. */
  scructurePresent: boolean | null;
  /** Quality of the lead: 10 to 9 outstanding, 8 to 7 strong, 6 to 5 moderate, 4 to 3 weak, 2 to 1 very weak, 0 unreliable. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined. */
  leadIntegrityScore?: number | null;
  /** What lowered the score. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined. */
  leadIntegrityDefects?: Array<"zoning" | "occupancy" | "structure" | "surname"> | null;
}

/** The utility bill of the last twelve months, worked out from homes like this one. */
export interface UtilityBillRecord {
  /** When the answer was made, in UTC. */
  timestamp: string;
  /** Whether a bill could be worked out. */
  status: "success" | "error";
  /** The result in words. */
  message: string;
  /** The full address that was used. */
  address: string;
  /** The bill of the last twelve months. */
  data: UtilityData;
}

export interface UtilityData {
  /** The units of the numbers. */
  units: {
    /** Of consumption. */
    consumption: string;
    /** Of costs. */
    cost: string;
    /** Of emissions. */
    emissions: string;
    /** Of emission rates. */
    emissionRate: string;
    /** Of utility rates. */
    utilityRate: string;
  };
  /** Electricity. Null where it cannot be determined. */
  electricity: Electricity | null;
  /** Gas, oil or propane. Null where the home uses none or it cannot be determined. */
  fossilFuel: FossilFuel | null;
  /** How the two compare. Null where they cannot be determined. */
  ratios: {
    /** Energy from electricity for each unit from fuel: below 1 the home uses more fuel. Null where it uses only electricity. */
    electricToFossilRatio: number | null;
  } | null;
}

export interface Electricity {
  /** Mean consumption of a month, in kWh. */
  monthlyAverageConsumption: number;
  /** Mean cost of a month, in US dollars. */
  monthlyAverageCost: number;
  /** Consumption of the last twelve months, in kWh. */
  annualConsumption: number;
  /** Cost of the last twelve months, in US dollars. */
  annualCost: number;
  /** Price of a kWh, in US dollars. */
  monthlyAverageUtilityRate: number;
  /** Mean consumption of a month in each quarter, in kWh. */
  quarterAverageConsumption: {
    /** January to March. */
    q1: number;
    /** April to June. */
    q2: number;
    /** July to September. */
    q3: number;
    /** October to December. */
    q4: number;
  };
  /** Mean cost of a month in each quarter, in US dollars. */
  quarterAverageCost: {
    /** January to March. */
    q1: number;
    /** April to June. */
    q2: number;
    /** July to September. */
    q3: number;
    /** October to December. */
    q4: number;
  };
  /** The month with the highest consumption. */
  peakMonth: {
    /** Its name. */
    name: string;
    /** Its consumption, in kWh. */
    consumption: number;
    /** Its cost, in US dollars. */
    cost: number;
  };
  /** What making it emits. Null where it cannot be determined. */
  emissions: Emissions | null;
}

export interface Emissions {
  /** Of the last twelve months, in pounds of CO2 equivalent. */
  annualEmissions: number;
  /** Mean of a month, in pounds of CO2 equivalent. */
  monthlyAverageEmissions: number;
  /** Pounds of CO2 equivalent for each kWh. */
  monthlyAverageEmissionRate: number;
  /** The month with the highest emissions. */
  peakMonth: {
    /** Pounds of CO2 equivalent. */
    emissions: number;
  };
}

export interface FossilFuel {
  /** Which fuel. */
  type: string;
  /** Consumption of the last twelve months, in the unit of the fuel: therms or gallons. */
  annualConsumption: number;
  /** Cost of the last twelve months, in US dollars. */
  annualCost: number;
  /** Price of a therm or a gallon, in US dollars. */
  monthlyAverageUtilityRate: number;
}

export interface UsageReport {
  /** The first day, in UTC. */
  from: string;
  /** The last day, in UTC. */
  to: string;
  /** What is left of the balance now, in whole cents of a US dollar. Null where the account is not prepaid, and for a sandbox key. */
  balanceCents: number | null;
  /** The sums of all lines. */
  total: UsageSums;
  /** A line for each day, environment, key and product with look-ups, the oldest day first. */
  data: UsageOfDay[];
}

export interface UsageSums {
  /** Look-ups that were answered. */
  calls: number;
  /** Of these, the billed ones: a home was found, and the key is for production. */
  billed: number;
  /** The prices of the billed ones, in whole cents of a US dollar. */
  amountCents: number;
  /** What was taken from the balance for them, in whole cents of a US dollar: 0 while the account was not prepaid. */
  fromBalanceCents: number;
}

export interface UsageOfDay {
  /** The day in which the look-ups began, in UTC. */
  day: string;
  /** Where the key works: `sandbox` or `production`. */
  environment: string;
  /** Id of the key: the eight characters after `production_` or `sandbox_`. */
  keyId: string;
  /** The last part of the look-up's path. */
  product: string;
  /** Look-ups that were answered. */
  calls: number;
  /** Of these, the billed ones: a home was found, and the key is for production. */
  billed: number;
  /** The prices of the billed ones, in whole cents of a US dollar. */
  amountCents: number;
  /** What was taken from the balance for them, in whole cents of a US dollar: 0 while the account was not prepaid. */
  fromBalanceCents: number;
}

/** The widget record of the contract: the configuration with its defaults filled in, and the links. */
export interface WidgetRecord {
  /** Your own id of the widget: a UUID that no other of your widgets has in this environment. It cannot be changed. The links hold it too, unless somebody was first with it. */
  referenceId: string;
  /** What opens it on the page; `custom` opens from elements that the page marks itself. By default `button`. */
  elementType: "button" | "banner" | "custom";
  /** How large that is. By default `medium`. */
  elementSize: "small" | "medium" | "large";
  /** Where it stands: a `button` at `bottom_right` (the default), `bottom_left`, `side_right` or `side_left`; a `banner` at `top` or `bottom` (the default). Null for `custom`, which its page places. */
  elementLocation: "bottom_right" | "bottom_left" | "side_right" | "side_left" | "top" | "bottom" | null;
  /** Text on the button. By default "Get my roof estimate". */
  buttonText: string;
  /** Color of that text. By default black or white, whichever can be read better. */
  buttonTextColor: string;
  /** Color of the button. By default `primaryColor`. */
  buttonBackgroundColor: string;
  /** Text on the banner, beside the button. Null without one. */
  bannerText: string | null;
  /** Color of the banner. By default `primaryColor`. */
  bannerBackgroundColor: string;
  /** Color of primary buttons, QR codes and titles. */
  primaryColor: string;
  /** Color of secondary buttons. */
  secondaryColor: string;
  /** Color behind the hosted widget. */
  backgroundColor: string;
  /** Color of the cards. */
  cardBackgroundColor: string;
  /** Color of texts. */
  textColor: string;
  /** Color of links. */
  linkColor: string;
  /** Company name in the footer. */
  footerCompanyName: string;
  /** Privacy policy, a link. The name is spelled as the API spells it. */
  footerPirvacyPolicyLink: string;
  /** Terms of use, a link. Null where there are none. */
  footerTermsOfUseLink: string | null;
  /** Link to the stored logo of the footer. Null without one. */
  footerLogoUrl: string | null;
  /** Sent as `true`, it removes the footer's logo. In answers always `false`. */
  removeFooterLogo: boolean;
  /** Link to the stored logo at the top. */
  headerLogoUrl: string;
  /** Whether visitors see it. */
  status: "active" | "inactive";
  /** Name of the company. */
  companyName: string;
  /** Its telephone number, in the form `(XXX) XXX-XXXX`. */
  companyPhone: string;
  /** Its e-mail address. New leads are mailed there as long as no notices are set. */
  companyEmail: string;
  /** Its postal address. */
  companyAddress: string;
  /** Its website. QR code and link of the widget lead there. */
  companyUrl: string;
  /** Sites that may show the widget, with commas between; `*.` stands for any name below. Empty: the host of `companyUrl` and its `www.` twin. */
  domains: string;
  /** Title of the first step. */
  firstPageTitle: string;
  /** Installed price of one square of asphalt shingle, in US dollars, greater than 0 and with at most two decimals. By default that of the reference table. */
  installedPrice: number;
  /** The element for the company's pages. */
  widgetScript: string;
  /** Link to a QR code that opens the widget on the company's site. */
  widgetQrCode: string;
  /** Link to a QR code that opens the hosted page. */
  hostedQrCode: string;
  /** Link that opens the widget on the company's site. */
  widgetLink: string;
  /** Link to the hosted page, which needs no site. */
  hostedPageLink: string;
}

export interface LeadPage {
  /** The leads of this page, the newest first. */
  data: Lead[];
  /** Sent as `cursor`, it gets the next page. Null on the last one. */
  nextCursor: string | null;
}

/** The lead record of the owner's API and of lead events. */
export interface Lead {
  /** Id of the lead. */
  id: string;
  /** Id of the widget it came through. */
  widgetId: string;
  /** What became of it. */
  status: "new" | "contacted" | "qualified" | "won" | "lost" | "spam";
  /** Address of the roof, in one line, as the homeowner confirmed it. */
  address: string;
  /** The homeowner's first name. */
  firstName: string;
  /** The homeowner's last name. */
  lastName: string;
  /** The homeowner's e-mail address. Null where the company added the lead without one. */
  email: string | null;
  /** The homeowner's telephone number. Null where none was given. */
  phone: string | null;
  /** When the homeowner wants to be called. Null where it was not said. */
  preferredContactTime: "anytime" | "morning" | "afternoon" | "evening" | null;
  /** The material the homeowner chose. Null where none was chosen. */
  roofMaterial: "asphalt shingle" | "slate" | "tile" | "metal" | "other" | null;
  /** What the homeowner wrote. Null where it is nothing. */
  message: string | null;
  /** The estimate as the homeowner saw it; later price changes do not alter it. Null: nothing could be measured, and the person asked for a visit. */
  estimate: ShownEstimate | null;
  /** The visit that the homeowner asks for: wishes, of which the company confirms one. Null: none was asked for. */
  inspection: Inspection | null;
  /** What the homeowner answered after the estimate. A question that was not asked or was skipped is not in it. */
  answers: Answers;
  /** Where the visitor came from. */
  source: LeadSource;
  /** Whether the homeowner agreed to be called, and the evidence of it. */
  consent: Consent;
  /** When somebody of the company first took it up: answered a notice, or changed its status. Null until then. */
  firstTouchAt: string | null;
  /** Who answered a notice with "I'm on it". Null until somebody has. */
  takenBy: string | null;
  /** Why mail to the homeowner does not arrive. Null while nothing is known against it. */
  emailProblem: string | null;
  /** The same lead in other systems. */
  records: ExternalRecord[];
  /** The first lead of the same person, or else of the same home, at this widget. Whether both are one is for people to judge. Null for the first. */
  earlierLead: {
    /** Id of that lead. */
    id: string;
    /** What both have in common. `person`: The e-mail address or the telephone number too. */
    same: "home" | "person";
  } | null;
  /** When it was sent, in UTC. */
  createdAt: string;
  /** When it was last changed, in UTC. */
  updatedAt: string;
}

/** The estimate as the homeowner saw it. */
export interface ShownEstimate {
  /** Area of the roof along its slope, in square feet. */
  roofArea: number;
  /** The same in squares of 100 square feet. */
  squares: number;
  /** Average pitch, in degrees. */
  averageRoofPitch: number;
  /** How complex the roof is to build. Null where it is not known. */
  roofComplexityLevel: "simple" | "average" | "complex" | null;
  /** 100: this very building. 50: it may be a neighbor's. */
  structurePresentConfidenceScore: number;
  /** What is unusual about the measurement. */
  alerts: Alerts;
  /** Every material that was offered. */
  prices: MaterialPrice[];
}

/** One material's sum: squares × price, or the company's minimum for a job where that is more. */
export interface MaterialPrice {
  /** The material. */
  material: "asphalt shingle" | "slate" | "tile" | "metal" | "other";
  /** Installed price of one square of 100 square feet, in US dollars. */
  pricePerSquare: number;
  /** The estimate: squares times price, or the minimum, in US dollars; where there are parts, their sum. */
  cost: number;
  /** Lower end of the range that was shown, in US dollars. */
  low: number;
  /** Upper end of the range that was shown, in US dollars. */
  high: number;
  /** The company's minimum for a job, in US dollars; only where it is the estimate. */
  minimum?: number;
  /** What the sum is made of, where the whole roof has not one price. Absent otherwise. */
  parts?: PricePart[];
}

/** What a lead's homeowner has asked for. */
export interface Inspection {
  /** When it was asked for, last, in UTC. */
  requestedAt: string;
  /** One to three times, the dearest first. */
  wishes: Array<{
    /** The day, where the company is. */
    date: string;
    /** The part of the day. */
    part: "morning" | "afternoon" | "evening";
  }>;
  /** How the homeowner wants to be told which time it is. */
  contactBy: "call" | "text" | "email";
  /** What the homeowner wrote about the visit. Null where it is nothing. */
  note: string | null;
  /** Photographs of the roof, at most five; each is read, with a key, at `/api/v1/leads/{id}/photos/{photo}`. */
  photos: Photo[];
  /** Whether the company has answered. */
  state: "asked" | "confirmed" | "declined";
}

/** A photograph of the roof, as it is stored: without what the camera wrote into it. */
export interface Photo {
  /** Its id. */
  id: string;
  /** Pixels from left to right. */
  width: number;
  /** Pixels from top to bottom. */
  height: number;
  /** Size of the file, in bytes. */
  bytes: number;
}

/** The answers of one lead. Every question may be skipped. */
export interface Answers {
  /** Years of the roof. Absent where it was not answered. */
  roofAge?: "under-10" | "10-20" | "over-20" | "unknown";
  /** Whether something is wrong with it. Absent where it was not answered. */
  leak?: "none" | "leak" | "damage" | "unsure";
  /** When the work is planned. Absent where it was not answered. */
  planned?: "now" | "this-year" | "later" | "unsure";
  /** How the homeowner wants to be contacted. Absent where it was not answered. */
  contactBy?: "call" | "text" | "email";
  /** When the homeowner wants to be contacted. Absent where it was not answered. */
  contactTime?: "anytime" | "morning" | "afternoon" | "evening";
  /** A note. Absent without one. */
  note?: string;
}

/** Where the visitor came from. */
export interface LeadSource {
  /** How the visitor reached the widget. `hand`: Somebody of the company added it; `import`: It came from a file of the company. */
  via: "embed" | "hosted" | "link" | "qr" | "hand" | "import";
  /** The language in which the widget spoke to the homeowner. */
  language: "en" | "es";
  /** The page the widget was on. Null where it is not known. */
  pageUrl: string | null;
  /** The page before it. Null where it is not known. */
  referrer: string | null;
  /** `utm_source` of that page's address. Null where it has none. */
  utmSource: string | null;
  /** `utm_medium` of that page's address. Null where it has none. */
  utmMedium: string | null;
  /** `utm_campaign` of that page's address. Null where it has none. */
  utmCampaign: string | null;
  /** `utm_term` of that page's address. Null where it has none. */
  utmTerm: string | null;
  /** `utm_content` of that page's address. Null where it has none. */
  utmContent: string | null;
  /** The advertisers' click ids (`gclid`, `fbclid` and others) and what Google and Meta have set on the company's own site (`_ga`, `_fbp` and others), as `name=value&name=value`. Null where there are none. */
  clickId: string | null;
}

/** The consent and the evidence of it. */
export interface Consent {
  /** Whether the homeowner agreed, for the phone number that the lead has now: by ticking the box, or as it was told. Never a condition of the estimate. */
  given: boolean;
  /** The text beside the box, word for word. */
  text: string;
  /** BLAKE3 of that text, in hexadecimal. */
  textHash: string;
  /** When, in UTC. */
  at: string;
  /** On which page. Null where it is not known. */
  pageUrl: string | null;
  /** From which network address. Null where it is not known. */
  ip: string | null;
  /** With which browser. Null where it did not say. */
  userAgent: string | null;
}

/** The record that a connector made of a lead. */
export interface ExternalRecord {
  /** The connector that made it. */
  system: string;
  /** Its id there. */
  id: string;
  /** Its page there. Absent without one. */
  link?: string;
  /** When it was made, in UTC. */
  at: string;
}

/** An address that leads of one widget named again and again on one day. */
export interface RepeatedAddress {
  /** Id of the widget. */
  widgetId: string;
  /** The address, as the newest of these leads has it. */
  address: string;
  /** The day, in UTC. */
  day: string;
  /** How many leads of that day name it. */
  leads: number;
  /** Of these, the ones that no person seems to have sent. */
  suspect: number;
  /** Id of the newest of them. */
  newestLead: string;
}

export interface Erased {
  /** Id of the lead. */
  id: string;
  /** Whether its personal data are gone: always true. */
  erased: boolean;
}

export interface LeadNote {
  /** Id of the note. */
  id: string;
  /** Who wrote it: a person's name, or that of the key. */
  author: string;
  /** What it says. */
  text: string;
  /** When it was written. */
  at: string;
}

/** Proves what a homeowner agreed to. `shingle consent verify FILE` checks it offline. */
export interface ConsentCertificate {
  /** The form of this certificate. */
  form: "shingle-consent-1";
  /** Id of the company's account. */
  accountId: string;
  /** Its name. */
  accountName: string;
  /** When the certificate was made, in UTC. */
  issuedAt: string;
  /** Each consent of the lead, the oldest first. */
  consents: CertifiedConsent[];
  /** The end of the account's chain at that time. */
  head: Head;
  /** The installation's public key (Ed25519), in hexadecimal. */
  key: string;
  /** Its signature, in Base64. */
  signature: string;
}

/** A consent with all that is needed to check it. */
export interface CertifiedConsent {
  /** What was recorded. */
  evidence: Evidence;
  /** The key of the fields' digests. */
  salt: Salt;
  /** The digest of each field: HMAC-SHA256 of its name and value under the salt. */
  digests: Record<string, string>;
  /** Where it stands in the chain of the account. */
  place: Place;
}

/** Who agreed to what, when and where. A field is null where it is not known; of consents that were recorded before there was a chain, nobody wrote down who agreed. */
export interface Evidence {
  /** Id of the consent. */
  id: string;
  /** Id of the account. */
  accountId: string;
  /** Whether the home is real. */
  environment: "sandbox" | "production";
  /** Id of the lead. */
  leadId: string;
  /** Id of the widget. */
  widgetId: string;
  /** The first name as it was typed then. Null where nobody wrote it down. */
  firstName: string | null;
  /** The last name as it was typed then. Null where nobody wrote it down. */
  lastName: string | null;
  /** The e-mail address as it was typed then. Null where nobody wrote it down. */
  email: string | null;
  /** The telephone number as it was typed then: the one that may be called. Null where none was given. */
  phone: string | null;
  /** The address of the roof. Null where nobody wrote it down. */
  address: string | null;
  /** Whether the box was ticked. */
  given: boolean;
  /** The text beside the box, word for word. */
  text: string;
  /** BLAKE3 of that text, in hexadecimal. */
  textHash: string;
  /** When, in UTC. */
  at: string;
  /** On which page. Null where it is not known. */
  pageUrl: string | null;
  /** From which network address. Null where it is not known. */
  ip: string | null;
  /** With which browser. Null where it did not say. */
  userAgent: string | null;
}

/** 32 random bytes of one consent: without them nobody can try names against its digests. */
export type Salt = string;

/** Where a consent stands in the chain of its account. */
export interface Place {
  /** Its number among the consents of the account, from 1. */
  sequence: number;
  /** The link of the consent before it; zeros before the first. */
  previous: string;
  /** Stands for this consent and all before it. */
  link: string;
}

/** The end of a chain. */
export interface Head {
  /** How many consents the account has recorded. */
  sequence: number;
  /** The link of the last one. */
  link: string;
}

export interface Revoked {
  /** Id of the lead. */
  id: string;
  /** Whether the link is off: always true. */
  revoked: boolean;
}

export interface DeliveryList {
  /** The deliveries of this page, the newest first. */
  data: DeliveryView[];
  /** Sent as `cursor`, it gets the next page. Null on the last one. */
  nextCursor: string | null;
}

export interface DeliveryView {
  /** Id of the delivery. */
  id: string;
  /** Id of the webhook or connector that it goes to. */
  destinationId: string;
  /** Id of the event, the same for every destination and attempt. */
  eventId: string;
  /** Kind of the event: one that a webhook can want, or `ping`, a test. */
  event: string;
  /** Id of the lead or widget that it is about. */
  resourceId: string;
  /** Counts the events of that lead or widget from 1. */
  sequence: number;
  /** Where it stands. `waiting`: For the delivery before it. */
  state: "pending" | "delivered" | "failed" | "skipped" | "waiting";
  /** Why it is in that state, where that needs a reason. Null otherwise. */
  reason: string | null;
  /** Attempts so far. */
  attemptCount: number;
  /** When it is tried next, in UTC. Null unless it is pending. */
  nextAttemptAt: string | null;
  /** When the event happened, in UTC. */
  createdAt: string;
  /** When it was first tried, in UTC. Null before that. */
  firstAttemptAt: string | null;
  /** When it was delivered, given up or skipped, in UTC. Null before that. */
  completedAt: string | null;
  /** Every attempt, the first one first. Absent in lists. */
  attempts?: AttemptView[];
}

export interface AttemptView {
  /** Counts from 1. */
  number: number;
  /** When it began, in UTC. */
  startedAt: string;
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** Whether it was a success. */
  delivered: boolean;
  /** HTTP status of the answer. Null where none arrived. */
  status: number | null;
  /** Why it failed. Null where it did not. */
  cause: string | null;
  /** Request and response, without secrets. Null where nothing was sent, and once the lead is erased. */
  exchange: Record<string, unknown> | null;
}

/** Beyond the document: left out of the record where they have their usual values. */
export interface Webhook {
  /** Id of the webhook. */
  id: string;
  /** Its name, for people. */
  name: string;
  /** The address that events are posted to. */
  url: string;
  /** The events it gets. */
  events: Array<"lead.created" | "lead.updated" | "widget.created" | "widget.updated">;
  /** Whether events are sent. */
  active: boolean;
  /** Attempts that failed. */
  failureCount: number;
  /** Deliveries that succeeded. */
  successCount: number;
  /** When an attempt last failed, in UTC. Null: never. */
  lastFailureAt: string | null;
  /** When a delivery last succeeded, in UTC. Null: never. */
  lastSuccessAt: string | null;
  /** Seconds to wait for the status of an answer before the attempt counts as failed. By default 15. */
  timeoutSeconds: number;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it was last changed, in UTC. */
  updatedAt: string;
  /** Why it was switched off by itself. Absent where it was not. */
  inactiveReason?: string;
  /** Names of the headers that are sent with every event. Their values are not shown. Absent where there are none. */
  headers?: string[];
  /** Only events of these widgets and of their leads. Absent: of all. */
  widgets?: string[];
  /** How much of a record an event carries. Absent: `full`. `thin`: The id alone: the receiver fetches the record with its key. Keeps personal data off the wire. */
  payload?: "full" | "thin";
  /** Whether the events of one lead or widget arrive in order, one waiting for the one before. Absent: no. */
  ordered?: boolean;
  /** The key of its signatures. Shown once: when the webhook is made, or its secret renewed. */
  secret?: string;
}

export interface Started {
  /** Id of the new delivery. */
  deliveryId: string;
}

export interface Replayed {
  /** How many deliveries are sent again. */
  replayed: number;
}

export interface ConnectorView {
  /** Its name in requests. */
  name: string;
  /** Its name for people. */
  title: string;
  /** What it connects to. `hook`: The other side subscribes to webhooks by itself: the file explains how, and sends nothing. */
  kind: "crm" | "chat" | "sms" | "conversion" | "sheet" | "hook";
  /** What it does. */
  about: string;
  /** Where the other side describes its interface. */
  documentation: string;
  /** What it was tried against: `documentation` means never against the real service. */
  tried: "documentation" | "service";
  /** What to do to set it up, one step each. */
  steps: string[];
  /** A script to run on the other side. Null where none is needed. */
  script: string | null;
  /** What it has to be given. */
  settings: SettingDeclaration[];
}

/** A setting as a connector's file declares it. */
export interface SettingDeclaration {
  /** Its name in requests. */
  name: string;
  /** Its name for people. */
  label: string;
  /** Where to find the value. Null where nothing is said. */
  hint: string | null;
  /** What kind of value it has. `text`: One line of text; `id`: Letters, digits and `-_.:@`: an id or a key of the target; `url`: An address of the target's; the only kind that may say where a request goes; `phone`: A telephone number in the form `+12075550163`. */
  kind: "number" | "choice" | "text" | "id" | "url" | "phone";
  /** Whether it is kept secret and never shown again. */
  secret: boolean;
  /** Whether it has to be given. */
  required: boolean;
  /** Its value where none is given. Null where it has none. */
  default: string | null;
  /** The values of a choice. Empty for other kinds. */
  options: string[];
  /** The hosts that a URL may name; `.example.com` stands for every host below. Empty: any public host. */
  hosts: string[];
}

export interface DestinationView {
  /** Id of the destination. */
  id: string;
  /** Name of its connector. */
  connector: string;
  /** Its name, for people. */
  name: string;
  /** What it was given; secrets are shown as `[secret]`. */
  settings: Record<string, string>;
  /** Only leads of these widgets. Empty: of all. */
  widgets: string[];
  /** Whether it is served. */
  active: boolean;
  /** Why it was switched off by itself. Null where it was not. */
  inactiveReason: string | null;
  /** Attempts that failed. */
  failureCount: number;
  /** Deliveries that succeeded. */
  successCount: number;
  /** When an attempt last failed, in UTC. Null: never. */
  lastFailureAt: string | null;
  /** When a delivery last succeeded, in UTC. Null: never. */
  lastSuccessAt: string | null;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it was last changed, in UTC. */
  updatedAt: string;
}

/** What an account has decided about notices. */
export interface NoticeSettings {
  /** Who is notified of leads, in that order. Empty: each widget's `companyEmail`. */
  recipients: Recipient[];
  /** Minutes without a touch until the next person is told, and after the last one everybody. Null: all are told at once, and nobody is reminded. */
  escalateAfterMinutes: number | null;
  /** Name of the time zone of the hours below, as IANA lists it. By default `UTC`. */
  timeZone: string;
  /** Reminders wait for these hours. Empty: they come at any time. */
  workingHours: WorkingHours[];
  /** Nothing is sent in these hours; it comes when they end. Null: there are none. */
  quietHours: {
    /** When they begin. */
    from: string;
    /** When they end; past midnight where it is the earlier time. */
    to: string;
  } | null;
  /** When the summary of the day before is sent. Null: never. */
  digestAt: string | null;
  /** Whether homeowners get their estimate by mail. */
  homeownerCopy: boolean;
  /** Widgets about which nobody is told. */
  mutedWidgets: string[];
}

export interface Recipient {
  /** Where the notices go. */
  email: string;
  /** Named on the lead when this person takes it. Null: the e-mail address is. */
  name: string | null;
  /** The language of the notices. By default `en`. */
  language: "en" | "es";
  /** Only leads of these widgets. Empty: of all. */
  widgets: string[];
  /** Whether this person is notified of leads. By default yes. */
  leads: boolean;
  /** Whether this person gets the summary of the day. By default yes. */
  digest: boolean;
  /** Whether this person gets the report of the month before, as a PDF, on the first working day. By default no. */
  report: boolean;
}

export interface WorkingHours {
  /** The days they are on. */
  days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">;
  /** When they begin. */
  from: string;
  /** When they end: later than `from`. */
  to: string;
}

/** Everything that is stored of a person. */
export interface PersonExport {
  /** When this was put together, in UTC. */
  exportedAt: string;
  /** Lead by lead, the newest first. Empty: nothing is stored of this person. */
  data: PersonRecord[];
}

/** What is stored of one lead. */
export interface PersonRecord {
  /** The lead. */
  lead: Lead;
  /** The estimate as it was shown, as the page got it. Null where there was none. */
  shown: Record<string, unknown> | null;
  /** Everything that was agreed to, or not, the oldest first. */
  consents: Evidence[];
  /** The photographs of the roof. */
  photos: Photo[];
  /** The files that the company keeps with it, without what is in them. */
  files: PersonFile[];
  /** Why the company lost it. Null where it is not lost or nobody said. */
  loss: Loss | null;
  /** The quotes that the company made, the newest first. */
  quotes: PersonQuote[];
  /** Who was notified of the lead, as far as the log of deliveries goes back. What they hold is not erased from here. */
  recipients: Recipient2[];
}

/** A file that a company keeps with a lead. */
export interface PersonFile {
  /** Its name. */
  name: string;
  /** How many bytes it has. */
  bytes: number;
  /** When it was added, in UTC. */
  addedAt: string;
}

/** A reason from the list, and more in the company's own words. */
export interface Loss {
  /** The reason from the list. */
  reason: "price" | "otherCompany" | "noAnswer" | "timing" | "notOurWork" | "other";
  /** More about it. Null where nothing more was said. */
  more: string | null;
}

/** A quote to the person. */
export interface PersonQuote {
  /** Its number; of a later revision with that behind it. Null: it is a draft. */
  number: string | null;
  /** Where it stands: `draft`, `sent`, `accepted`, `declined`, `withdrawn` or `replaced`. `replaced`: Another revision took its place. */
  state: "draft" | "sent" | "accepted" | "declined" | "withdrawn" | "replaced";
  /** When it was sent, in UTC. Null: it was not. */
  sentAt: string | null;
  /** When it was accepted or declined, in UTC. Null: it was not. */
  answeredAt: string | null;
  /** The name that was typed to accept it. Null: nobody has. */
  acceptedBy: string | null;
  /** Why it was declined. Null where nothing was said. */
  declineReason: string | null;
  /** What it offers, a text each, with the price before tax. */
  choices: string[];
  /** What was accepted. Null: nothing. */
  accepted: string | null;
  /** What the company wrote to the person. Empty: nothing. */
  message: string;
}

/** Where a lead was sent. */
export interface Recipient2 {
  /** What it is. */
  kind: string;
  /** Its name. */
  name: string;
  /** Its address: a URL or a mailbox. */
  address: string;
  /** When the last of it arrived there, in UTC. */
  lastSentAt: string;
}

export interface ErasedPerson {
  /** Ids of the leads that were erased, the newest first. */
  leads: string[];
}

/** How long leads are kept. */
export interface RetentionView {
  /** Leads that came earlier than so many days ago are erased. Null: they are kept. */
  days: number | null;
  /** When this begins to act, in UTC: a day after it was set. Null while leads are kept. */
  actsFrom: string | null;
  /** What is older than `days` of the query, or else than the account keeps leads. Null where neither says a number. */
  due: DueForErasure | null;
}

/** What would be erased now. */
export interface DueForErasure {
  /** How many leads. */
  leads: number;
  /** When the oldest of them came, in UTC. Null without one. */
  oldest: string | null;
  /** When the newest of them came, in UTC. Null without one. */
  newest: string | null;
}

/** The body of the response to every failed request. */
export interface ErrorBody {
  /** What is wrong: one sentence, or for broken field rules a list with a sentence for each, in the order of the fields. */
  message: string | string[];
  /** The status in words. */
  error: string;
  /** The status of the answer. */
  statusCode: number;
}

/** GET and PUT /api/v1/roof-estimate-widget/{id}/settings: what a contractor says beside the widget's record, which does not change. GET answers all settings, defaults included; what it answers can be sent back. PUT replaces all of them: what is missing or null becomes the default. A broken rule or a name that is none is a 400 whose message lists all of them. A change is no event. It is seen within minutes, as loader and hosted page are cached that long. */
export interface WidgetSettings {
  /** What the price includes, a line each. Where this and priceExcludes are empty, the estimate says that it is not said. */
  priceIncludes?: string[];
  /** What the price does not include, a line each. */
  priceExcludes?: string[];
  /** Installed prices of one square of 100 square feet by material, beside installedPrice of the record, which is that of asphalt. */
  prices?: {
    /** Dollars, at most 2 decimals, for one square of metal. Null: estimated from the price of asphalt. */
    metal?: number | null;
    /** Dollars, at most 2 decimals, for one square of tile. Null: estimated from the price of asphalt. */
    tile?: number | null;
    /** Dollars, at most 2 decimals, for one square of slate. Null: estimated from the price of asphalt. */
    slate?: number | null;
    /** Dollars, at most 2 decimals, for one square under 2/12, which is priced as a membrane. Null: estimated from the price of asphalt. */
    lowSlope?: number | null;
    /** Dollars, at most 2 decimals, added for one square that a survey measured from 8/12 to under 10/12. Null: nothing is added. */
    steep?: number | null;
    /** The same from 10/12 on. Null: as much as for steep. */
    verySteep?: number | null;
    /** Dollars, at most 2 decimals, added for one square of a house of two stories, where the records say so. Null: nothing is added. */
    twoStories?: number | null;
    /** The same for three stories or more. Null: as much as for two. */
    threeStories?: number | null;
    /** Dollars, at most 2 decimals, that a job costs at least: no estimate of the widget goes below it. Null: none. */
    minimum?: number | null;
  };
  /** Terms of the monthly example below the price: equal payments, no down payment, the yearly rate a twelfth a month, rounded to the cent. Shown with rate, number of payments, their sum, and that it is no offer. Null: there is no example. */
  monthlyPayment?: {
    /** Percent a year, at most 3 decimals. */
    aprPercent: number;
    /** How many payments. */
    months: number;
    /** Dollars, at most 2 decimals: no example for smaller prices. */
    leastAmount: number;
    /** Where the financing is explained. */
    link?: string | null;
  } | null;
  /** The licence as it is to be shown, after the word License. */
  license?: string | null;
  /** The mean of published reviews. Shown as a link to them. */
  rating?: {
    /** Out of 5, at most 1 decimal. */
    value: number;
    /** How many reviews. */
    count: number;
    /** Where the reviews are. */
    link: string;
  } | null;
  /** What is asked after the estimate, one tap each, all of them optional for the homeowner: the age of the roof, leak or damage, when it is planned, the way and time of contact, a note. The answers are in the lead. */
  questions?: Array<"roofAge" | "leak" | "planned" | "contactTime" | "note">;
  /** Mails about leads of this widget. */
  mail?: {
    /** false: homeowners get no copy of their estimate by mail. true: they get one where the account's notices send copies (homeownerCopy of /api/v1/notices), which is off until it is switched on there. */
    homeownerCopy?: boolean;
  };
  /** When an inspection can be asked for. Null: the workingHours of /api/v1/notices, cut at 12:00 and 17:00, where those are set. */
  workingHours?: {
    /** IANA name. */
    timeZone: string;
    /** Each day at most once; a day or part that is missing is not offered. */
    visits: Array<{
      days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">;
      /** At least one of the three, in this order and without overlap. */
      morning?: {
        /** HH:MM. */
        from: string;
        /** HH:MM. */
        to: string;
      } | null;
      /** As morning. */
      afternoon?: {
        /** HH:MM. */
        from: string;
        /** HH:MM. */
        to: string;
      } | null;
      /** As morning. */
      evening?: {
        /** HH:MM. */
        from: string;
        /** HH:MM. */
        to: string;
      } | null;
    }>;
  } | null;
  /** The contractor's own texts by language. */
  texts?: {
    /** Replaces single texts where the page is in this language; what is missing is said as in the record, and as above. */
    en?: {
      /** The record's firstPageTitle. */
      firstPageTitle?: string | null;
      /** The record's buttonText. */
      buttonText?: string | null;
      /** The record's bannerText. */
      bannerText?: string | null;
      /** priceIncludes above. */
      priceIncludes?: string[];
      /** priceExcludes above. */
      priceExcludes?: string[];
      /** license above. */
      license?: string | null;
      /** The page /w/{id}/privacy in this language, in place of what this server says there. An empty line begins a paragraph. Only shown where the widget has no privacy policy of its own. */
      privacy?: string | null;
    };
    /** Replaces single texts where the page is in this language; what is missing is said as in the record, and as above. */
    es?: {
      /** The record's firstPageTitle. */
      firstPageTitle?: string | null;
      /** The record's buttonText. */
      buttonText?: string | null;
      /** The record's bannerText. */
      bannerText?: string | null;
      /** priceIncludes above. */
      priceIncludes?: string[];
      /** priceExcludes above. */
      priceExcludes?: string[];
      /** license above. */
      license?: string | null;
      /** The page /w/{id}/privacy in this language, in place of what this server says there. An empty line begins a paragraph. Only shown where the widget has no privacy policy of its own. */
      privacy?: string | null;
    };
  };
  /** How far the button, or the banner, is moved from its usual place into the page, in CSS pixels. */
  launcher?: {
    offsetX?: number;
    offsetY?: number;
  };
  /** When the page may fetch what the dialog needs. intent: when a pointer or the focus comes near the launcher. dwell: then, or when a visitor has stayed for ten seconds. idle: as soon as the page has nothing else to do. A tap always fetches; visitors who save data are fetched nothing ahead. */
  fetchAhead?: "intent" | "dwell" | "idle";
  /** Whether a photograph from the air lies under the drawing of a home, where this server has one, and how many years old it may be; null: however old. */
  aerialPhotos?: {
    show?: boolean;
    oldestYears?: number | null;
  };
  /** Whether homeowners book a free time themselves, and which times are free: those within workingHours that leave the way between two visits. */
  selfBooking?: {
    on?: boolean;
    /** How long a visit takes. */
    minutes?: number;
    /** Kept free between two visits. */
    travelMinutes?: number;
    /** From the booking to the visit, at least. */
    noticeHours?: number;
    /** Days after the first possible one. */
    daysAhead?: number;
    /** How many visits may be under way at the same time. */
    atOnce?: number;
    /** Days without visits: 2026-12-25, or the first and the last of several, 2026-12-24/2027-01-01. */
    daysOff?: string[];
  };
}

export type AddressInfoAnswer = Omit<AddressInfoRecord & IncludedParts, "leadIntegrityScore" | "leadIntegrityDefects">;

export interface GetAddressInfoQuery {
  /** More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is. */
  include?: Array<"match" | "provenance" | "segments" | "range" | "reasons"> | undefined;
}

export type AddressInfoV2Answer = AddressInfoRecord & IncludedParts;

export interface GetAddressInfoV2Query {
  /** Last name of the lead, for its integrity score. */
  lastName?: string | undefined;
  /** Whether the two fields of lead integrity are sent. */
  leadIntegrityScoreOn?: boolean | undefined;
  /** More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is. */
  include?: Array<"match" | "provenance" | "segments" | "range" | "reasons"> | undefined;
}

export type BuyerInsightsAnswer = BuyerInsightsRecord & IncludedParts;

export interface GetBuyerInsightsQuery {
  /** Last name of the lead, for its integrity score. */
  lastName?: string | undefined;
  /** Whether the two fields of lead integrity are sent. */
  leadIntegrityScoreOn?: boolean | undefined;
  /** Whether advice goes with the scores. */
  salesHacksOn?: boolean | undefined;
  /** More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is. */
  include?: Array<"match" | "provenance" | "segments" | "range" | "reasons"> | undefined;
}

export type RoofEstimateAnswer = RoofEstimateRecord & IncludedParts;

export interface GetRoofEstimateQuery {
  /** The covering to price. */
  roofMaterial?: "asphalt shingle" | "slate" | "tile" | "metal" | "other" | undefined;
  /** Your own price of one installed square of 100 square feet, in US dollars; by default that of the reference table. */
  installedPrice?: number | undefined;
  /** More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is. */
  include?: Array<"match" | "provenance" | "segments" | "range" | "reasons"> | undefined;
}

export type SolarIndexAnswer = SolarIndexRecord & IncludedParts;

export interface GetSolarIndexQuery {
  /** Last name of the lead, for its integrity score. */
  lastName?: string | undefined;
  /** Whether the two fields of lead integrity are sent. */
  leadIntegrityScoreOn?: boolean | undefined;
  /** More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is. */
  include?: Array<"match" | "provenance" | "segments" | "range" | "reasons"> | undefined;
}

export type UtilityBillAnswer = UtilityBillRecord & IncludedParts;

export interface GetUtilityBillQuery {
  /** More about the record, in members of their own, with commas between: how the address was matched, the source of each field, the buildings or months, the range, and every addend of every score. The record itself stays as it is. */
  include?: Array<"match" | "provenance" | "segments" | "range" | "reasons"> | undefined;
}

export interface GetUsageQuery {
  /** The first day, in UTC; by default the first of the month of `to`. */
  from?: string | undefined;
  /** The last day, in UTC, at most 365 days after `from`; by default today. */
  to?: string | undefined;
}

export interface ListLeadsQuery {
  /** Only leads of this status. */
  status?: "new" | "contacted" | "qualified" | "won" | "lost" | "spam" | undefined;
  /** Only leads of this widget. */
  widgetId?: string | undefined;
  /** Only leads with all these words of name, street, e-mail address or telephone number. The beginning of a word is enough from three letters on. Four words count. */
  search?: string | undefined;
  /** How many at most. */
  limit?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

export interface DownloadLeadsQuery {
  /** Only leads of this status. */
  status?: "new" | "contacted" | "qualified" | "won" | "lost" | "spam" | undefined;
  /** Only leads of this widget. */
  widgetId?: string | undefined;
  /** Only leads with all these words of name, street, e-mail address or telephone number. The beginning of a word is enough from three letters on. Four words count. */
  search?: string | undefined;
}

export interface ListWebhookDeliveriesQuery {
  /** Only events of this kind. */
  event?: "lead.created" | "lead.updated" | "widget.created" | "widget.updated" | undefined;
  /** Only deliveries in this state. */
  state?: "pending" | "waiting" | "delivered" | "failed" | "skipped" | undefined;
  /** Only events from this time on. */
  since?: string | undefined;
  /** How many at most. */
  limit?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

export interface ListDestinationDeliveriesQuery {
  /** Only events of this kind. */
  event?: "lead.created" | "lead.updated" | "widget.created" | "widget.updated" | undefined;
  /** Only deliveries in this state. */
  state?: "pending" | "waiting" | "delivered" | "failed" | "skipped" | undefined;
  /** Only events from this time on. */
  since?: string | undefined;
  /** How many at most. */
  limit?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

export interface GetRetentionQuery {
  /** A number of days to try. */
  days?: number | undefined;
}

export interface CreateWidgetBody {
  /** Your own id of the widget: a UUID that no other of your widgets has in this environment. It cannot be changed. The links hold it too, unless somebody was first with it. */
  referenceId: string;
  /** Color of primary buttons, QR codes and titles. */
  primaryColor: string;
  /** Color of secondary buttons. */
  secondaryColor: string;
  /** Color behind the hosted widget. */
  backgroundColor: string;
  /** Color of the cards. */
  cardBackgroundColor: string;
  /** Color of texts. */
  textColor: string;
  /** Color of links. */
  linkColor: string;
  /** Company name in the footer. */
  footerCompanyName: string;
  /** Privacy policy, a link. The name is spelled as the API spells it. */
  footerPirvacyPolicyLink: string;
  /** Whether visitors see it. */
  status: "active" | "inactive";
  /** Name of the company. */
  companyName: string;
  /** Its telephone number, in the form `(XXX) XXX-XXXX`. */
  companyPhone: string;
  /** Its e-mail address. New leads are mailed there as long as no notices are set. */
  companyEmail: string;
  /** Its postal address. */
  companyAddress: string;
  /** Its website. QR code and link of the widget lead there. */
  companyUrl: string;
  /** Title of the first step. */
  firstPageTitle: string;
  /** What opens it on the page; `custom` opens from elements that the page marks itself. By default `button`. */
  elementType?: "button" | "banner" | "custom" | undefined;
  /** How large that is. By default `medium`. */
  elementSize?: "small" | "medium" | "large" | undefined;
  /** Where it stands: a `button` at `bottom_right` (the default), `bottom_left`, `side_right` or `side_left`; a `banner` at `top` or `bottom` (the default). Null for `custom`, which its page places. */
  elementLocation?: "bottom_right" | "bottom_left" | "side_right" | "side_left" | "top" | "bottom" | undefined;
  /** Text on the button. By default "Get my roof estimate". */
  buttonText?: string | undefined;
  /** Color of that text. By default black or white, whichever can be read better. */
  buttonTextColor?: string | undefined;
  /** Color of the button. By default `primaryColor`. */
  buttonBackgroundColor?: string | undefined;
  /** Text on the banner, beside the button. Null without one. */
  bannerText?: string | undefined;
  /** Color of the banner. By default `primaryColor`. */
  bannerBackgroundColor?: string | undefined;
  /** Terms of use, a link. Null where there are none. */
  footerTermsOfUseLink?: string | undefined;
  /** Sites that may show the widget, with commas between; `*.` stands for any name below. Empty: the host of `companyUrl` and its `www.` twin. */
  domains?: string | undefined;
  /** Installed price of one square of asphalt shingle, in US dollars, greater than 0 and with at most two decimals. By default that of the reference table. */
  installedPrice?: number | undefined;
  /** Sent as `true`, it removes the footer's logo. In answers always `false`. */
  removeFooterLogo?: boolean | undefined;
  /** Logo at the top: PNG or JPEG, at most 1 MB, best about 300 × 150 pixels. */
  headerLogo: FileInput;
  /** Logo in the footer: PNG or JPEG, at most 1 MB, best about 24 × 24 pixels. */
  footerLogo?: FileInput | undefined;
}

export interface UpdateWidgetBody {
  /** Color of primary buttons, QR codes and titles. */
  primaryColor?: string | undefined;
  /** Color of secondary buttons. */
  secondaryColor?: string | undefined;
  /** Color behind the hosted widget. */
  backgroundColor?: string | undefined;
  /** Color of the cards. */
  cardBackgroundColor?: string | undefined;
  /** Color of texts. */
  textColor?: string | undefined;
  /** Color of links. */
  linkColor?: string | undefined;
  /** Company name in the footer. */
  footerCompanyName?: string | undefined;
  /** Privacy policy, a link. The name is spelled as the API spells it. */
  footerPirvacyPolicyLink?: string | undefined;
  /** Whether visitors see it. */
  status?: "active" | "inactive" | undefined;
  /** Name of the company. */
  companyName?: string | undefined;
  /** Its telephone number, in the form `(XXX) XXX-XXXX`. */
  companyPhone?: string | undefined;
  /** Its e-mail address. New leads are mailed there as long as no notices are set. */
  companyEmail?: string | undefined;
  /** Its postal address. */
  companyAddress?: string | undefined;
  /** Its website. QR code and link of the widget lead there. */
  companyUrl?: string | undefined;
  /** Title of the first step. */
  firstPageTitle?: string | undefined;
  /** What opens it on the page; `custom` opens from elements that the page marks itself. By default `button`. */
  elementType?: "button" | "banner" | "custom" | undefined;
  /** How large that is. By default `medium`. */
  elementSize?: "small" | "medium" | "large" | undefined;
  /** Where it stands: a `button` at `bottom_right` (the default), `bottom_left`, `side_right` or `side_left`; a `banner` at `top` or `bottom` (the default). Null for `custom`, which its page places. */
  elementLocation?: "bottom_right" | "bottom_left" | "side_right" | "side_left" | "top" | "bottom" | undefined;
  /** Text on the button. By default "Get my roof estimate". */
  buttonText?: string | undefined;
  /** Color of that text. By default black or white, whichever can be read better. */
  buttonTextColor?: string | undefined;
  /** Color of the button. By default `primaryColor`. */
  buttonBackgroundColor?: string | undefined;
  /** Text on the banner, beside the button. Null without one. */
  bannerText?: string | undefined;
  /** Color of the banner. By default `primaryColor`. */
  bannerBackgroundColor?: string | undefined;
  /** Terms of use, a link. Null where there are none. */
  footerTermsOfUseLink?: string | undefined;
  /** Sites that may show the widget, with commas between; `*.` stands for any name below. Empty: the host of `companyUrl` and its `www.` twin. */
  domains?: string | undefined;
  /** Installed price of one square of asphalt shingle, in US dollars, greater than 0 and with at most two decimals. By default that of the reference table. */
  installedPrice?: number | undefined;
  /** Sent as `true`, it removes the footer's logo. In answers always `false`. */
  removeFooterLogo?: boolean | undefined;
  /** Logo at the top: PNG or JPEG, at most 1 MB, best about 300 × 150 pixels. */
  headerLogo?: FileInput | undefined;
  /** Logo in the footer: PNG or JPEG, at most 1 MB, best about 24 × 24 pixels. */
  footerLogo?: FileInput | undefined;
}

export interface UploadWidgetLogosBody {
  /** Logo at the top: PNG or JPEG, at most 1 MB, best about 300 × 150 pixels. */
  headerLogo?: FileInput | undefined;
  /** Logo in the footer: PNG or JPEG, at most 1 MB, best about 24 × 24 pixels. */
  footerLogo?: FileInput | undefined;
}

/** GET and PUT /api/v1/roof-estimate-widget/{id}/settings: what a contractor says beside the widget's record, which does not change. GET answers all settings, defaults included; what it answers can be sent back. PUT replaces all of them: what is missing or null becomes the default. A broken rule or a name that is none is a 400 whose message lists all of them. A change is no event. It is seen within minutes, as loader and hosted page are cached that long. */
export interface ReplaceWidgetSettingsBody {
  /** What the price includes, a line each. Where this and priceExcludes are empty, the estimate says that it is not said. */
  priceIncludes?: string[] | null | undefined;
  /** What the price does not include, a line each. */
  priceExcludes?: string[] | null | undefined;
  /** Installed prices of one square of 100 square feet by material, beside installedPrice of the record, which is that of asphalt. */
  prices?: {
    /** Dollars, at most 2 decimals, for one square of metal. Null: estimated from the price of asphalt. */
    metal?: number | null | undefined;
    /** Dollars, at most 2 decimals, for one square of tile. Null: estimated from the price of asphalt. */
    tile?: number | null | undefined;
    /** Dollars, at most 2 decimals, for one square of slate. Null: estimated from the price of asphalt. */
    slate?: number | null | undefined;
    /** Dollars, at most 2 decimals, for one square under 2/12, which is priced as a membrane. Null: estimated from the price of asphalt. */
    lowSlope?: number | null | undefined;
    /** Dollars, at most 2 decimals, added for one square that a survey measured from 8/12 to under 10/12. Null: nothing is added. */
    steep?: number | null | undefined;
    /** The same from 10/12 on. Null: as much as for steep. */
    verySteep?: number | null | undefined;
    /** Dollars, at most 2 decimals, added for one square of a house of two stories, where the records say so. Null: nothing is added. */
    twoStories?: number | null | undefined;
    /** The same for three stories or more. Null: as much as for two. */
    threeStories?: number | null | undefined;
    /** Dollars, at most 2 decimals, that a job costs at least: no estimate of the widget goes below it. Null: none. */
    minimum?: number | null | undefined;
  } | null | undefined;
  /** Terms of the monthly example below the price: equal payments, no down payment, the yearly rate a twelfth a month, rounded to the cent. Shown with rate, number of payments, their sum, and that it is no offer. Null: there is no example. */
  monthlyPayment?: {
    /** Percent a year, at most 3 decimals. */
    aprPercent: number;
    /** How many payments. */
    months: number;
    /** Dollars, at most 2 decimals: no example for smaller prices. */
    leastAmount: number;
    /** Where the financing is explained. */
    link?: string | null | undefined;
  } | null | undefined;
  /** The licence as it is to be shown, after the word License. */
  license?: string | null | undefined;
  /** The mean of published reviews. Shown as a link to them. */
  rating?: {
    /** Out of 5, at most 1 decimal. */
    value: number;
    /** How many reviews. */
    count: number;
    /** Where the reviews are. */
    link: string;
  } | null | undefined;
  /** What is asked after the estimate, one tap each, all of them optional for the homeowner: the age of the roof, leak or damage, when it is planned, the way and time of contact, a note. The answers are in the lead. */
  questions?: Array<"roofAge" | "leak" | "planned" | "contactTime" | "note"> | null | undefined;
  /** Mails about leads of this widget. */
  mail?: {
    /** false: homeowners get no copy of their estimate by mail. true: they get one where the account's notices send copies (homeownerCopy of /api/v1/notices), which is off until it is switched on there. */
    homeownerCopy?: boolean | null | undefined;
  } | null | undefined;
  /** When an inspection can be asked for. Null: the workingHours of /api/v1/notices, cut at 12:00 and 17:00, where those are set. */
  workingHours?: {
    /** IANA name. */
    timeZone: string;
    /** Each day at most once; a day or part that is missing is not offered. */
    visits: Array<{
      days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">;
      /** At least one of the three, in this order and without overlap. */
      morning?: {
        /** HH:MM. */
        from: string;
        /** HH:MM. */
        to: string;
      } | null | undefined;
      /** As morning. */
      afternoon?: {
        /** HH:MM. */
        from: string;
        /** HH:MM. */
        to: string;
      } | null | undefined;
      /** As morning. */
      evening?: {
        /** HH:MM. */
        from: string;
        /** HH:MM. */
        to: string;
      } | null | undefined;
    }>;
  } | null | undefined;
  /** The contractor's own texts by language. */
  texts?: {
    /** Replaces single texts where the page is in this language; what is missing is said as in the record, and as above. */
    en?: {
      /** The record's firstPageTitle. */
      firstPageTitle?: string | null | undefined;
      /** The record's buttonText. */
      buttonText?: string | null | undefined;
      /** The record's bannerText. */
      bannerText?: string | null | undefined;
      /** priceIncludes above. */
      priceIncludes?: string[] | null | undefined;
      /** priceExcludes above. */
      priceExcludes?: string[] | null | undefined;
      /** license above. */
      license?: string | null | undefined;
      /** The page /w/{id}/privacy in this language, in place of what this server says there. An empty line begins a paragraph. Only shown where the widget has no privacy policy of its own. */
      privacy?: string | null | undefined;
    } | null | undefined;
    /** Replaces single texts where the page is in this language; what is missing is said as in the record, and as above. */
    es?: {
      /** The record's firstPageTitle. */
      firstPageTitle?: string | null | undefined;
      /** The record's buttonText. */
      buttonText?: string | null | undefined;
      /** The record's bannerText. */
      bannerText?: string | null | undefined;
      /** priceIncludes above. */
      priceIncludes?: string[] | null | undefined;
      /** priceExcludes above. */
      priceExcludes?: string[] | null | undefined;
      /** license above. */
      license?: string | null | undefined;
      /** The page /w/{id}/privacy in this language, in place of what this server says there. An empty line begins a paragraph. Only shown where the widget has no privacy policy of its own. */
      privacy?: string | null | undefined;
    } | null | undefined;
  } | null | undefined;
  /** How far the button, or the banner, is moved from its usual place into the page, in CSS pixels. */
  launcher?: {
    offsetX?: number | null | undefined;
    offsetY?: number | null | undefined;
  } | null | undefined;
  /** When the page may fetch what the dialog needs. intent: when a pointer or the focus comes near the launcher. dwell: then, or when a visitor has stayed for ten seconds. idle: as soon as the page has nothing else to do. A tap always fetches; visitors who save data are fetched nothing ahead. */
  fetchAhead?: "intent" | "dwell" | "idle" | undefined;
  /** Whether a photograph from the air lies under the drawing of a home, where this server has one, and how many years old it may be; null: however old. */
  aerialPhotos?: {
    show?: boolean | null | undefined;
    oldestYears?: number | null | undefined;
  } | null | undefined;
  /** Whether homeowners book a free time themselves, and which times are free: those within workingHours that leave the way between two visits. */
  selfBooking?: {
    on?: boolean | null | undefined;
    /** How long a visit takes. */
    minutes?: number | null | undefined;
    /** Kept free between two visits. */
    travelMinutes?: number | null | undefined;
    /** From the booking to the visit, at least. */
    noticeHours?: number | null | undefined;
    /** Days after the first possible one. */
    daysAhead?: number | null | undefined;
    /** How many visits may be under way at the same time. */
    atOnce?: number | null | undefined;
    /** Days without visits: 2026-12-25, or the first and the last of several, 2026-12-24/2027-01-01. */
    daysOff?: string[] | null | undefined;
  } | null | undefined;
}

export interface UpdateLeadBody {
  /** What became of it. */
  status?: "new" | "contacted" | "qualified" | "won" | "lost" | "spam" | null | undefined;
  /** What the homeowner wrote; an empty text removes it. */
  message?: string | null | undefined;
  /** The visit that was asked for. A lead without one cannot have it. */
  inspection?: {
    /** Whether the company comes. */
    state: "asked" | "confirmed" | "declined";
  } | null | undefined;
}

export interface AddLeadNoteBody {
  /** What it says. */
  text: string;
}

export interface CreateWebhookBody {
  /** Its name, for people. */
  name: string;
  /** The address that events are posted to. */
  url: string;
  /** The events it gets. */
  events: Array<"lead.created" | "lead.updated" | "widget.created" | "widget.updated">;
  /** Whether events are sent. */
  active?: boolean | null | undefined;
  /** Seconds to wait for the status of an answer before the attempt counts as failed. By default 15. */
  timeoutSeconds?: number | null | undefined;
  /** Only events of these widgets and of their leads. Absent: of all. */
  widgets?: string[] | null | undefined;
  /** How much of a record an event carries. Absent: `full`. `thin`: The id alone: the receiver fetches the record with its key. Keeps personal data off the wire. */
  payload?: "full" | "thin" | null | undefined;
  /** Whether the events of one lead or widget arrive in order, one waiting for the one before. Absent: no. */
  ordered?: boolean | null | undefined;
  /** Headers that are sent with every event, by name. Names that say how a request is sent, or that begin with `webhook-`, are ours. */
  headers?: Record<string, string> | null | undefined;
}

export interface UpdateWebhookBody {
  /** Its name, for people. */
  name?: string | null | undefined;
  /** The address that events are posted to. */
  url?: string | null | undefined;
  /** The events it gets. */
  events?: Array<"lead.created" | "lead.updated" | "widget.created" | "widget.updated"> | null | undefined;
  /** Whether events are sent. */
  active?: boolean | null | undefined;
  /** Seconds to wait for the status of an answer before the attempt counts as failed. By default 15. */
  timeoutSeconds?: number | null | undefined;
  /** Only events of these widgets and of their leads. Absent: of all. */
  widgets?: string[] | null | undefined;
  /** How much of a record an event carries. Absent: `full`. `thin`: The id alone: the receiver fetches the record with its key. Keeps personal data off the wire. */
  payload?: "full" | "thin" | null | undefined;
  /** Whether the events of one lead or widget arrive in order, one waiting for the one before. Absent: no. */
  ordered?: boolean | null | undefined;
  /** Headers that are sent with every event, by name. Names that say how a request is sent, or that begin with `webhook-`, are ours. */
  headers?: Record<string, string> | null | undefined;
}

export interface ReplayWebhookBody {
  /** Time of the earliest event, in ISO 8601 with an offset. */
  since: string;
}

export interface CreateDestinationBody {
  /** Name of the connector, one of `GET /api/v1/connectors`. */
  connector: string;
  /** Its name, for people: a line of 1 to 100 characters. By default the title of the connector. */
  name?: string | null | undefined;
  /** What the connector has to be given, by name. */
  settings?: Record<string, string> | undefined;
  /** Only leads of these widgets. By default of all. */
  widgets?: string[] | undefined;
  /** Whether it is served. By default yes. */
  active?: boolean | undefined;
}

export interface UpdateDestinationBody {
  /** Its name, for people: a line of 1 to 100 characters. Null or absent: as it is. */
  name?: string | null | undefined;
  /** The settings that change, by name; an empty text removes one. */
  settings?: Record<string, string> | undefined;
  /** Only leads of these widgets; an empty list: of all. Null or absent: as it is. */
  widgets?: string[] | null | undefined;
  /** Whether it is served. Null or absent: as it is. */
  active?: boolean | null | undefined;
}

export interface ReplayDestinationBody {
  /** Time of the earliest event, in ISO 8601 with an offset. */
  since: string;
}

/** What an account has decided about notices. */
export interface ReplaceNoticeSettingsBody {
  /** Who is notified of leads, in that order. Empty: each widget's `companyEmail`. */
  recipients?: Array<{
    /** Where the notices go. */
    email: string;
    /** Named on the lead when this person takes it. Null: the e-mail address is. */
    name?: string | null | undefined;
    /** The language of the notices. By default `en`. */
    language?: "en" | "es" | undefined;
    /** Only leads of these widgets. Empty: of all. */
    widgets?: string[] | undefined;
    /** Whether this person is notified of leads. By default yes. */
    leads?: boolean | undefined;
    /** Whether this person gets the summary of the day. By default yes. */
    digest?: boolean | undefined;
    /** Whether this person gets the report of the month before, as a PDF, on the first working day. By default no. */
    report?: boolean | undefined;
  }> | undefined;
  /** Minutes without a touch until the next person is told, and after the last one everybody. Null: all are told at once, and nobody is reminded. */
  escalateAfterMinutes?: number | null | undefined;
  /** Name of the time zone of the hours below, as IANA lists it. By default `UTC`. */
  timeZone?: string | undefined;
  /** Reminders wait for these hours. Empty: they come at any time. */
  workingHours?: Array<{
    /** The days they are on. */
    days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">;
    /** When they begin. */
    from: string;
    /** When they end: later than `from`. */
    to: string;
  }> | undefined;
  /** Nothing is sent in these hours; it comes when they end. Null: there are none. */
  quietHours?: {
    /** When they begin. */
    from: string;
    /** When they end; past midnight where it is the earlier time. */
    to: string;
  } | null | undefined;
  /** When the summary of the day before is sent. Null: never. */
  digestAt?: string | null | undefined;
  /** Whether homeowners get their estimate by mail. */
  homeownerCopy?: boolean | undefined;
  /** Widgets about which nobody is told. */
  mutedWidgets?: string[] | undefined;
}

export interface ExportPersonBody {
  /** The e-mail address, in small or capital letters. It or the telephone number has to be there. */
  email?: string | null | undefined;
  /** The telephone number: ten digits, however they are written. It or the e-mail address has to be there. */
  phone?: string | null | undefined;
}

export interface ErasePersonBody {
  /** The e-mail address, in small or capital letters. It or the telephone number has to be there. */
  email?: string | null | undefined;
  /** The telephone number: ten digits, however they are written. It or the e-mail address has to be there. */
  phone?: string | null | undefined;
}

export interface SetRetentionBody {
  /** Leads that came earlier than so many days ago are erased. Null or left out: leads are kept. */
  days?: number | null | undefined;
}

/** A homeowner has sent a lead. */
export interface LeadCreatedEvent {
  /** Id of the event, the same at every attempt: an event that has arrived twice is one event. */
  id: string;
  /** Kind of the event. */
  type: "lead.created";
  /** When it happened. The time of the attempt is in the header webhook-timestamp. */
  timestamp: string;
  /** Version of this form. */
  apiVersion: "1.0.0";
  /** Counts the events of one lead or widget from 1, in the order in which they happened. */
  sequence: number;
  /** What the event is about, as it was just after the change. */
  data: Lead | {
    /** Id of the lead. */
    id: string;
  };
}

/** A lead was changed: by its owner, by the homeowner, or by us. */
export interface LeadUpdatedEvent {
  /** Id of the event, the same at every attempt: an event that has arrived twice is one event. */
  id: string;
  /** Kind of the event. */
  type: "lead.updated";
  /** When it happened. The time of the attempt is in the header webhook-timestamp. */
  timestamp: string;
  /** Version of this form. */
  apiVersion: "1.0.0";
  /** Counts the events of one lead or widget from 1, in the order in which they happened. */
  sequence: number;
  /** What the event is about, as it was just after the change. */
  data: Lead | {
    /** Id of the lead. */
    id: string;
  };
}

/** A widget was made. */
export interface WidgetCreatedEvent {
  /** Id of the event, the same at every attempt: an event that has arrived twice is one event. */
  id: string;
  /** Kind of the event. */
  type: "widget.created";
  /** When it happened. The time of the attempt is in the header webhook-timestamp. */
  timestamp: string;
  /** Version of this form. */
  apiVersion: "1.0.0";
  /** Counts the events of one lead or widget from 1, in the order in which they happened. */
  sequence: number;
  /** What the event is about, as it was just after the change. */
  data: WidgetRecord | {
    /** Id of the widget. */
    referenceId: string;
  };
}

/** A widget was changed. */
export interface WidgetUpdatedEvent {
  /** Id of the event, the same at every attempt: an event that has arrived twice is one event. */
  id: string;
  /** Kind of the event. */
  type: "widget.updated";
  /** When it happened. The time of the attempt is in the header webhook-timestamp. */
  timestamp: string;
  /** Version of this form. */
  apiVersion: "1.0.0";
  /** Counts the events of one lead or widget from 1, in the order in which they happened. */
  sequence: number;
  /** What the event is about, as it was just after the change. */
  data: WidgetRecord | {
    /** Id of the widget. */
    referenceId: string;
  };
}
