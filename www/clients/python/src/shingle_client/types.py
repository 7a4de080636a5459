"""Written by www/clients/generate.mjs from the description of the API. Do not change it by hand."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Tuple, Union

from ._typing import TypedDict


FileInput = Union[bytes, Tuple[str, bytes]]
"""The bytes of a picture, or its name and its bytes."""


class AddressParts(TypedDict):
    streetNumber: str
    streetAddress: str
    city: str
    state: str
    zip: str


Address = Union[str, AddressParts]
"""An address in one line, or in its five parts."""


Salt = str


class _AddressInfoRecord(TypedDict):
    timestamp: str
    """When the answer was made, in UTC."""
    primaryOwner: Optional[str]
    """Full name of the primary owner. Null where it is not known, and always where the address was matched only approximately."""
    secondaryOwner: Optional[str]
    """Full name of the second owner. Null if there is no second owner or the name is not known."""
    ownerOccupied: Optional[bool]
    """Whether an owner lives at the address. Null where it is not known."""
    homeBuiltYear: Optional[str]
    """Year in which the primary structure was built. Null where it is not known."""
    yearsInHome: Optional[str]
    """Full years for which the primary owner has owned the property. Null where it is not known."""
    county: Optional[str]
    """Name of the county. Null where it is not known."""
    subdivision: Optional[str]
    """Name of the subdivision. Null where it has none or it is not known."""
    school: Optional[str]
    """Name of the school district. Null where it is not known."""
    propertyType: Optional[str]
    """General kind of the property. Null where it is not known."""
    areaBuildingSize: Optional[str]
    """Area of all structures on the property together, in square feet. Null where it is not known."""
    scructurePresent: Optional[bool]
    """Whether a structure stands at the address. The name is spelled as the API spells it. Null where it is not known."""


class AddressInfoRecord(_AddressInfoRecord, total=False):
    """What is known of the property at an address; level 1 is without the two integrity fields."""
    leadIntegrityScore: Optional[int]
    """Quality of the lead: 10 to 9 outstanding, 8 to 7 strong, 6 to 5 moderate, 4 to 3 weak, 2 to 1 very weak, 0 unreliable. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined."""
    leadIntegrityDefects: Optional[List[Literal["zoning", "occupancy", "structure", "surname"]]]
    """What lowered the score. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined."""


class IncludedPartsSegments1(TypedDict):
    buildings: List[Segment]
    """The house first. Empty where no outline is known."""


class IncludedPartsSegments2(TypedDict):
    months: List[UtilityMonth]
    """The last twelve whole months, oldest first."""


class IncludedParts(TypedDict, total=False):
    """A requested part that the product does not have is `null`."""
    match: Match
    """How the address was matched to a place. Absent unless `include` names `match`."""
    provenance: Provenance
    """The source of each field. Absent unless `include` names `provenance`."""
    range: Optional[Union[RoofRange, UtilityRange]]
    """How far the figures may lie from the estimate. Absent unless `include` names `range`; null without one."""
    segments: Optional[Union[IncludedPartsSegments1, IncludedPartsSegments2]]
    """The buildings of a roof with their drawings, or the months of a bill. Absent unless `include` names `segments`; null where the product has none."""
    reasons: List[Reason]
    """Every addend of every score. Absent unless `include` names `reasons`."""
    notes: List[str]
    """What a reader of the figures must know. Absent unless `include` names `reasons`."""


class _Match(TypedDict):
    level: Optional[Literal["exact", "withoutUnit", "withoutSuffix", "numberRange", "similarName", "interpolated"]]
    """How well it was matched. Null where it was not."""
    address: Optional[str]
    """The address that was found, in one line. Null where none was."""
    close: List[Suggestion]
    """Similar places if none was matched, best first."""


class Match(_Match, total=False):
    """How the address was matched to a place."""
    why: str
    """Why there can be no place: the address is a post office box, for example. Absent otherwise."""


class Suggestion(TypedDict):
    key: str
    """Names the place on this server. Opaque."""
    street: str
    """The street's line of the address."""
    city: str
    """The town's line of the address."""
    matched: int
    """How many characters at the start of `street` are those that were typed."""


class Provenance(TypedDict):
    """The sources of one record, the source of each field, and the values that were not used."""
    sources: List[SourceNote]
    """The sources. Fields name one by its place in this list, from 0."""
    fields: Dict[str, FieldNote]
    """For each field of the record that has a value, where it comes from."""
    conflicts: List[ConflictNote]
    """Values of other sources that were not used."""
    tables: List[TableNote]
    """The reference tables that were used."""


class SourceNote(TypedDict):
    name: str
    """Its name."""
    licence: Optional[str]
    """The licence it is published under. Null where it is not stated."""
    asOf: Optional[str]
    """Its date or year. Null where it is not stated."""
    invented: bool
    """Whether it is invented: true for the sample town."""


class FieldNote(TypedDict, total=False):
    """A source, a table or a rule; or a source and the rule that was applied to it."""
    source: int
    """The source, by its place in `sources`. Absent where it comes from none."""
    table: str
    """The reference table. Absent where it comes from none."""
    derived: str
    """How it was calculated. Absent where it was not."""
    pointsPerSquareMeter: float
    """Of a roof that was measured in the points of a survey: how many points it had on a square meter. Absent otherwise."""


class ConflictNote(TypedDict):
    """Another source's value where the newest was used."""
    field: str
    """The field of the source."""
    value: str
    """Its value there."""
    source: int
    """The source, by its place in `sources`."""


class TableNote(TypedDict):
    name: str
    """Its name."""
    source: str
    """Who publishes it."""
    year: int
    """The latest year of its figures."""


class RoofRangeArea(TypedDict):
    """Of the area along the slope, in square feet; an assumed pitch may be flat, or steeper than usual."""
    low: int
    """The lower end."""
    high: int
    """The upper end."""


class RoofRangeCost(TypedDict):
    """Of the cost, in US dollars, with ends rounded to 100; widened where a check raised a flag."""
    low: float
    """The lower end."""
    high: float
    """The upper end."""


class RoofRange(TypedDict):
    """For `include=range`: how far size and cost may lie from the estimate, and what to order. The size by the error of its evidence: 51 surveyed roofs; an assumed pitch fitted on 23 roofs of one European city, where it held 22 of 23 others; eaves of a wall outline and recorded flat roofs are judged, and so is how far roofers' prices differ. Not tested on invoices."""
    area: RoofRangeArea
    """Of the area along the slope, in square feet; an assumed pitch may be flat, or steeper than usual."""
    cost: RoofRangeCost
    """Of the cost, in US dollars, with ends rounded to 100; widened where a check raised a flag."""
    parts: List[PricePart]
    """What the cost is made of, where the whole roof has not one price. Empty otherwise."""
    order: OrderQuantity
    """What to order."""


class PricePart(TypedDict):
    """One kind of work in a sum: its squares times its price."""
    work: Literal["lowSlope", "covering", "steep", "verySteep", "twoStories", "threeStories"]
    """Which work. `lowSlope`: A membrane on what has less than 2/12: shingles leak there; `covering`: The chosen material on the rest; `steep`: In addition, on slopes from 8/12 to less than 10/12; `verySteep`: In addition, on slopes of 10/12 and more; `twoStories`: In addition, on a house of two stories; `threeStories`: In addition, on a house of three stories or more."""
    roofArea: int
    """Area along the slope that it is done on, in square feet."""
    pricePerSquare: float
    """Price of one square of 100 square feet, in US dollars."""
    cost: float
    """Squares times price, in US dollars."""


class OrderQuantity(TypedDict):
    """What to order: the roof and the usual waste. It is not part of the estimate, because a price per square includes it."""
    wastePercent: int
    """Usual waste, in percent: 10 for a simple roof, 13 for an average one, 18 for a complex one."""
    squares: float
    """Squares of 100 square feet, waste included, rounded up to a hundredth."""


class UtilityRange(TypedDict):
    """`include=range`: how far a year's use and cost may lie from the estimate: 1.28 standard errors of the model, by the spread of homes in the 2015 survey it was fitted on. It held 82 % (electricity) and 83 % (gas) of homes of that survey which the fit had not seen. No bills of known homes tested it."""
    electricity: ConsumptionRange
    """Of electricity."""
    fossilFuel: Optional[ConsumptionRange]
    """Of the fuel. Null where the home uses none."""


class ConsumptionRangeAnnualConsumption(TypedDict):
    """Of a year's consumption, in kWh, therms or gallons."""
    low: float
    """The lower end."""
    high: float
    """The upper end."""


class ConsumptionRangeAnnualCost(TypedDict):
    """Of a year's cost, in US dollars."""
    low: float
    """The lower end."""
    high: float
    """The upper end."""


class ConsumptionRange(TypedDict):
    """kWh, therms or gallons, and USD, as in the record."""
    annualConsumption: ConsumptionRangeAnnualConsumption
    """Of a year's consumption, in kWh, therms or gallons."""
    annualCost: ConsumptionRangeAnnualCost
    """Of a year's cost, in US dollars."""


class Segment(TypedDict):
    label: str
    """The building, as the source calls it."""
    area: int
    """Its area along the slope, in square feet."""
    drawing: Optional[RoofDrawing]
    """Its roof in plan. Null where no outline is known."""


class _RoofDrawing(TypedDict):
    width: int
    """From west to east, in tenths of a foot."""
    height: int
    """From north to south, in tenths of a foot."""
    rings: List[List[List[int]]]
    """The eaves: one closed ring for each part, then its holes. Points are `[x, y]` in tenths of a foot."""
    facets: List[Facet]
    """The planes. Empty where they are not known and cannot be modelled reliably."""
    lines: List[RoofLine]
    """Ridges, hips and valleys."""
    dimensions: List[Dimension]
    """The longest run of each side that has one, at most four."""
    basis: Literal["measured", "modelled", "outline"]
    """What the drawing rests on. `measured`: Outline and planes come from a source; `modelled`: The outline is known, the planes are modelled from it; `outline`: Only the outline is known."""


class RoofDrawing(_RoofDrawing, total=False):
    """A roof in plan, ready to draw: feet × 10 in whole numbers, x to the east, y to the SOUTH (as SVG counts), north up, the smallest x and y at 0."""
    outer: OuterEdges
    """How long its outer edges are. Absent where nobody measured the planes."""


class Facet(TypedDict):
    ring: List[List[int]]
    """Its outline as `[x, y]` points, in tenths of a foot."""
    area: int
    """Its area along the slope, in square feet."""
    aspect: Literal["north", "east", "south", "west", "flat"]
    """The side that it faces."""
    label: List[int]
    """The best place for its label, in tenths of a foot."""


RoofLine = TypedDict("RoofLine", {
    # What kind of line it is.
    "kind": 'Literal["ridge", "hip", "valley"]',
    # One end, in tenths of a foot.
    "from": 'List[int]',
    # The other end, in tenths of a foot.
    "to": 'List[int]',
    # Its length along the slope, in feet.
    "length": 'int',
})


Dimension = TypedDict("Dimension", {
    # The side of the house.
    "side": 'Literal["north", "east", "south", "west"]',
    # One end, in tenths of a foot.
    "from": 'List[int]',
    # The other end, in tenths of a foot.
    "to": 'List[int]',
    # Its length, in tenths of a foot.
    "length": 'int',
})


class OuterEdges(TypedDict):
    """The edges of a roof that no other plane touches."""
    eaves: int
    """Edges that water runs off, in feet."""
    rakes: int
    """Edges along the slope, and upper edges, in feet along the slope."""


class UtilityMonth(TypedDict):
    """`include=segments`: one calendar month of the year of the record."""
    month: str
    """The calendar month."""
    electricity: float
    """Consumption of electricity, in kWh."""
    fossilFuel: Optional[float]
    """Consumption of fuel, in therms or gallons. Null where the home uses none."""


class Reason(TypedDict):
    """One addend of a score, for `include=reasons`, so that every number can be checked by hand."""
    field: str
    """The field of the record that it explains."""
    part: str
    """The part of the model."""
    points: float
    """What it adds, in the points of the model, before rounding and clamping."""
    weight: Optional[float]
    """Its weight between 0 and 1. Null where the model does not weigh."""
    because: str
    """The explanation, with the figures that were used."""


class _BuyerInsightsRecord(TypedDict):
    timestamp: str
    """When the answer was made, in UTC."""
    primaryOwner: Optional[str]
    """Full name of the primary owner. Null where it is not known, and always where the address was matched only approximately."""
    secondaryOwner: Optional[str]
    """Full name of the second owner. Null if there is no second owner or the name is not known."""
    ownerOccupied: Optional[bool]
    """Whether an owner lives at the address. Null where it is not known."""
    homeBuiltYear: Optional[str]
    """Year in which the primary structure was built. Null where it is not known."""
    yearsInHome: Optional[str]
    """Full years for which the primary owner has owned the property. Null where it is not known."""
    county: Optional[str]
    """Name of the county. Null where it is not known."""
    subdivision: Optional[str]
    """Name of the subdivision. Null where it has none or it is not known."""
    school: Optional[str]
    """Name of the school district. Null where it is not known."""
    propertyType: Optional[str]
    """General kind of the property. Null where it is not known."""
    areaBuildingSize: Optional[str]
    """Area of all structures on the property together, in square feet. Null where it is not known."""
    scructurePresent: Optional[bool]
    """Whether a structure stands at the address. The name is spelled as the API spells it. Null where it is not known."""
    payScore: Optional[int]
    """How likely the owner performs and meets obligations: 5 high likelihood, 4 likely, 3 average, 2 poor, 1 unlikely. Null where it cannot be determined."""
    elevateScore: Optional[int]
    """How likely the owner takes a better offer: 10 extremely likely, 9 highly likely, 8 very likely, 7 somewhat likely, 6 likely, 5 somewhat unlikely, 4 very unlikely, 3 highly unlikely, 1 and 2 extremely unlikely. Null where it cannot be determined."""
    buyerInsights: BuyingStyles
    """The scores of the seven buying styles."""
    accuracyCode: Literal["P", "A", "G", "N"]
    """Whom the scores are about. A client should accept `H` as well. `P`: The owner at the address; `A`: A household at the address; `G`: Owners in the area; `N`: Nothing matched."""


class BuyerInsightsRecord(_BuyerInsightsRecord, total=False):
    """Scores of the owner at an address, with the details of the property. They rest on stated priors and on no consumer report."""
    leadIntegrityScore: Optional[int]
    """Quality of the lead: 10 to 9 outstanding, 8 to 7 strong, 6 to 5 moderate, 4 to 3 weak, 2 to 1 very weak, 0 unreliable. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined."""
    leadIntegrityDefects: Optional[List[Literal["zoning", "occupancy", "structure", "surname"]]]
    """What lowered the score. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined."""
    salesHacks: Optional[SalesHacks]
    """Advice that goes with the scores. Sent only with `salesHacksOn=true`. Null where nothing matched."""


class BuyingStyles(TypedDict):
    """One score for each buying style."""
    savvyShopperScore: Optional[int]
    """How much the owner compares: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined."""
    brandLoyalistScore: Optional[int]
    """How much the owner stays with a brand: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined."""
    trendsetterScore: Optional[int]
    """How much the owner likes what is new: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined."""
    budgetsavvyBuyerScore: Optional[int]
    """How much the owner minds the budget: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined."""
    qualityFirstBuyerScore: Optional[int]
    """How much the owner puts quality first: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined."""
    impulseShopperScore: Optional[int]
    """How much the owner buys on impulse: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined."""
    popularPicksScore: Optional[int]
    """How much the owner buys what others buy: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be determined."""


class SalesHacks(TypedDict):
    payHack: Optional[str]
    """What to do about the pay score. Null where it says nothing."""
    elevateHack: Optional[str]
    """What to do about the elevate score. Null where it says nothing."""
    buyerInsightHacks: StyleHacks
    """Advice for every buying style."""


class StyleHacks(TypedDict):
    """The advice for every style with a score of 8 or more."""
    savvyShopperHack: Optional[str]
    """Advice for a savvy shopper. Null unless that score is 8 or higher."""
    brandLoyalistHack: Optional[str]
    """Advice for a brand loyalist. Null unless that score is 8 or higher."""
    trendsetterHack: Optional[str]
    """Advice for a trendsetter. Null unless that score is 8 or higher."""
    budgetsavvyBuyerHack: Optional[str]
    """Advice for a budget-savvy buyer. Null unless that score is 8 or higher."""
    qualityFirstBuyerHack: Optional[str]
    """Advice for a quality-first buyer. Null unless that score is 8 or higher."""
    impulseShopperHack: Optional[str]
    """Advice for an impulse shopper. Null unless that score is 8 or higher."""
    popularPicksHack: Optional[str]
    """Advice for a buyer of popular picks. Null unless that score is 8 or higher."""


class RoofEstimateRecord(TypedDict):
    """The roof at an address and what a new one would cost: an approximation, which replaces no inspection."""
    timestamp: str
    """When the answer was made, in UTC."""
    roofArea: Optional[float]
    """Total area of the roof along its slope, in square feet. Null where it cannot be determined."""
    squaresWithPitch: Optional[float]
    """The same in squares; a square is 100 square feet. Null where it cannot be determined."""
    averageRoofPitch: Optional[float]
    """Average pitch, in degrees. Null where it cannot be determined."""
    roofComplexityLevel: Optional[Literal["simple", "average", "complex"]]
    """How complex the roof is, by the number of its facets. Null where it cannot be determined."""
    roofMaterial: Optional[Literal["asphalt shingle", "slate", "tile", "metal", "other"]]
    """The material of the estimate: the requested one, or asphalt shingle. Null where there is no estimate."""
    installedPrice: Optional[float]
    """Price of one installed square, in US dollars: the requested one, or that of the reference table. Null where there is no estimate."""
    roofCostEstimate: Optional[float]
    """Estimated cost of the whole roof, in US dollars. An approximation, which replaces no inspection. Null where it cannot be determined."""
    structurePresentConfidenceScore: Optional[int]
    """100: the data are those of the primary structure at this very address. 50: they may be those of a structure nearby. Null where there are none."""
    dataAccurcyAlerts: Alerts
    """What is unusual about the measurement and should be looked at. The name is spelled as the API spells it."""


class Alerts(TypedDict):
    roofPitchAlert: Optional[Literal["LOW_PITCH", "HIGH_PITCH", "NO_ALERTS"]]
    """Whether the pitch is unusual. Null where it cannot be determined."""
    roofAreaAlert: Optional[Literal["LOW_AREA", "HIGH_AREA", "NO_ALERTS"]]
    """Whether the area is unusual. Null where it cannot be determined."""


class _SolarIndexRecord(TypedDict):
    timestamp: str
    """When the answer was made, in UTC."""
    solarIndex: Optional[float]
    """How likely the household takes up solar power, 0 to 10 with two decimals. Null where it cannot be determined."""
    prospectFitLevel: Optional[Literal["Ideal", "Moderate", "Weak"]]
    """The index in words: `Ideal` from 8.33, `Moderate` from 5.0, `Weak` below. Null where it cannot be determined."""
    prospectAttitude: Optional[str]
    """What to lead with, one of three texts. Null where it cannot be determined."""
    accuracyCode: Literal["P", "A", "G", "N"]
    """Whom index, level and message are about. A client should accept `H` as well. `P`: The owner at the address; `A`: A household at the address; `G`: Owners in the area; `N`: Nothing matched."""
    primaryOwner: Optional[str]
    """Full name of the primary owner. Null where it is not known, and always where the address was matched only approximately."""
    secondaryOwner: Optional[str]
    """Full name of the second owner. Null if there is no second owner or the name is not known."""
    ownerOccupied: Optional[bool]
    """Whether an owner lives at the address. Null where it is not known."""
    homeBuiltYear: Optional[str]
    """Year in which the primary structure was built. Null where it is not known."""
    yearsInHome: Optional[str]
    """Full years for which the primary owner has owned the property. Null where it is not known."""
    county: Optional[str]
    """Name of the county. Null where it is not known."""
    subdivision: Optional[str]
    """Name of the subdivision. Null where it has none or it is not known."""
    school: Optional[str]
    """Name of the school district. Null where it is not known."""
    propertyType: Optional[str]
    """General kind of the property. Null where it is not known."""
    areaBuildingSize: Optional[str]
    """Area of all structures on the property together, in square feet. Null where it is not known."""
    scructurePresent: Optional[bool]
    """Whether a structure stands at the address. The name is spelled as the API spells it. Null where it is not known."""


class SolarIndexRecord(_SolarIndexRecord, total=False):
    """How likely the household at an address takes up solar power, with the details of the property."""
    leadIntegrityScore: Optional[int]
    """Quality of the lead: 10 to 9 outstanding, 8 to 7 strong, 6 to 5 moderate, 4 to 3 weak, 2 to 1 very weak, 0 unreliable. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined."""
    leadIntegrityDefects: Optional[List[Literal["zoning", "occupancy", "structure", "surname"]]]
    """What lowered the score. Sent only with `leadIntegrityScoreOn=true`. Null where it cannot be determined."""


class UtilityBillRecord(TypedDict):
    """The utility bill of the last twelve months, worked out from homes like this one."""
    timestamp: str
    """When the answer was made, in UTC."""
    status: Literal["success", "error"]
    """Whether a bill could be worked out."""
    message: str
    """The result in words."""
    address: str
    """The full address that was used."""
    data: UtilityData
    """The bill of the last twelve months."""


class UtilityDataUnits(TypedDict):
    """The units of the numbers."""
    consumption: str
    """Of consumption."""
    cost: str
    """Of costs."""
    emissions: str
    """Of emissions."""
    emissionRate: str
    """Of emission rates."""
    utilityRate: str
    """Of utility rates."""


class UtilityDataRatios(TypedDict):
    """How the two compare. Null where they cannot be determined."""
    electricToFossilRatio: Optional[float]
    """Energy from electricity for each unit from fuel: below 1 the home uses more fuel. Null where it uses only electricity."""


class UtilityData(TypedDict):
    units: UtilityDataUnits
    """The units of the numbers."""
    electricity: Optional[Electricity]
    """Electricity. Null where it cannot be determined."""
    fossilFuel: Optional[FossilFuel]
    """Gas, oil or propane. Null where the home uses none or it cannot be determined."""
    ratios: Optional[UtilityDataRatios]
    """How the two compare. Null where they cannot be determined."""


class ElectricityQuarterAverageConsumption(TypedDict):
    """Mean consumption of a month in each quarter, in kWh."""
    q1: float
    """January to March."""
    q2: float
    """April to June."""
    q3: float
    """July to September."""
    q4: float
    """October to December."""


class ElectricityQuarterAverageCost(TypedDict):
    """Mean cost of a month in each quarter, in US dollars."""
    q1: float
    """January to March."""
    q2: float
    """April to June."""
    q3: float
    """July to September."""
    q4: float
    """October to December."""


class ElectricityPeakMonth(TypedDict):
    """The month with the highest consumption."""
    name: str
    """Its name."""
    consumption: float
    """Its consumption, in kWh."""
    cost: float
    """Its cost, in US dollars."""


class Electricity(TypedDict):
    monthlyAverageConsumption: float
    """Mean consumption of a month, in kWh."""
    monthlyAverageCost: float
    """Mean cost of a month, in US dollars."""
    annualConsumption: float
    """Consumption of the last twelve months, in kWh."""
    annualCost: float
    """Cost of the last twelve months, in US dollars."""
    monthlyAverageUtilityRate: float
    """Price of a kWh, in US dollars."""
    quarterAverageConsumption: ElectricityQuarterAverageConsumption
    """Mean consumption of a month in each quarter, in kWh."""
    quarterAverageCost: ElectricityQuarterAverageCost
    """Mean cost of a month in each quarter, in US dollars."""
    peakMonth: ElectricityPeakMonth
    """The month with the highest consumption."""
    emissions: Optional[Emissions]
    """What making it emits. Null where it cannot be determined."""


class EmissionsPeakMonth(TypedDict):
    """The month with the highest emissions."""
    emissions: float
    """Pounds of CO2 equivalent."""


class Emissions(TypedDict):
    annualEmissions: float
    """Of the last twelve months, in pounds of CO2 equivalent."""
    monthlyAverageEmissions: float
    """Mean of a month, in pounds of CO2 equivalent."""
    monthlyAverageEmissionRate: float
    """Pounds of CO2 equivalent for each kWh."""
    peakMonth: EmissionsPeakMonth
    """The month with the highest emissions."""


class FossilFuel(TypedDict):
    type: str
    """Which fuel."""
    annualConsumption: float
    """Consumption of the last twelve months, in the unit of the fuel: therms or gallons."""
    annualCost: float
    """Cost of the last twelve months, in US dollars."""
    monthlyAverageUtilityRate: float
    """Price of a therm or a gallon, in US dollars."""


UsageReport = TypedDict("UsageReport", {
    # The first day, in UTC.
    "from": 'str',
    # The last day, in UTC.
    "to": 'str',
    # What is left of the balance now, in whole cents of a US dollar. Null where the account is not prepaid, and for a sandbox key.
    "balanceCents": 'Optional[int]',
    # The sums of all lines.
    "total": 'UsageSums',
    # A line for each day, environment, key and product with look-ups, the oldest day first.
    "data": 'List[UsageOfDay]',
})


class UsageSums(TypedDict):
    calls: int
    """Look-ups that were answered."""
    billed: int
    """Of these, the billed ones: a home was found, and the key is for production."""
    amountCents: int
    """The prices of the billed ones, in whole cents of a US dollar."""
    fromBalanceCents: int
    """What was taken from the balance for them, in whole cents of a US dollar: 0 while the account was not prepaid."""


class UsageOfDay(TypedDict):
    day: str
    """The day in which the look-ups began, in UTC."""
    environment: str
    """Where the key works: `sandbox` or `production`."""
    keyId: str
    """Id of the key: the eight characters after `production_` or `sandbox_`."""
    product: str
    """The last part of the look-up's path."""
    calls: int
    """Look-ups that were answered."""
    billed: int
    """Of these, the billed ones: a home was found, and the key is for production."""
    amountCents: int
    """The prices of the billed ones, in whole cents of a US dollar."""
    fromBalanceCents: int
    """What was taken from the balance for them, in whole cents of a US dollar: 0 while the account was not prepaid."""


class WidgetRecord(TypedDict):
    """The widget record of the contract: the configuration with its defaults filled in, and the links."""
    referenceId: str
    """Your own id of the widget: a UUID that no other of your widgets has in this environment. It cannot be changed. The links hold it too, unless somebody was first with it."""
    elementType: Literal["button", "banner", "custom"]
    """What opens it on the page; `custom` opens from elements that the page marks itself. By default `button`."""
    elementSize: Literal["small", "medium", "large"]
    """How large that is. By default `medium`."""
    elementLocation: Optional[Literal["bottom_right", "bottom_left", "side_right", "side_left", "top", "bottom"]]
    """Where it stands: a `button` at `bottom_right` (the default), `bottom_left`, `side_right` or `side_left`; a `banner` at `top` or `bottom` (the default). Null for `custom`, which its page places."""
    buttonText: str
    """Text on the button. By default "Get my roof estimate"."""
    buttonTextColor: str
    """Color of that text. By default black or white, whichever can be read better."""
    buttonBackgroundColor: str
    """Color of the button. By default `primaryColor`."""
    bannerText: Optional[str]
    """Text on the banner, beside the button. Null without one."""
    bannerBackgroundColor: str
    """Color of the banner. By default `primaryColor`."""
    primaryColor: str
    """Color of primary buttons, QR codes and titles."""
    secondaryColor: str
    """Color of secondary buttons."""
    backgroundColor: str
    """Color behind the hosted widget."""
    cardBackgroundColor: str
    """Color of the cards."""
    textColor: str
    """Color of texts."""
    linkColor: str
    """Color of links."""
    footerCompanyName: str
    """Company name in the footer."""
    footerPirvacyPolicyLink: str
    """Privacy policy, a link. The name is spelled as the API spells it."""
    footerTermsOfUseLink: Optional[str]
    """Terms of use, a link. Null where there are none."""
    footerLogoUrl: Optional[str]
    """Link to the stored logo of the footer. Null without one."""
    removeFooterLogo: bool
    """Sent as `true`, it removes the footer's logo. In answers always `false`."""
    headerLogoUrl: str
    """Link to the stored logo at the top."""
    status: Literal["active", "inactive"]
    """Whether visitors see it."""
    companyName: str
    """Name of the company."""
    companyPhone: str
    """Its telephone number, in the form `(XXX) XXX-XXXX`."""
    companyEmail: str
    """Its e-mail address. New leads are mailed there as long as no notices are set."""
    companyAddress: str
    """Its postal address."""
    companyUrl: str
    """Its website. QR code and link of the widget lead there."""
    domains: str
    """Sites that may show the widget, with commas between; `*.` stands for any name below. Empty: the host of `companyUrl` and its `www.` twin."""
    firstPageTitle: str
    """Title of the first step."""
    installedPrice: float
    """Installed price of one square of asphalt shingle, in US dollars, greater than 0 and with at most two decimals. By default that of the reference table."""
    widgetScript: str
    """The element for the company's pages."""
    widgetQrCode: str
    """Link to a QR code that opens the widget on the company's site."""
    hostedQrCode: str
    """Link to a QR code that opens the hosted page."""
    widgetLink: str
    """Link that opens the widget on the company's site."""
    hostedPageLink: str
    """Link to the hosted page, which needs no site."""


class LeadPage(TypedDict):
    data: List[Lead]
    """The leads of this page, the newest first."""
    nextCursor: Optional[str]
    """Sent as `cursor`, it gets the next page. Null on the last one."""


class LeadEarlierLead(TypedDict):
    """The first lead of the same person, or else of the same home, at this widget. Whether both are one is for people to judge. Null for the first."""
    id: str
    """Id of that lead."""
    same: Literal["home", "person"]
    """What both have in common. `person`: The e-mail address or the telephone number too."""


class Lead(TypedDict):
    """The lead record of the owner's API and of lead events."""
    id: str
    """Id of the lead."""
    widgetId: str
    """Id of the widget it came through."""
    status: Literal["new", "contacted", "qualified", "won", "lost", "spam"]
    """What became of it."""
    address: str
    """Address of the roof, in one line, as the homeowner confirmed it."""
    firstName: str
    """The homeowner's first name."""
    lastName: str
    """The homeowner's last name."""
    email: Optional[str]
    """The homeowner's e-mail address. Null where the company added the lead without one."""
    phone: Optional[str]
    """The homeowner's telephone number. Null where none was given."""
    preferredContactTime: Optional[Literal["anytime", "morning", "afternoon", "evening"]]
    """When the homeowner wants to be called. Null where it was not said."""
    roofMaterial: Optional[Literal["asphalt shingle", "slate", "tile", "metal", "other"]]
    """The material the homeowner chose. Null where none was chosen."""
    message: Optional[str]
    """What the homeowner wrote. Null where it is nothing."""
    estimate: Optional[ShownEstimate]
    """The estimate as the homeowner saw it; later price changes do not alter it. Null: nothing could be measured, and the person asked for a visit."""
    inspection: Optional[Inspection]
    """The visit that the homeowner asks for: wishes, of which the company confirms one. Null: none was asked for."""
    answers: Answers
    """What the homeowner answered after the estimate. A question that was not asked or was skipped is not in it."""
    source: LeadSource
    """Where the visitor came from."""
    consent: Consent
    """Whether the homeowner agreed to be called, and the evidence of it."""
    firstTouchAt: Optional[str]
    """When somebody of the company first took it up: answered a notice, or changed its status. Null until then."""
    takenBy: Optional[str]
    """Who answered a notice with "I'm on it". Null until somebody has."""
    emailProblem: Optional[str]
    """Why mail to the homeowner does not arrive. Null while nothing is known against it."""
    records: List[ExternalRecord]
    """The same lead in other systems."""
    earlierLead: Optional[LeadEarlierLead]
    """The first lead of the same person, or else of the same home, at this widget. Whether both are one is for people to judge. Null for the first."""
    createdAt: str
    """When it was sent, in UTC."""
    updatedAt: str
    """When it was last changed, in UTC."""


class ShownEstimate(TypedDict):
    """The estimate as the homeowner saw it."""
    roofArea: float
    """Area of the roof along its slope, in square feet."""
    squares: float
    """The same in squares of 100 square feet."""
    averageRoofPitch: float
    """Average pitch, in degrees."""
    roofComplexityLevel: Optional[Literal["simple", "average", "complex"]]
    """How complex the roof is to build. Null where it is not known."""
    structurePresentConfidenceScore: int
    """100: this very building. 50: it may be a neighbor's."""
    alerts: Alerts
    """What is unusual about the measurement."""
    prices: List[MaterialPrice]
    """Every material that was offered."""


class _MaterialPrice(TypedDict):
    material: Literal["asphalt shingle", "slate", "tile", "metal", "other"]
    """The material."""
    pricePerSquare: float
    """Installed price of one square of 100 square feet, in US dollars."""
    cost: float
    """The estimate: squares times price, or the minimum, in US dollars; where there are parts, their sum."""
    low: float
    """Lower end of the range that was shown, in US dollars."""
    high: float
    """Upper end of the range that was shown, in US dollars."""


class MaterialPrice(_MaterialPrice, total=False):
    """One material's sum: squares × price, or the company's minimum for a job where that is more."""
    minimum: float
    """The company's minimum for a job, in US dollars; only where it is the estimate."""
    parts: List[PricePart]
    """What the sum is made of, where the whole roof has not one price. Absent otherwise."""


class InspectionWishesItem(TypedDict):
    """A day and a part of it."""
    date: str
    """The day, where the company is."""
    part: Literal["morning", "afternoon", "evening"]
    """The part of the day."""


class Inspection(TypedDict):
    """What a lead's homeowner has asked for."""
    requestedAt: str
    """When it was asked for, last, in UTC."""
    wishes: List[InspectionWishesItem]
    """One to three times, the dearest first."""
    contactBy: Literal["call", "text", "email"]
    """How the homeowner wants to be told which time it is."""
    note: Optional[str]
    """What the homeowner wrote about the visit. Null where it is nothing."""
    photos: List[Photo]
    """Photographs of the roof, at most five; each is read, with a key, at `/api/v1/leads/{id}/photos/{photo}`."""
    state: Literal["asked", "confirmed", "declined"]
    """Whether the company has answered."""


class Photo(TypedDict):
    """A photograph of the roof, as it is stored: without what the camera wrote into it."""
    id: str
    """Its id."""
    width: int
    """Pixels from left to right."""
    height: int
    """Pixels from top to bottom."""
    bytes: int
    """Size of the file, in bytes."""


class Answers(TypedDict, total=False):
    """The answers of one lead. Every question may be skipped."""
    roofAge: Literal["under-10", "10-20", "over-20", "unknown"]
    """Years of the roof. Absent where it was not answered."""
    leak: Literal["none", "leak", "damage", "unsure"]
    """Whether something is wrong with it. Absent where it was not answered."""
    planned: Literal["now", "this-year", "later", "unsure"]
    """When the work is planned. Absent where it was not answered."""
    contactBy: Literal["call", "text", "email"]
    """How the homeowner wants to be contacted. Absent where it was not answered."""
    contactTime: Literal["anytime", "morning", "afternoon", "evening"]
    """When the homeowner wants to be contacted. Absent where it was not answered."""
    note: str
    """A note. Absent without one."""


class LeadSource(TypedDict):
    """Where the visitor came from."""
    via: Literal["embed", "hosted", "link", "qr", "hand", "import"]
    """How the visitor reached the widget. `hand`: Somebody of the company added it; `import`: It came from a file of the company."""
    language: Literal["en", "es"]
    """The language in which the widget spoke to the homeowner."""
    pageUrl: Optional[str]
    """The page the widget was on. Null where it is not known."""
    referrer: Optional[str]
    """The page before it. Null where it is not known."""
    utmSource: Optional[str]
    """`utm_source` of that page's address. Null where it has none."""
    utmMedium: Optional[str]
    """`utm_medium` of that page's address. Null where it has none."""
    utmCampaign: Optional[str]
    """`utm_campaign` of that page's address. Null where it has none."""
    utmTerm: Optional[str]
    """`utm_term` of that page's address. Null where it has none."""
    utmContent: Optional[str]
    """`utm_content` of that page's address. Null where it has none."""
    clickId: Optional[str]
    """The advertisers' click ids (`gclid`, `fbclid` and others) and what Google and Meta have set on the company's own site (`_ga`, `_fbp` and others), as `name=value&name=value`. Null where there are none."""


class Consent(TypedDict):
    """The consent and the evidence of it."""
    given: bool
    """Whether the homeowner agreed, for the phone number that the lead has now: by ticking the box, or as it was told. Never a condition of the estimate."""
    text: str
    """The text beside the box, word for word."""
    textHash: str
    """BLAKE3 of that text, in hexadecimal."""
    at: str
    """When, in UTC."""
    pageUrl: Optional[str]
    """On which page. Null where it is not known."""
    ip: Optional[str]
    """From which network address. Null where it is not known."""
    userAgent: Optional[str]
    """With which browser. Null where it did not say."""


class _ExternalRecord(TypedDict):
    system: str
    """The connector that made it."""
    id: str
    """Its id there."""
    at: str
    """When it was made, in UTC."""


class ExternalRecord(_ExternalRecord, total=False):
    """The record that a connector made of a lead."""
    link: str
    """Its page there. Absent without one."""


class RepeatedAddress(TypedDict):
    """An address that leads of one widget named again and again on one day."""
    widgetId: str
    """Id of the widget."""
    address: str
    """The address, as the newest of these leads has it."""
    day: str
    """The day, in UTC."""
    leads: int
    """How many leads of that day name it."""
    suspect: int
    """Of these, the ones that no person seems to have sent."""
    newestLead: str
    """Id of the newest of them."""


class Erased(TypedDict):
    id: str
    """Id of the lead."""
    erased: bool
    """Whether its personal data are gone: always true."""


class LeadNote(TypedDict):
    id: str
    """Id of the note."""
    author: str
    """Who wrote it: a person's name, or that of the key."""
    text: str
    """What it says."""
    at: str
    """When it was written."""


class ConsentCertificate(TypedDict):
    """Proves what a homeowner agreed to. `shingle consent verify FILE` checks it offline."""
    form: Literal["shingle-consent-1"]
    """The form of this certificate."""
    accountId: str
    """Id of the company's account."""
    accountName: str
    """Its name."""
    issuedAt: str
    """When the certificate was made, in UTC."""
    consents: List[CertifiedConsent]
    """Each consent of the lead, the oldest first."""
    head: Head
    """The end of the account's chain at that time."""
    key: str
    """The installation's public key (Ed25519), in hexadecimal."""
    signature: str
    """Its signature, in Base64."""


class CertifiedConsent(TypedDict):
    """A consent with all that is needed to check it."""
    evidence: Evidence
    """What was recorded."""
    salt: Salt
    """The key of the fields' digests."""
    digests: Dict[str, str]
    """The digest of each field: HMAC-SHA256 of its name and value under the salt."""
    place: Place
    """Where it stands in the chain of the account."""


class Evidence(TypedDict):
    """Who agreed to what, when and where. A field is null where it is not known; of consents that were recorded before there was a chain, nobody wrote down who agreed."""
    id: str
    """Id of the consent."""
    accountId: str
    """Id of the account."""
    environment: Literal["sandbox", "production"]
    """Whether the home is real."""
    leadId: str
    """Id of the lead."""
    widgetId: str
    """Id of the widget."""
    firstName: Optional[str]
    """The first name as it was typed then. Null where nobody wrote it down."""
    lastName: Optional[str]
    """The last name as it was typed then. Null where nobody wrote it down."""
    email: Optional[str]
    """The e-mail address as it was typed then. Null where nobody wrote it down."""
    phone: Optional[str]
    """The telephone number as it was typed then: the one that may be called. Null where none was given."""
    address: Optional[str]
    """The address of the roof. Null where nobody wrote it down."""
    given: bool
    """Whether the box was ticked."""
    text: str
    """The text beside the box, word for word."""
    textHash: str
    """BLAKE3 of that text, in hexadecimal."""
    at: str
    """When, in UTC."""
    pageUrl: Optional[str]
    """On which page. Null where it is not known."""
    ip: Optional[str]
    """From which network address. Null where it is not known."""
    userAgent: Optional[str]
    """With which browser. Null where it did not say."""


class Place(TypedDict):
    """Where a consent stands in the chain of its account."""
    sequence: int
    """Its number among the consents of the account, from 1."""
    previous: str
    """The link of the consent before it; zeros before the first."""
    link: str
    """Stands for this consent and all before it."""


class Head(TypedDict):
    """The end of a chain."""
    sequence: int
    """How many consents the account has recorded."""
    link: str
    """The link of the last one."""


class Revoked(TypedDict):
    id: str
    """Id of the lead."""
    revoked: bool
    """Whether the link is off: always true."""


class DeliveryList(TypedDict):
    data: List[DeliveryView]
    """The deliveries of this page, the newest first."""
    nextCursor: Optional[str]
    """Sent as `cursor`, it gets the next page. Null on the last one."""


class _DeliveryView(TypedDict):
    id: str
    """Id of the delivery."""
    destinationId: str
    """Id of the webhook or connector that it goes to."""
    eventId: str
    """Id of the event, the same for every destination and attempt."""
    event: str
    """Kind of the event: one that a webhook can want, or `ping`, a test."""
    resourceId: str
    """Id of the lead or widget that it is about."""
    sequence: int
    """Counts the events of that lead or widget from 1."""
    state: Literal["pending", "delivered", "failed", "skipped", "waiting"]
    """Where it stands. `waiting`: For the delivery before it."""
    reason: Optional[str]
    """Why it is in that state, where that needs a reason. Null otherwise."""
    attemptCount: int
    """Attempts so far."""
    nextAttemptAt: Optional[str]
    """When it is tried next, in UTC. Null unless it is pending."""
    createdAt: str
    """When the event happened, in UTC."""
    firstAttemptAt: Optional[str]
    """When it was first tried, in UTC. Null before that."""
    completedAt: Optional[str]
    """When it was delivered, given up or skipped, in UTC. Null before that."""


class DeliveryView(_DeliveryView, total=False):
    attempts: List[AttemptView]
    """Every attempt, the first one first. Absent in lists."""


class AttemptView(TypedDict):
    number: int
    """Counts from 1."""
    startedAt: str
    """When it began, in UTC."""
    durationMs: int
    """How long it took, in milliseconds."""
    delivered: bool
    """Whether it was a success."""
    status: Optional[int]
    """HTTP status of the answer. Null where none arrived."""
    cause: Optional[str]
    """Why it failed. Null where it did not."""
    exchange: Optional[Dict[str, Any]]
    """Request and response, without secrets. Null where nothing was sent, and once the lead is erased."""


class _Webhook(TypedDict):
    id: str
    """Id of the webhook."""
    name: str
    """Its name, for people."""
    url: str
    """The address that events are posted to."""
    events: List[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]]
    """The events it gets."""
    active: bool
    """Whether events are sent."""
    failureCount: int
    """Attempts that failed."""
    successCount: int
    """Deliveries that succeeded."""
    lastFailureAt: Optional[str]
    """When an attempt last failed, in UTC. Null: never."""
    lastSuccessAt: Optional[str]
    """When a delivery last succeeded, in UTC. Null: never."""
    timeoutSeconds: int
    """Seconds to wait for the status of an answer before the attempt counts as failed. By default 15."""
    createdAt: str
    """When it was made, in UTC."""
    updatedAt: str
    """When it was last changed, in UTC."""


class Webhook(_Webhook, total=False):
    """Beyond the document: left out of the record where they have their usual values."""
    inactiveReason: str
    """Why it was switched off by itself. Absent where it was not."""
    headers: List[str]
    """Names of the headers that are sent with every event. Their values are not shown. Absent where there are none."""
    widgets: List[str]
    """Only events of these widgets and of their leads. Absent: of all."""
    payload: Literal["full", "thin"]
    """How much of a record an event carries. Absent: `full`. `thin`: The id alone: the receiver fetches the record with its key. Keeps personal data off the wire."""
    ordered: bool
    """Whether the events of one lead or widget arrive in order, one waiting for the one before. Absent: no."""
    secret: str
    """The key of its signatures. Shown once: when the webhook is made, or its secret renewed."""


class Started(TypedDict):
    deliveryId: str
    """Id of the new delivery."""


class Replayed(TypedDict):
    replayed: int
    """How many deliveries are sent again."""


class ConnectorView(TypedDict):
    name: str
    """Its name in requests."""
    title: str
    """Its name for people."""
    kind: Literal["crm", "chat", "sms", "conversion", "sheet", "hook"]
    """What it connects to. `hook`: The other side subscribes to webhooks by itself: the file explains how, and sends nothing."""
    about: str
    """What it does."""
    documentation: str
    """Where the other side describes its interface."""
    tried: Literal["documentation", "service"]
    """What it was tried against: `documentation` means never against the real service."""
    steps: List[str]
    """What to do to set it up, one step each."""
    script: Optional[str]
    """A script to run on the other side. Null where none is needed."""
    settings: List[SettingDeclaration]
    """What it has to be given."""


class SettingDeclaration(TypedDict):
    """A setting as a connector's file declares it."""
    name: str
    """Its name in requests."""
    label: str
    """Its name for people."""
    hint: Optional[str]
    """Where to find the value. Null where nothing is said."""
    kind: Literal["number", "choice", "text", "id", "url", "phone"]
    """What kind of value it has. `text`: One line of text; `id`: Letters, digits and `-_.:@`: an id or a key of the target; `url`: An address of the target's; the only kind that may say where a request goes; `phone`: A telephone number in the form `+12075550163`."""
    secret: bool
    """Whether it is kept secret and never shown again."""
    required: bool
    """Whether it has to be given."""
    default: Optional[str]
    """Its value where none is given. Null where it has none."""
    options: List[str]
    """The values of a choice. Empty for other kinds."""
    hosts: List[str]
    """The hosts that a URL may name; `.example.com` stands for every host below. Empty: any public host."""


class DestinationView(TypedDict):
    id: str
    """Id of the destination."""
    connector: str
    """Name of its connector."""
    name: str
    """Its name, for people."""
    settings: Dict[str, str]
    """What it was given; secrets are shown as `[secret]`."""
    widgets: List[str]
    """Only leads of these widgets. Empty: of all."""
    active: bool
    """Whether it is served."""
    inactiveReason: Optional[str]
    """Why it was switched off by itself. Null where it was not."""
    failureCount: int
    """Attempts that failed."""
    successCount: int
    """Deliveries that succeeded."""
    lastFailureAt: Optional[str]
    """When an attempt last failed, in UTC. Null: never."""
    lastSuccessAt: Optional[str]
    """When a delivery last succeeded, in UTC. Null: never."""
    createdAt: str
    """When it was made, in UTC."""
    updatedAt: str
    """When it was last changed, in UTC."""


NoticeSettingsQuietHours = TypedDict("NoticeSettingsQuietHours", {
    # When they begin.
    "from": 'str',
    # When they end; past midnight where it is the earlier time.
    "to": 'str',
})


class NoticeSettings(TypedDict):
    """What an account has decided about notices."""
    recipients: List[Recipient]
    """Who is notified of leads, in that order. Empty: each widget's `companyEmail`."""
    escalateAfterMinutes: Optional[int]
    """Minutes without a touch until the next person is told, and after the last one everybody. Null: all are told at once, and nobody is reminded."""
    timeZone: str
    """Name of the time zone of the hours below, as IANA lists it. By default `UTC`."""
    workingHours: List[WorkingHours]
    """Reminders wait for these hours. Empty: they come at any time."""
    quietHours: Optional[NoticeSettingsQuietHours]
    """Nothing is sent in these hours; it comes when they end. Null: there are none."""
    digestAt: Optional[str]
    """When the summary of the day before is sent. Null: never."""
    homeownerCopy: bool
    """Whether homeowners get their estimate by mail."""
    mutedWidgets: List[str]
    """Widgets about which nobody is told."""


class Recipient(TypedDict):
    email: str
    """Where the notices go."""
    name: Optional[str]
    """Named on the lead when this person takes it. Null: the e-mail address is."""
    language: Literal["en", "es"]
    """The language of the notices. By default `en`."""
    widgets: List[str]
    """Only leads of these widgets. Empty: of all."""
    leads: bool
    """Whether this person is notified of leads. By default yes."""
    digest: bool
    """Whether this person gets the summary of the day. By default yes."""
    report: bool
    """Whether this person gets the report of the month before, as a PDF, on the first working day. By default no."""


WorkingHours = TypedDict("WorkingHours", {
    # The days they are on.
    "days": 'List[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]]',
    # When they begin.
    "from": 'str',
    # When they end: later than `from`.
    "to": 'str',
})


class PersonExport(TypedDict):
    """Everything that is stored of a person."""
    exportedAt: str
    """When this was put together, in UTC."""
    data: List[PersonRecord]
    """Lead by lead, the newest first. Empty: nothing is stored of this person."""


class PersonRecord(TypedDict):
    """What is stored of one lead."""
    lead: Lead
    """The lead."""
    shown: Optional[Dict[str, Any]]
    """The estimate as it was shown, as the page got it. Null where there was none."""
    consents: List[Evidence]
    """Everything that was agreed to, or not, the oldest first."""
    photos: List[Photo]
    """The photographs of the roof."""
    files: List[PersonFile]
    """The files that the company keeps with it, without what is in them."""
    loss: Optional[Loss]
    """Why the company lost it. Null where it is not lost or nobody said."""
    quotes: List[PersonQuote]
    """The quotes that the company made, the newest first."""
    recipients: List[Recipient2]
    """Who was notified of the lead, as far as the log of deliveries goes back. What they hold is not erased from here."""


class PersonFile(TypedDict):
    """A file that a company keeps with a lead."""
    name: str
    """Its name."""
    bytes: int
    """How many bytes it has."""
    addedAt: str
    """When it was added, in UTC."""


class Loss(TypedDict):
    """A reason from the list, and more in the company's own words."""
    reason: Literal["price", "otherCompany", "noAnswer", "timing", "notOurWork", "other"]
    """The reason from the list."""
    more: Optional[str]
    """More about it. Null where nothing more was said."""


class PersonQuote(TypedDict):
    """A quote to the person."""
    number: Optional[str]
    """Its number; of a later revision with that behind it. Null: it is a draft."""
    state: Literal["draft", "sent", "accepted", "declined", "withdrawn", "replaced"]
    """Where it stands: `draft`, `sent`, `accepted`, `declined`, `withdrawn` or `replaced`. `replaced`: Another revision took its place."""
    sentAt: Optional[str]
    """When it was sent, in UTC. Null: it was not."""
    answeredAt: Optional[str]
    """When it was accepted or declined, in UTC. Null: it was not."""
    acceptedBy: Optional[str]
    """The name that was typed to accept it. Null: nobody has."""
    declineReason: Optional[str]
    """Why it was declined. Null where nothing was said."""
    choices: List[str]
    """What it offers, a text each, with the price before tax."""
    accepted: Optional[str]
    """What was accepted. Null: nothing."""
    message: str
    """What the company wrote to the person. Empty: nothing."""


class Recipient2(TypedDict):
    """Where a lead was sent."""
    kind: str
    """What it is."""
    name: str
    """Its name."""
    address: str
    """Its address: a URL or a mailbox."""
    lastSentAt: str
    """When the last of it arrived there, in UTC."""


class ErasedPerson(TypedDict):
    leads: List[str]
    """Ids of the leads that were erased, the newest first."""


class RetentionView(TypedDict):
    """How long leads are kept."""
    days: Optional[int]
    """Leads that came earlier than so many days ago are erased. Null: they are kept."""
    actsFrom: Optional[str]
    """When this begins to act, in UTC: a day after it was set. Null while leads are kept."""
    due: Optional[DueForErasure]
    """What is older than `days` of the query, or else than the account keeps leads. Null where neither says a number."""


class DueForErasure(TypedDict):
    """What would be erased now."""
    leads: int
    """How many leads."""
    oldest: Optional[str]
    """When the oldest of them came, in UTC. Null without one."""
    newest: Optional[str]
    """When the newest of them came, in UTC. Null without one."""


class ErrorBody(TypedDict):
    """The body of the response to every failed request."""
    message: Union[str, List[str]]
    """What is wrong: one sentence, or for broken field rules a list with a sentence for each, in the order of the fields."""
    error: str
    """The status in words."""
    statusCode: int
    """The status of the answer."""


class WidgetSettingsPrices(TypedDict, total=False):
    """Installed prices of one square of 100 square feet by material, beside installedPrice of the record, which is that of asphalt."""
    metal: Optional[float]
    """Dollars, at most 2 decimals, for one square of metal. Null: estimated from the price of asphalt."""
    tile: Optional[float]
    """Dollars, at most 2 decimals, for one square of tile. Null: estimated from the price of asphalt."""
    slate: Optional[float]
    """Dollars, at most 2 decimals, for one square of slate. Null: estimated from the price of asphalt."""
    lowSlope: Optional[float]
    """Dollars, at most 2 decimals, for one square under 2/12, which is priced as a membrane. Null: estimated from the price of asphalt."""
    steep: Optional[float]
    """Dollars, at most 2 decimals, added for one square that a survey measured from 8/12 to under 10/12. Null: nothing is added."""
    verySteep: Optional[float]
    """The same from 10/12 on. Null: as much as for steep."""
    twoStories: Optional[float]
    """Dollars, at most 2 decimals, added for one square of a house of two stories, where the records say so. Null: nothing is added."""
    threeStories: Optional[float]
    """The same for three stories or more. Null: as much as for two."""
    minimum: Optional[float]
    """Dollars, at most 2 decimals, that a job costs at least: no estimate of the widget goes below it. Null: none."""


class _WidgetSettingsMonthlyPayment(TypedDict):
    aprPercent: float
    """Percent a year, at most 3 decimals."""
    months: int
    """How many payments."""
    leastAmount: float
    """Dollars, at most 2 decimals: no example for smaller prices."""


class WidgetSettingsMonthlyPayment(_WidgetSettingsMonthlyPayment, total=False):
    """Terms of the monthly example below the price: equal payments, no down payment, the yearly rate a twelfth a month, rounded to the cent. Shown with rate, number of payments, their sum, and that it is no offer. Null: there is no example."""
    link: Optional[str]
    """Where the financing is explained."""


class WidgetSettingsRating(TypedDict):
    """The mean of published reviews. Shown as a link to them."""
    value: float
    """Out of 5, at most 1 decimal."""
    count: int
    """How many reviews."""
    link: str
    """Where the reviews are."""


class WidgetSettingsMail(TypedDict, total=False):
    """Mails about leads of this widget."""
    homeownerCopy: bool
    """false: homeowners get no copy of their estimate by mail. true: they get one where the account's notices send copies (homeownerCopy of /api/v1/notices), which is off until it is switched on there."""


WidgetSettingsWorkingHoursVisitsItemMorning = TypedDict("WidgetSettingsWorkingHoursVisitsItemMorning", {
    # HH:MM.
    "from": 'str',
    # HH:MM.
    "to": 'str',
})


WidgetSettingsWorkingHoursVisitsItemAfternoon = TypedDict("WidgetSettingsWorkingHoursVisitsItemAfternoon", {
    # HH:MM.
    "from": 'str',
    # HH:MM.
    "to": 'str',
})


WidgetSettingsWorkingHoursVisitsItemEvening = TypedDict("WidgetSettingsWorkingHoursVisitsItemEvening", {
    # HH:MM.
    "from": 'str',
    # HH:MM.
    "to": 'str',
})


class _WidgetSettingsWorkingHoursVisitsItem(TypedDict):
    days: List[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]]


class WidgetSettingsWorkingHoursVisitsItem(_WidgetSettingsWorkingHoursVisitsItem, total=False):
    morning: Optional[WidgetSettingsWorkingHoursVisitsItemMorning]
    """At least one of the three, in this order and without overlap."""
    afternoon: Optional[WidgetSettingsWorkingHoursVisitsItemAfternoon]
    """As morning."""
    evening: Optional[WidgetSettingsWorkingHoursVisitsItemEvening]
    """As morning."""


class WidgetSettingsWorkingHours(TypedDict):
    """When an inspection can be asked for. Null: the workingHours of /api/v1/notices, cut at 12:00 and 17:00, where those are set."""
    timeZone: str
    """IANA name."""
    visits: List[WidgetSettingsWorkingHoursVisitsItem]
    """Each day at most once; a day or part that is missing is not offered."""


class WidgetSettingsTextsEn(TypedDict, total=False):
    """Replaces single texts where the page is in this language; what is missing is said as in the record, and as above."""
    firstPageTitle: Optional[str]
    """The record's firstPageTitle."""
    buttonText: Optional[str]
    """The record's buttonText."""
    bannerText: Optional[str]
    """The record's bannerText."""
    priceIncludes: List[str]
    """priceIncludes above."""
    priceExcludes: List[str]
    """priceExcludes above."""
    license: Optional[str]
    """license above."""
    privacy: Optional[str]
    """The page /w/{id}/privacy in this language, in place of what this server says there. An empty line begins a paragraph. Only shown where the widget has no privacy policy of its own."""


class WidgetSettingsTextsEs(TypedDict, total=False):
    """Replaces single texts where the page is in this language; what is missing is said as in the record, and as above."""
    firstPageTitle: Optional[str]
    """The record's firstPageTitle."""
    buttonText: Optional[str]
    """The record's buttonText."""
    bannerText: Optional[str]
    """The record's bannerText."""
    priceIncludes: List[str]
    """priceIncludes above."""
    priceExcludes: List[str]
    """priceExcludes above."""
    license: Optional[str]
    """license above."""
    privacy: Optional[str]
    """The page /w/{id}/privacy in this language, in place of what this server says there. An empty line begins a paragraph. Only shown where the widget has no privacy policy of its own."""


class WidgetSettingsTexts(TypedDict, total=False):
    """The contractor's own texts by language."""
    en: WidgetSettingsTextsEn
    """Replaces single texts where the page is in this language; what is missing is said as in the record, and as above."""
    es: WidgetSettingsTextsEs
    """Replaces single texts where the page is in this language; what is missing is said as in the record, and as above."""


class WidgetSettingsLauncher(TypedDict, total=False):
    """How far the button, or the banner, is moved from its usual place into the page, in CSS pixels."""
    offsetX: int
    offsetY: int


class WidgetSettingsAerialPhotos(TypedDict, total=False):
    """Whether a photograph from the air lies under the drawing of a home, where this server has one, and how many years old it may be; null: however old."""
    show: bool
    oldestYears: Optional[int]


class WidgetSettingsSelfBooking(TypedDict, total=False):
    """Whether homeowners book a free time themselves, and which times are free: those within workingHours that leave the way between two visits."""
    on: bool
    minutes: int
    """How long a visit takes."""
    travelMinutes: int
    """Kept free between two visits."""
    noticeHours: int
    """From the booking to the visit, at least."""
    daysAhead: int
    """Days after the first possible one."""
    atOnce: int
    """How many visits may be under way at the same time."""
    daysOff: List[str]
    """Days without visits: 2026-12-25, or the first and the last of several, 2026-12-24/2027-01-01."""


class WidgetSettings(TypedDict, total=False):
    """GET and PUT /api/v1/roof-estimate-widget/{id}/settings: what a contractor says beside the widget's record, which does not change. GET answers all settings, defaults included; what it answers can be sent back. PUT replaces all of them: what is missing or null becomes the default. A broken rule or a name that is none is a 400 whose message lists all of them. A change is no event. It is seen within minutes, as loader and hosted page are cached that long."""
    priceIncludes: List[str]
    """What the price includes, a line each. Where this and priceExcludes are empty, the estimate says that it is not said."""
    priceExcludes: List[str]
    """What the price does not include, a line each."""
    prices: WidgetSettingsPrices
    """Installed prices of one square of 100 square feet by material, beside installedPrice of the record, which is that of asphalt."""
    monthlyPayment: Optional[WidgetSettingsMonthlyPayment]
    """Terms of the monthly example below the price: equal payments, no down payment, the yearly rate a twelfth a month, rounded to the cent. Shown with rate, number of payments, their sum, and that it is no offer. Null: there is no example."""
    license: Optional[str]
    """The licence as it is to be shown, after the word License."""
    rating: Optional[WidgetSettingsRating]
    """The mean of published reviews. Shown as a link to them."""
    questions: List[Literal["roofAge", "leak", "planned", "contactTime", "note"]]
    """What is asked after the estimate, one tap each, all of them optional for the homeowner: the age of the roof, leak or damage, when it is planned, the way and time of contact, a note. The answers are in the lead."""
    mail: WidgetSettingsMail
    """Mails about leads of this widget."""
    workingHours: Optional[WidgetSettingsWorkingHours]
    """When an inspection can be asked for. Null: the workingHours of /api/v1/notices, cut at 12:00 and 17:00, where those are set."""
    texts: WidgetSettingsTexts
    """The contractor's own texts by language."""
    launcher: WidgetSettingsLauncher
    """How far the button, or the banner, is moved from its usual place into the page, in CSS pixels."""
    fetchAhead: Literal["intent", "dwell", "idle"]
    """When the page may fetch what the dialog needs. intent: when a pointer or the focus comes near the launcher. dwell: then, or when a visitor has stayed for ten seconds. idle: as soon as the page has nothing else to do. A tap always fetches; visitors who save data are fetched nothing ahead."""
    aerialPhotos: WidgetSettingsAerialPhotos
    """Whether a photograph from the air lies under the drawing of a home, where this server has one, and how many years old it may be; null: however old."""
    selfBooking: WidgetSettingsSelfBooking
    """Whether homeowners book a free time themselves, and which times are free: those within workingHours that leave the way between two visits."""


class AddressInfoAnswer(AddressInfoRecord, IncludedParts):
    pass


class AddressInfoV2Answer(AddressInfoRecord, IncludedParts):
    pass


class BuyerInsightsAnswer(BuyerInsightsRecord, IncludedParts):
    pass


class RoofEstimateAnswer(RoofEstimateRecord, IncludedParts):
    pass


class SolarIndexAnswer(SolarIndexRecord, IncludedParts):
    pass


class UtilityBillAnswer(UtilityBillRecord, IncludedParts):
    pass


class _CreateWidgetBody(TypedDict):
    referenceId: str
    """Your own id of the widget: a UUID that no other of your widgets has in this environment. It cannot be changed. The links hold it too, unless somebody was first with it."""
    primaryColor: str
    """Color of primary buttons, QR codes and titles."""
    secondaryColor: str
    """Color of secondary buttons."""
    backgroundColor: str
    """Color behind the hosted widget."""
    cardBackgroundColor: str
    """Color of the cards."""
    textColor: str
    """Color of texts."""
    linkColor: str
    """Color of links."""
    footerCompanyName: str
    """Company name in the footer."""
    footerPirvacyPolicyLink: str
    """Privacy policy, a link. The name is spelled as the API spells it."""
    status: Literal["active", "inactive"]
    """Whether visitors see it."""
    companyName: str
    """Name of the company."""
    companyPhone: str
    """Its telephone number, in the form `(XXX) XXX-XXXX`."""
    companyEmail: str
    """Its e-mail address. New leads are mailed there as long as no notices are set."""
    companyAddress: str
    """Its postal address."""
    companyUrl: str
    """Its website. QR code and link of the widget lead there."""
    firstPageTitle: str
    """Title of the first step."""
    headerLogo: FileInput
    """Logo at the top: PNG or JPEG, at most 1 MB, best about 300 × 150 pixels."""


class CreateWidgetBody(_CreateWidgetBody, total=False):
    elementType: Literal["button", "banner", "custom"]
    """What opens it on the page; `custom` opens from elements that the page marks itself. By default `button`."""
    elementSize: Literal["small", "medium", "large"]
    """How large that is. By default `medium`."""
    elementLocation: Literal["bottom_right", "bottom_left", "side_right", "side_left", "top", "bottom"]
    """Where it stands: a `button` at `bottom_right` (the default), `bottom_left`, `side_right` or `side_left`; a `banner` at `top` or `bottom` (the default). Null for `custom`, which its page places."""
    buttonText: str
    """Text on the button. By default "Get my roof estimate"."""
    buttonTextColor: str
    """Color of that text. By default black or white, whichever can be read better."""
    buttonBackgroundColor: str
    """Color of the button. By default `primaryColor`."""
    bannerText: str
    """Text on the banner, beside the button. Null without one."""
    bannerBackgroundColor: str
    """Color of the banner. By default `primaryColor`."""
    footerTermsOfUseLink: str
    """Terms of use, a link. Null where there are none."""
    domains: str
    """Sites that may show the widget, with commas between; `*.` stands for any name below. Empty: the host of `companyUrl` and its `www.` twin."""
    installedPrice: float
    """Installed price of one square of asphalt shingle, in US dollars, greater than 0 and with at most two decimals. By default that of the reference table."""
    removeFooterLogo: bool
    """Sent as `true`, it removes the footer's logo. In answers always `false`."""
    footerLogo: FileInput
    """Logo in the footer: PNG or JPEG, at most 1 MB, best about 24 × 24 pixels."""


class UpdateWidgetBody(TypedDict, total=False):
    primaryColor: str
    """Color of primary buttons, QR codes and titles."""
    secondaryColor: str
    """Color of secondary buttons."""
    backgroundColor: str
    """Color behind the hosted widget."""
    cardBackgroundColor: str
    """Color of the cards."""
    textColor: str
    """Color of texts."""
    linkColor: str
    """Color of links."""
    footerCompanyName: str
    """Company name in the footer."""
    footerPirvacyPolicyLink: str
    """Privacy policy, a link. The name is spelled as the API spells it."""
    status: Literal["active", "inactive"]
    """Whether visitors see it."""
    companyName: str
    """Name of the company."""
    companyPhone: str
    """Its telephone number, in the form `(XXX) XXX-XXXX`."""
    companyEmail: str
    """Its e-mail address. New leads are mailed there as long as no notices are set."""
    companyAddress: str
    """Its postal address."""
    companyUrl: str
    """Its website. QR code and link of the widget lead there."""
    firstPageTitle: str
    """Title of the first step."""
    elementType: Literal["button", "banner", "custom"]
    """What opens it on the page; `custom` opens from elements that the page marks itself. By default `button`."""
    elementSize: Literal["small", "medium", "large"]
    """How large that is. By default `medium`."""
    elementLocation: Literal["bottom_right", "bottom_left", "side_right", "side_left", "top", "bottom"]
    """Where it stands: a `button` at `bottom_right` (the default), `bottom_left`, `side_right` or `side_left`; a `banner` at `top` or `bottom` (the default). Null for `custom`, which its page places."""
    buttonText: str
    """Text on the button. By default "Get my roof estimate"."""
    buttonTextColor: str
    """Color of that text. By default black or white, whichever can be read better."""
    buttonBackgroundColor: str
    """Color of the button. By default `primaryColor`."""
    bannerText: str
    """Text on the banner, beside the button. Null without one."""
    bannerBackgroundColor: str
    """Color of the banner. By default `primaryColor`."""
    footerTermsOfUseLink: str
    """Terms of use, a link. Null where there are none."""
    domains: str
    """Sites that may show the widget, with commas between; `*.` stands for any name below. Empty: the host of `companyUrl` and its `www.` twin."""
    installedPrice: float
    """Installed price of one square of asphalt shingle, in US dollars, greater than 0 and with at most two decimals. By default that of the reference table."""
    removeFooterLogo: bool
    """Sent as `true`, it removes the footer's logo. In answers always `false`."""
    headerLogo: FileInput
    """Logo at the top: PNG or JPEG, at most 1 MB, best about 300 × 150 pixels."""
    footerLogo: FileInput
    """Logo in the footer: PNG or JPEG, at most 1 MB, best about 24 × 24 pixels."""


class UploadWidgetLogosBody(TypedDict, total=False):
    headerLogo: FileInput
    """Logo at the top: PNG or JPEG, at most 1 MB, best about 300 × 150 pixels."""
    footerLogo: FileInput
    """Logo in the footer: PNG or JPEG, at most 1 MB, best about 24 × 24 pixels."""


class ReplaceWidgetSettingsBodyPrices(TypedDict, total=False):
    metal: Optional[float]
    """Dollars, at most 2 decimals, for one square of metal. Null: estimated from the price of asphalt."""
    tile: Optional[float]
    """Dollars, at most 2 decimals, for one square of tile. Null: estimated from the price of asphalt."""
    slate: Optional[float]
    """Dollars, at most 2 decimals, for one square of slate. Null: estimated from the price of asphalt."""
    lowSlope: Optional[float]
    """Dollars, at most 2 decimals, for one square under 2/12, which is priced as a membrane. Null: estimated from the price of asphalt."""
    steep: Optional[float]
    """Dollars, at most 2 decimals, added for one square that a survey measured from 8/12 to under 10/12. Null: nothing is added."""
    verySteep: Optional[float]
    """The same from 10/12 on. Null: as much as for steep."""
    twoStories: Optional[float]
    """Dollars, at most 2 decimals, added for one square of a house of two stories, where the records say so. Null: nothing is added."""
    threeStories: Optional[float]
    """The same for three stories or more. Null: as much as for two."""
    minimum: Optional[float]
    """Dollars, at most 2 decimals, that a job costs at least: no estimate of the widget goes below it. Null: none."""


class _ReplaceWidgetSettingsBodyMonthlyPayment(TypedDict):
    aprPercent: float
    """Percent a year, at most 3 decimals."""
    months: int
    """How many payments."""
    leastAmount: float
    """Dollars, at most 2 decimals: no example for smaller prices."""


class ReplaceWidgetSettingsBodyMonthlyPayment(_ReplaceWidgetSettingsBodyMonthlyPayment, total=False):
    link: Optional[str]
    """Where the financing is explained."""


class ReplaceWidgetSettingsBodyRating(TypedDict):
    value: float
    """Out of 5, at most 1 decimal."""
    count: int
    """How many reviews."""
    link: str
    """Where the reviews are."""


class ReplaceWidgetSettingsBodyMail(TypedDict, total=False):
    homeownerCopy: Optional[bool]
    """false: homeowners get no copy of their estimate by mail. true: they get one where the account's notices send copies (homeownerCopy of /api/v1/notices), which is off until it is switched on there."""


ReplaceWidgetSettingsBodyWorkingHoursVisitsItemMorning = TypedDict("ReplaceWidgetSettingsBodyWorkingHoursVisitsItemMorning", {
    # HH:MM.
    "from": 'str',
    # HH:MM.
    "to": 'str',
})


ReplaceWidgetSettingsBodyWorkingHoursVisitsItemAfternoon = TypedDict("ReplaceWidgetSettingsBodyWorkingHoursVisitsItemAfternoon", {
    # HH:MM.
    "from": 'str',
    # HH:MM.
    "to": 'str',
})


ReplaceWidgetSettingsBodyWorkingHoursVisitsItemEvening = TypedDict("ReplaceWidgetSettingsBodyWorkingHoursVisitsItemEvening", {
    # HH:MM.
    "from": 'str',
    # HH:MM.
    "to": 'str',
})


class _ReplaceWidgetSettingsBodyWorkingHoursVisitsItem(TypedDict):
    days: List[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]]


class ReplaceWidgetSettingsBodyWorkingHoursVisitsItem(_ReplaceWidgetSettingsBodyWorkingHoursVisitsItem, total=False):
    morning: Optional[ReplaceWidgetSettingsBodyWorkingHoursVisitsItemMorning]
    """At least one of the three, in this order and without overlap."""
    afternoon: Optional[ReplaceWidgetSettingsBodyWorkingHoursVisitsItemAfternoon]
    """As morning."""
    evening: Optional[ReplaceWidgetSettingsBodyWorkingHoursVisitsItemEvening]
    """As morning."""


class ReplaceWidgetSettingsBodyWorkingHours(TypedDict):
    timeZone: str
    """IANA name."""
    visits: List[ReplaceWidgetSettingsBodyWorkingHoursVisitsItem]
    """Each day at most once; a day or part that is missing is not offered."""


class ReplaceWidgetSettingsBodyTextsEn(TypedDict, total=False):
    firstPageTitle: Optional[str]
    """The record's firstPageTitle."""
    buttonText: Optional[str]
    """The record's buttonText."""
    bannerText: Optional[str]
    """The record's bannerText."""
    priceIncludes: Optional[List[str]]
    """priceIncludes above."""
    priceExcludes: Optional[List[str]]
    """priceExcludes above."""
    license: Optional[str]
    """license above."""
    privacy: Optional[str]
    """The page /w/{id}/privacy in this language, in place of what this server says there. An empty line begins a paragraph. Only shown where the widget has no privacy policy of its own."""


class ReplaceWidgetSettingsBodyTextsEs(TypedDict, total=False):
    firstPageTitle: Optional[str]
    """The record's firstPageTitle."""
    buttonText: Optional[str]
    """The record's buttonText."""
    bannerText: Optional[str]
    """The record's bannerText."""
    priceIncludes: Optional[List[str]]
    """priceIncludes above."""
    priceExcludes: Optional[List[str]]
    """priceExcludes above."""
    license: Optional[str]
    """license above."""
    privacy: Optional[str]
    """The page /w/{id}/privacy in this language, in place of what this server says there. An empty line begins a paragraph. Only shown where the widget has no privacy policy of its own."""


class ReplaceWidgetSettingsBodyTexts(TypedDict, total=False):
    en: Optional[ReplaceWidgetSettingsBodyTextsEn]
    """Replaces single texts where the page is in this language; what is missing is said as in the record, and as above."""
    es: Optional[ReplaceWidgetSettingsBodyTextsEs]
    """Replaces single texts where the page is in this language; what is missing is said as in the record, and as above."""


class ReplaceWidgetSettingsBodyLauncher(TypedDict, total=False):
    offsetX: Optional[int]
    offsetY: Optional[int]


class ReplaceWidgetSettingsBodyAerialPhotos(TypedDict, total=False):
    show: Optional[bool]
    oldestYears: Optional[int]


class ReplaceWidgetSettingsBodySelfBooking(TypedDict, total=False):
    on: Optional[bool]
    minutes: Optional[int]
    """How long a visit takes."""
    travelMinutes: Optional[int]
    """Kept free between two visits."""
    noticeHours: Optional[int]
    """From the booking to the visit, at least."""
    daysAhead: Optional[int]
    """Days after the first possible one."""
    atOnce: Optional[int]
    """How many visits may be under way at the same time."""
    daysOff: Optional[List[str]]
    """Days without visits: 2026-12-25, or the first and the last of several, 2026-12-24/2027-01-01."""


class ReplaceWidgetSettingsBody(TypedDict, total=False):
    """GET and PUT /api/v1/roof-estimate-widget/{id}/settings: what a contractor says beside the widget's record, which does not change. GET answers all settings, defaults included; what it answers can be sent back. PUT replaces all of them: what is missing or null becomes the default. A broken rule or a name that is none is a 400 whose message lists all of them. A change is no event. It is seen within minutes, as loader and hosted page are cached that long."""
    priceIncludes: Optional[List[str]]
    """What the price includes, a line each. Where this and priceExcludes are empty, the estimate says that it is not said."""
    priceExcludes: Optional[List[str]]
    """What the price does not include, a line each."""
    prices: Optional[ReplaceWidgetSettingsBodyPrices]
    """Installed prices of one square of 100 square feet by material, beside installedPrice of the record, which is that of asphalt."""
    monthlyPayment: Optional[ReplaceWidgetSettingsBodyMonthlyPayment]
    """Terms of the monthly example below the price: equal payments, no down payment, the yearly rate a twelfth a month, rounded to the cent. Shown with rate, number of payments, their sum, and that it is no offer. Null: there is no example."""
    license: Optional[str]
    """The licence as it is to be shown, after the word License."""
    rating: Optional[ReplaceWidgetSettingsBodyRating]
    """The mean of published reviews. Shown as a link to them."""
    questions: Optional[List[Literal["roofAge", "leak", "planned", "contactTime", "note"]]]
    """What is asked after the estimate, one tap each, all of them optional for the homeowner: the age of the roof, leak or damage, when it is planned, the way and time of contact, a note. The answers are in the lead."""
    mail: Optional[ReplaceWidgetSettingsBodyMail]
    """Mails about leads of this widget."""
    workingHours: Optional[ReplaceWidgetSettingsBodyWorkingHours]
    """When an inspection can be asked for. Null: the workingHours of /api/v1/notices, cut at 12:00 and 17:00, where those are set."""
    texts: Optional[ReplaceWidgetSettingsBodyTexts]
    """The contractor's own texts by language."""
    launcher: Optional[ReplaceWidgetSettingsBodyLauncher]
    """How far the button, or the banner, is moved from its usual place into the page, in CSS pixels."""
    fetchAhead: Literal["intent", "dwell", "idle"]
    """When the page may fetch what the dialog needs. intent: when a pointer or the focus comes near the launcher. dwell: then, or when a visitor has stayed for ten seconds. idle: as soon as the page has nothing else to do. A tap always fetches; visitors who save data are fetched nothing ahead."""
    aerialPhotos: Optional[ReplaceWidgetSettingsBodyAerialPhotos]
    """Whether a photograph from the air lies under the drawing of a home, where this server has one, and how many years old it may be; null: however old."""
    selfBooking: Optional[ReplaceWidgetSettingsBodySelfBooking]
    """Whether homeowners book a free time themselves, and which times are free: those within workingHours that leave the way between two visits."""


class UpdateLeadBodyInspection(TypedDict):
    state: Literal["asked", "confirmed", "declined"]
    """Whether the company comes."""


class UpdateLeadBody(TypedDict, total=False):
    status: Optional[Literal["new", "contacted", "qualified", "won", "lost", "spam"]]
    """What became of it."""
    message: Optional[str]
    """What the homeowner wrote; an empty text removes it."""
    inspection: Optional[UpdateLeadBodyInspection]
    """The visit that was asked for. A lead without one cannot have it."""


class AddLeadNoteBody(TypedDict):
    text: str
    """What it says."""


class _CreateWebhookBody(TypedDict):
    name: str
    """Its name, for people."""
    url: str
    """The address that events are posted to."""
    events: List[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]]
    """The events it gets."""


class CreateWebhookBody(_CreateWebhookBody, total=False):
    active: Optional[bool]
    """Whether events are sent."""
    timeoutSeconds: Optional[int]
    """Seconds to wait for the status of an answer before the attempt counts as failed. By default 15."""
    widgets: Optional[List[str]]
    """Only events of these widgets and of their leads. Absent: of all."""
    payload: Optional[Literal["full", "thin"]]
    """How much of a record an event carries. Absent: `full`. `thin`: The id alone: the receiver fetches the record with its key. Keeps personal data off the wire."""
    ordered: Optional[bool]
    """Whether the events of one lead or widget arrive in order, one waiting for the one before. Absent: no."""
    headers: Optional[Dict[str, str]]
    """Headers that are sent with every event, by name. Names that say how a request is sent, or that begin with `webhook-`, are ours."""


class UpdateWebhookBody(TypedDict, total=False):
    name: Optional[str]
    """Its name, for people."""
    url: Optional[str]
    """The address that events are posted to."""
    events: Optional[List[Literal["lead.created", "lead.updated", "widget.created", "widget.updated"]]]
    """The events it gets."""
    active: Optional[bool]
    """Whether events are sent."""
    timeoutSeconds: Optional[int]
    """Seconds to wait for the status of an answer before the attempt counts as failed. By default 15."""
    widgets: Optional[List[str]]
    """Only events of these widgets and of their leads. Absent: of all."""
    payload: Optional[Literal["full", "thin"]]
    """How much of a record an event carries. Absent: `full`. `thin`: The id alone: the receiver fetches the record with its key. Keeps personal data off the wire."""
    ordered: Optional[bool]
    """Whether the events of one lead or widget arrive in order, one waiting for the one before. Absent: no."""
    headers: Optional[Dict[str, str]]
    """Headers that are sent with every event, by name. Names that say how a request is sent, or that begin with `webhook-`, are ours."""


class ReplayWebhookBody(TypedDict):
    since: str
    """Time of the earliest event, in ISO 8601 with an offset."""


class _CreateDestinationBody(TypedDict):
    connector: str
    """Name of the connector, one of `GET /api/v1/connectors`."""


class CreateDestinationBody(_CreateDestinationBody, total=False):
    name: Optional[str]
    """Its name, for people: a line of 1 to 100 characters. By default the title of the connector."""
    settings: Dict[str, str]
    """What the connector has to be given, by name."""
    widgets: List[str]
    """Only leads of these widgets. By default of all."""
    active: bool
    """Whether it is served. By default yes."""


class UpdateDestinationBody(TypedDict, total=False):
    name: Optional[str]
    """Its name, for people: a line of 1 to 100 characters. Null or absent: as it is."""
    settings: Dict[str, str]
    """The settings that change, by name; an empty text removes one."""
    widgets: Optional[List[str]]
    """Only leads of these widgets; an empty list: of all. Null or absent: as it is."""
    active: Optional[bool]
    """Whether it is served. Null or absent: as it is."""


class ReplayDestinationBody(TypedDict):
    since: str
    """Time of the earliest event, in ISO 8601 with an offset."""


class _ReplaceNoticeSettingsBodyRecipientsItem(TypedDict):
    email: str
    """Where the notices go."""


class ReplaceNoticeSettingsBodyRecipientsItem(_ReplaceNoticeSettingsBodyRecipientsItem, total=False):
    name: Optional[str]
    """Named on the lead when this person takes it. Null: the e-mail address is."""
    language: Literal["en", "es"]
    """The language of the notices. By default `en`."""
    widgets: List[str]
    """Only leads of these widgets. Empty: of all."""
    leads: bool
    """Whether this person is notified of leads. By default yes."""
    digest: bool
    """Whether this person gets the summary of the day. By default yes."""
    report: bool
    """Whether this person gets the report of the month before, as a PDF, on the first working day. By default no."""


ReplaceNoticeSettingsBodyWorkingHoursItem = TypedDict("ReplaceNoticeSettingsBodyWorkingHoursItem", {
    # The days they are on.
    "days": 'List[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]]',
    # When they begin.
    "from": 'str',
    # When they end: later than `from`.
    "to": 'str',
})


ReplaceNoticeSettingsBodyQuietHours = TypedDict("ReplaceNoticeSettingsBodyQuietHours", {
    # When they begin.
    "from": 'str',
    # When they end; past midnight where it is the earlier time.
    "to": 'str',
})


class ReplaceNoticeSettingsBody(TypedDict, total=False):
    """What an account has decided about notices."""
    recipients: List[ReplaceNoticeSettingsBodyRecipientsItem]
    """Who is notified of leads, in that order. Empty: each widget's `companyEmail`."""
    escalateAfterMinutes: Optional[int]
    """Minutes without a touch until the next person is told, and after the last one everybody. Null: all are told at once, and nobody is reminded."""
    timeZone: str
    """Name of the time zone of the hours below, as IANA lists it. By default `UTC`."""
    workingHours: List[ReplaceNoticeSettingsBodyWorkingHoursItem]
    """Reminders wait for these hours. Empty: they come at any time."""
    quietHours: Optional[ReplaceNoticeSettingsBodyQuietHours]
    """Nothing is sent in these hours; it comes when they end. Null: there are none."""
    digestAt: Optional[str]
    """When the summary of the day before is sent. Null: never."""
    homeownerCopy: bool
    """Whether homeowners get their estimate by mail."""
    mutedWidgets: List[str]
    """Widgets about which nobody is told."""


class ExportPersonBody(TypedDict, total=False):
    email: Optional[str]
    """The e-mail address, in small or capital letters. It or the telephone number has to be there."""
    phone: Optional[str]
    """The telephone number: ten digits, however they are written. It or the e-mail address has to be there."""


class ErasePersonBody(TypedDict, total=False):
    email: Optional[str]
    """The e-mail address, in small or capital letters. It or the telephone number has to be there."""
    phone: Optional[str]
    """The telephone number: ten digits, however they are written. It or the e-mail address has to be there."""


class SetRetentionBody(TypedDict, total=False):
    days: Optional[int]
    """Leads that came earlier than so many days ago are erased. Null or left out: leads are kept."""


class LeadCreatedEventData2(TypedDict):
    """With the payload thin: the id alone. Fetch the record with your key."""
    id: str
    """Id of the lead."""


class LeadCreatedEvent(TypedDict):
    """A homeowner has sent a lead."""
    id: str
    """Id of the event, the same at every attempt: an event that has arrived twice is one event."""
    type: Literal["lead.created"]
    """Kind of the event."""
    timestamp: str
    """When it happened. The time of the attempt is in the header webhook-timestamp."""
    apiVersion: Literal["1.0.0"]
    """Version of this form."""
    sequence: int
    """Counts the events of one lead or widget from 1, in the order in which they happened."""
    data: Union[Lead, LeadCreatedEventData2]
    """What the event is about, as it was just after the change."""


class LeadUpdatedEventData2(TypedDict):
    """With the payload thin: the id alone. Fetch the record with your key."""
    id: str
    """Id of the lead."""


class LeadUpdatedEvent(TypedDict):
    """A lead was changed: by its owner, by the homeowner, or by us."""
    id: str
    """Id of the event, the same at every attempt: an event that has arrived twice is one event."""
    type: Literal["lead.updated"]
    """Kind of the event."""
    timestamp: str
    """When it happened. The time of the attempt is in the header webhook-timestamp."""
    apiVersion: Literal["1.0.0"]
    """Version of this form."""
    sequence: int
    """Counts the events of one lead or widget from 1, in the order in which they happened."""
    data: Union[Lead, LeadUpdatedEventData2]
    """What the event is about, as it was just after the change."""


class WidgetCreatedEventData2(TypedDict):
    """With the payload thin: the id alone. Fetch the record with your key."""
    referenceId: str
    """Id of the widget."""


class WidgetCreatedEvent(TypedDict):
    """A widget was made."""
    id: str
    """Id of the event, the same at every attempt: an event that has arrived twice is one event."""
    type: Literal["widget.created"]
    """Kind of the event."""
    timestamp: str
    """When it happened. The time of the attempt is in the header webhook-timestamp."""
    apiVersion: Literal["1.0.0"]
    """Version of this form."""
    sequence: int
    """Counts the events of one lead or widget from 1, in the order in which they happened."""
    data: Union[WidgetRecord, WidgetCreatedEventData2]
    """What the event is about, as it was just after the change."""


class WidgetUpdatedEventData2(TypedDict):
    """With the payload thin: the id alone. Fetch the record with your key."""
    referenceId: str
    """Id of the widget."""


class WidgetUpdatedEvent(TypedDict):
    """A widget was changed."""
    id: str
    """Id of the event, the same at every attempt: an event that has arrived twice is one event."""
    type: Literal["widget.updated"]
    """Kind of the event."""
    timestamp: str
    """When it happened. The time of the attempt is in the header webhook-timestamp."""
    apiVersion: Literal["1.0.0"]
    """Version of this form."""
    sequence: int
    """Counts the events of one lead or widget from 1, in the order in which they happened."""
    data: Union[WidgetRecord, WidgetUpdatedEventData2]
    """What the event is about, as it was just after the change."""
