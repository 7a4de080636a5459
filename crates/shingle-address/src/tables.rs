//! The word lists of USPS Publication 28: street suffixes (C1), unit designators (C2), directions, states,
//! and the first digits of ZIP codes by state.

use std::sync::LazyLock;

use foldhash::{HashMap, HashMapExt};

/// Short form, long form, other spellings. Most lines are Publication 28's; a few are spellings that
/// people use and the list lacks.
const SUFFIXES: &[(&str, &str, &str)] = &[
    ("ALY", "ALLEY", "ALLEE ALLY"),
    ("ANX", "ANEX", "ANNEX ANNX"),
    ("ARC", "ARCADE", ""),
    ("ARCH", "ARCH", ""),
    ("AVE", "AVENUE", "AV AVEN AVENU AVN AVNUE"),
    ("BYU", "BAYOU", "BAYOO"),
    ("BCH", "BEACH", ""),
    ("BND", "BEND", ""),
    ("BLF", "BLUFF", "BLUF"),
    ("BLFS", "BLUFFS", ""),
    ("BTM", "BOTTOM", "BOT BOTTM"),
    ("BLVD", "BOULEVARD", "BOUL BOULV BLV BVD BLVRD"),
    ("BR", "BRANCH", "BRNCH"),
    ("BRG", "BRIDGE", "BRDGE"),
    ("BRK", "BROOK", ""),
    ("BRKS", "BROOKS", ""),
    ("BG", "BURG", ""),
    ("BGS", "BURGS", ""),
    ("BYP", "BYPASS", "BYPA BYPAS BYPS"),
    ("CP", "CAMP", "CMP"),
    ("CYN", "CANYON", "CANYN CNYN"),
    ("CPE", "CAPE", ""),
    ("CSWY", "CAUSEWAY", "CAUSWA"),
    ("CTR", "CENTER", "CEN CENT CENTR CENTRE CNTER CNTR"),
    ("CTRS", "CENTERS", ""),
    ("CIR", "CIRCLE", "CI CIRC CIRCL CRCL CRCLE"),
    ("CIRS", "CIRCLES", ""),
    ("CLF", "CLIFF", ""),
    ("CLFS", "CLIFFS", ""),
    ("CLB", "CLUB", ""),
    ("CMN", "COMMON", ""),
    ("CMNS", "COMMONS", ""),
    ("COR", "CORNER", ""),
    ("CORS", "CORNERS", ""),
    ("CRSE", "COURSE", ""),
    ("CT", "COURT", "CRT"),
    ("CTS", "COURTS", ""),
    ("CV", "COVE", ""),
    ("CVS", "COVES", ""),
    ("CRK", "CREEK", ""),
    ("CRES", "CRESCENT", "CRSENT CRSNT CRESC"),
    ("CRST", "CREST", ""),
    ("XING", "CROSSING", "CRSSNG"),
    ("XRD", "CROSSROAD", ""),
    ("XRDS", "CROSSROADS", ""),
    ("CURV", "CURVE", ""),
    ("DL", "DALE", ""),
    ("DM", "DAM", ""),
    ("DV", "DIVIDE", "DIV DVD"),
    ("DR", "DRIVE", "DRIV DRV"),
    ("DRS", "DRIVES", ""),
    ("EST", "ESTATE", ""),
    ("ESTS", "ESTATES", ""),
    ("EXPY", "EXPRESSWAY", "EXP EXPR EXPRESS EXPW EXPWY"),
    ("EXT", "EXTENSION", "EXTN EXTNSN"),
    ("EXTS", "EXTENSIONS", ""),
    ("FALL", "FALL", ""),
    ("FLS", "FALLS", ""),
    ("FRY", "FERRY", "FRRY"),
    ("FLD", "FIELD", ""),
    ("FLDS", "FIELDS", ""),
    ("FLT", "FLAT", ""),
    ("FLTS", "FLATS", ""),
    ("FRD", "FORD", ""),
    ("FRDS", "FORDS", ""),
    ("FRST", "FOREST", "FORESTS"),
    ("FRG", "FORGE", "FORG"),
    ("FRGS", "FORGES", ""),
    ("FRK", "FORK", ""),
    ("FRKS", "FORKS", ""),
    ("FT", "FORT", "FRT"),
    ("FWY", "FREEWAY", "FREEWY FRWAY FRWY"),
    ("GDN", "GARDEN", "GARDN GRDEN GRDN"),
    ("GDNS", "GARDENS", "GRDNS"),
    ("GTWY", "GATEWAY", "GATEWY GATWAY GTWAY"),
    ("GLN", "GLEN", ""),
    ("GLNS", "GLENS", ""),
    ("GRADE", "GRADE", ""),
    ("GRN", "GREEN", ""),
    ("GRNS", "GREENS", ""),
    ("GRV", "GROVE", "GROV"),
    ("GRVS", "GROVES", ""),
    ("HBR", "HARBOR", "HARB HARBR HRBOR HARBOUR"),
    ("HBRS", "HARBORS", ""),
    ("HVN", "HAVEN", ""),
    ("HTS", "HEIGHTS", "HT"),
    ("HWY", "HIGHWAY", "HIGHWY HIWAY HIWY HWAY HGWY"),
    ("HL", "HILL", ""),
    ("HLS", "HILLS", ""),
    ("HOLW", "HOLLOW", "HLLW HOLLOWS HOLWS"),
    ("INLT", "INLET", ""),
    ("IS", "ISLAND", "ISLND"),
    ("ISS", "ISLANDS", "ISLNDS"),
    ("ISLE", "ISLE", "ISLES"),
    ("JCT", "JUNCTION", "JCTION JCTN JUNCTN JUNCTON"),
    ("JCTS", "JUNCTIONS", "JCTNS"),
    ("KY", "KEY", ""),
    ("KYS", "KEYS", ""),
    ("KNL", "KNOLL", "KNOL"),
    ("KNLS", "KNOLLS", ""),
    ("LK", "LAKE", ""),
    ("LKS", "LAKES", ""),
    ("LAND", "LAND", ""),
    ("LNDG", "LANDING", "LNDNG"),
    ("LN", "LANE", "LANES"),
    ("LGT", "LIGHT", ""),
    ("LGTS", "LIGHTS", ""),
    ("LF", "LOAF", ""),
    ("LCK", "LOCK", ""),
    ("LCKS", "LOCKS", ""),
    ("LDG", "LODGE", "LDGE LODG"),
    ("LOOP", "LOOP", "LOOPS LP"),
    ("MALL", "MALL", ""),
    ("MNR", "MANOR", ""),
    ("MNRS", "MANORS", ""),
    ("MDW", "MEADOW", ""),
    ("MDWS", "MEADOWS", "MEDOWS"),
    ("MEWS", "MEWS", ""),
    ("ML", "MILL", ""),
    ("MLS", "MILLS", ""),
    ("MSN", "MISSION", "MISSN MSSN"),
    ("MTWY", "MOTORWAY", ""),
    ("MT", "MOUNT", "MNT"),
    ("MTN", "MOUNTAIN", "MNTAIN MNTN MOUNTIN MTIN"),
    ("MTNS", "MOUNTAINS", "MNTNS"),
    ("NCK", "NECK", ""),
    ("ORCH", "ORCHARD", "ORCHRD"),
    ("OVAL", "OVAL", "OVL"),
    ("OPAS", "OVERPASS", ""),
    ("OVLK", "OVERLOOK", ""),
    ("PARK", "PARK", "PK PRK PARKS"),
    ("PKWY", "PARKWAY", "PARKWY PKWAY PKY PKWYS PARKWAYS PWY PY"),
    ("PASS", "PASS", ""),
    ("PSGE", "PASSAGE", ""),
    ("PATH", "PATH", "PATHS"),
    ("PIKE", "PIKE", "PIKES"),
    ("PNE", "PINE", ""),
    ("PNES", "PINES", ""),
    ("PL", "PLACE", "PLC"),
    ("PLN", "PLAIN", ""),
    ("PLNS", "PLAINS", ""),
    ("PLZ", "PLAZA", "PLZA"),
    ("PT", "POINT", ""),
    ("PTS", "POINTS", ""),
    ("PRT", "PORT", ""),
    ("PRTS", "PORTS", ""),
    ("PR", "PRAIRIE", "PRR"),
    ("RADL", "RADIAL", "RAD RADIEL"),
    ("RAMP", "RAMP", ""),
    ("RNCH", "RANCH", "RANCHES RNCHS"),
    ("RPD", "RAPID", ""),
    ("RPDS", "RAPIDS", ""),
    ("RST", "REST", ""),
    ("RDG", "RIDGE", "RDGE"),
    ("RDGS", "RIDGES", ""),
    ("RIV", "RIVER", "RVR RIVR"),
    ("RD", "ROAD", ""),
    ("RDS", "ROADS", ""),
    ("RTE", "ROUTE", ""),
    ("ROW", "ROW", ""),
    ("RUE", "RUE", ""),
    ("RUN", "RUN", ""),
    ("SHL", "SHOAL", ""),
    ("SHLS", "SHOALS", ""),
    ("SHR", "SHORE", "SHOAR"),
    ("SHRS", "SHORES", "SHOARS"),
    ("SKWY", "SKYWAY", ""),
    ("SPG", "SPRING", "SPNG SPRNG"),
    ("SPGS", "SPRINGS", "SPNGS SPRNGS"),
    ("SPUR", "SPUR", "SPURS"),
    ("SQ", "SQUARE", "SQR SQRE SQU"),
    ("SQS", "SQUARES", "SQRS"),
    ("STA", "STATION", "STATN STN"),
    ("STRA", "STRAVENUE", "STRAV STRAVEN STRAVN STRVN STRVNUE"),
    ("STRM", "STREAM", "STREME"),
    ("STRIP", "STRIP", ""),
    ("ST", "STREET", "STRT STR"),
    ("STS", "STREETS", ""),
    ("SMT", "SUMMIT", "SUMIT SUMITT"),
    ("TER", "TERRACE", "TERR"),
    ("TRWY", "THROUGHWAY", ""),
    ("TRCE", "TRACE", "TRACES"),
    ("TRAK", "TRACK", "TRACKS TRK TRKS"),
    ("TRFY", "TRAFFICWAY", ""),
    ("TRL", "TRAIL", "TRAILS TRLS TR"),
    ("TURN", "TURN", ""),
    ("TUNL", "TUNNEL", "TUNEL TUNLS TUNNELS TUNNL"),
    ("TPKE", "TURNPIKE", "TRNPK TURNPK TPK"),
    ("UPAS", "UNDERPASS", ""),
    ("UN", "UNION", ""),
    ("UNS", "UNIONS", ""),
    ("VLY", "VALLEY", "VALLY VLLY"),
    ("VLYS", "VALLEYS", ""),
    ("VIA", "VIADUCT", "VDCT VIADCT"),
    ("VW", "VIEW", ""),
    ("VWS", "VIEWS", ""),
    ("VLG", "VILLAGE", "VILL VILLAG VILLG VILLIAGE"),
    ("VLGS", "VILLAGES", ""),
    ("VL", "VILLE", ""),
    ("VIS", "VISTA", "VIST VST VSTA"),
    ("WALK", "WALK", "WALKS WLK"),
    ("WALL", "WALL", ""),
    ("WAY", "WAY", "WY"),
    ("WAYS", "WAYS", ""),
    ("WL", "WELL", ""),
    ("WLS", "WELLS", ""),
];

/// Suffixes that hardly ever stand inside a name or a town: the place to cut a line without commas.
const STRONG: &[&str] = &[
    "ALY", "AVE", "BLVD", "BYP", "CIR", "CMNS", "CRES", "CSWY", "CT", "CV", "DR", "EXPY", "FWY", "HWY", "LN", "LOOP",
    "MEWS", "PIKE", "PKWY", "PL", "RD", "ROW", "RUE", "ST", "TER", "TPKE", "TRCE", "TRL", "WAY", "XING", "XRD", "XRDS",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suffix {
    pub short: &'static str,
    pub long: &'static str,
    pub strong: bool,
}

static SUFFIX_OF: LazyLock<HashMap<&'static str, Suffix>> = LazyLock::new(|| {
    let mut map = HashMap::new();
    for (short, long, more) in SUFFIXES {
        let suffix = Suffix { short, long, strong: STRONG.contains(short) };
        for word in [*short, *long].into_iter().chain(more.split_whitespace()) {
            map.insert(word, suffix);
        }
    }
    map
});

pub fn suffix(word: &str) -> Option<Suffix> {
    SUFFIX_OF.get(word).or_else(|| misspelled(word)).copied()
}

/// `BOULEVAR`, `STEET`: one typing error in a long suffix that hardly any other word is this close to.
fn misspelled(word: &str) -> Option<&'static Suffix> {
    let whole = ["AVENUE", "STREET", "BOULEVARD", "HIGHWAY", "PARKWAY"].into_iter().find(|whole| {
        word.len() >= 5
            && word.len().abs_diff(whole.len()) <= 1
            && word.as_bytes().first() == whole.as_bytes().first()
            // One error leaves one of the two ends whole: most words need no closer look.
            && (word.as_bytes().get(1) == whole.as_bytes().get(1) || word.as_bytes().last() == whole.as_bytes().last())
            && strsim::osa_distance(word, whole) == 1
    })?;
    SUFFIX_OF.get(whole)
}

/// The short form of a direction, and whether it was already written short.
pub fn direction(word: &str) -> Option<(&'static str, bool)> {
    Some(match word {
        "N" => ("N", true),
        "S" => ("S", true),
        "E" => ("E", true),
        "W" => ("W", true),
        "NE" => ("NE", true),
        "NW" => ("NW", true),
        "SE" => ("SE", true),
        "SW" => ("SW", true),
        "NORTH" | "NO" | "NTH" => ("N", false),
        "SOUTH" | "SO" | "STH" => ("S", false),
        "EAST" => ("E", false),
        "WEST" => ("W", false),
        "NORTHEAST" => ("NE", false),
        "NORTHWEST" => ("NW", false),
        "SOUTHEAST" => ("SE", false),
        "SOUTHWEST" => ("SW", false),
        _ => return None,
    })
}

pub fn direction_long(short: &str) -> &'static str {
    match short {
        "N" => "NORTH",
        "S" => "SOUTH",
        "E" => "EAST",
        "W" => "WEST",
        "NE" => "NORTHEAST",
        "NW" => "NORTHWEST",
        "SE" => "SOUTHEAST",
        "SW" => "SOUTHWEST",
        _ => "",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Designator {
    pub short: &'static str,
    /// Names a unit on its own (`REAR`), without a number after it.
    pub alone: bool,
    /// Also a plain word in street names: believed only before a number.
    pub common: bool,
}

pub fn designator(word: &str) -> Option<Designator> {
    let (short, alone, common) = match word {
        "APT" | "APARTMENT" | "APMT" | "APTMT" | "APTS" => ("APT", false, false),
        "UNIT" | "UNT" | "UNITS" => ("UNIT", false, false),
        "STE" | "SUITE" | "SUIT" | "STES" | "SUITES" => ("STE", false, false),
        "#" | "NUM" => ("#", false, false),
        "RM" | "ROOM" | "RMS" | "ROOMS" => ("RM", false, false),
        "BLDG" | "BUILDING" | "BLD" | "BLG" | "BLDGS" => ("BLDG", false, false),
        "FL" | "FLOOR" | "FLR" | "FLOORS" => ("FL", false, true),
        "DEPT" | "DEPARTMENT" => ("DEPT", false, false),
        "HNGR" | "HANGAR" => ("HNGR", false, true),
        "TRLR" | "TRAILER" => ("TRLR", false, true),
        "LOT" | "LT" => ("LOT", false, true),
        "SPC" | "SPACE" => ("SPC", false, true),
        "SLIP" => ("SLIP", false, true),
        "STOP" => ("STOP", false, true),
        "TOWER" | "TWR" => ("TOWER", false, true),
        "PIER" => ("PIER", false, true),
        "KEY" => ("KEY", false, true),
        "PMB" => ("PMB", false, false),
        "TH" | "TOWNHOUSE" | "TOWNHOME" | "TWNHS" => ("TH", false, true),
        "FLAT" => ("FLAT", false, true),
        "CONDO" => ("UNIT", false, true),
        "BAY" => ("BAY", false, true),
        "DOCK" => ("DOCK", false, true),
        "STORE" => ("STORE", false, true),
        "WING" => ("WING", false, true),
        "MEZZ" | "MEZZANINE" | "MEZZAINE" | "MEZANINE" => ("MEZZ", true, false),
        "BSMT" | "BASEMENT" | "BASMENT" => ("BSMT", true, false),
        "PH" | "PENTHOUSE" => ("PH", true, false),
        "OFC" | "OFFICE" => ("OFC", true, true),
        "COMM" | "COMML" | "COMMERCIAL" => ("COMM", true, true),
        "LBBY" | "LOBBY" => ("LBBY", true, true),
        "FRNT" | "FRONT" => ("FRNT", true, true),
        "REAR" | "BACK" => ("REAR", true, true),
        "SIDE" => ("SIDE", true, true),
        "UPPR" | "UPPER" | "UPR" => ("UPPR", true, true),
        "LOWR" | "LOWER" | "LWR" => ("LOWR", true, true),
        _ => return None,
    };
    Some(Designator { short, alone, common })
}

/// Two letters, name, first and last of the three-digit ZIP areas.
type StateRow = (&'static str, &'static str, &'static [(u16, u16)]);

const STATES: &[StateRow] = &[
    ("AL", "ALABAMA", &[(350, 369)]),
    ("AK", "ALASKA", &[(995, 999)]),
    ("AZ", "ARIZONA", &[(850, 865)]),
    ("AR", "ARKANSAS", &[(716, 729), (755, 755)]),
    ("CA", "CALIFORNIA", &[(900, 961)]),
    ("CO", "COLORADO", &[(800, 816)]),
    ("CT", "CONNECTICUT", &[(60, 69)]),
    ("DE", "DELAWARE", &[(197, 199)]),
    ("DC", "DISTRICT OF COLUMBIA", &[(200, 205), (569, 569)]),
    ("FL", "FLORIDA", &[(320, 349)]),
    ("GA", "GEORGIA", &[(300, 319), (398, 399)]),
    ("HI", "HAWAII", &[(967, 968)]),
    ("ID", "IDAHO", &[(832, 838)]),
    ("IL", "ILLINOIS", &[(600, 629)]),
    ("IN", "INDIANA", &[(460, 479)]),
    ("IA", "IOWA", &[(500, 528)]),
    ("KS", "KANSAS", &[(660, 679)]),
    ("KY", "KENTUCKY", &[(400, 427), (471, 471)]),
    ("LA", "LOUISIANA", &[(700, 715)]),
    ("ME", "MAINE", &[(39, 49)]),
    ("MD", "MARYLAND", &[(206, 219)]),
    ("MA", "MASSACHUSETTS", &[(10, 27), (55, 55)]),
    ("MI", "MICHIGAN", &[(480, 499)]),
    ("MN", "MINNESOTA", &[(550, 567)]),
    ("MS", "MISSISSIPPI", &[(386, 397)]),
    ("MO", "MISSOURI", &[(630, 658)]),
    ("MT", "MONTANA", &[(590, 599)]),
    ("NE", "NEBRASKA", &[(680, 693)]),
    ("NV", "NEVADA", &[(889, 898)]),
    ("NH", "NEW HAMPSHIRE", &[(30, 38)]),
    ("NJ", "NEW JERSEY", &[(70, 89)]),
    ("NM", "NEW MEXICO", &[(870, 884)]),
    ("NY", "NEW YORK", &[(5, 5), (63, 63), (100, 149)]),
    ("NC", "NORTH CAROLINA", &[(270, 289)]),
    ("ND", "NORTH DAKOTA", &[(580, 588)]),
    ("OH", "OHIO", &[(430, 459)]),
    ("OK", "OKLAHOMA", &[(730, 749)]),
    ("OR", "OREGON", &[(970, 979)]),
    ("PA", "PENNSYLVANIA", &[(150, 196)]),
    ("RI", "RHODE ISLAND", &[(28, 29)]),
    ("SC", "SOUTH CAROLINA", &[(290, 299)]),
    ("SD", "SOUTH DAKOTA", &[(570, 577)]),
    ("TN", "TENNESSEE", &[(370, 385)]),
    ("TX", "TEXAS", &[(733, 733), (750, 799), (885, 885)]),
    ("UT", "UTAH", &[(840, 847)]),
    ("VT", "VERMONT", &[(50, 59)]),
    ("VA", "VIRGINIA", &[(201, 201), (220, 246)]),
    ("WA", "WASHINGTON", &[(980, 994)]),
    ("WV", "WEST VIRGINIA", &[(247, 268)]),
    ("WI", "WISCONSIN", &[(530, 549)]),
    ("WY", "WYOMING", &[(820, 831), (834, 834)]),
    ("PR", "PUERTO RICO", &[(6, 7), (9, 9)]),
    ("VI", "VIRGIN ISLANDS", &[(8, 8)]),
    ("GU", "GUAM", &[(969, 969)]),
    ("AS", "AMERICAN SAMOA", &[(967, 967)]),
    ("MP", "NORTHERN MARIANA ISLANDS", &[(969, 969)]),
];

pub fn is_state(letters: &str) -> bool {
    STATES.iter().any(|(short, _, _)| *short == letters)
}

/// The name of a state in full, in capital letters.
pub fn state_name(letters: &str) -> Option<&'static str> {
    STATES.iter().find(|(short, _, _)| *short == letters).map(|(_, long, _)| *long)
}

/// How states were shortened before there were two letters.
const OLD_ABBREVIATIONS: &[(&str, &str)] = &[
    ("ALA", "AL"),
    ("ARIZ", "AZ"),
    ("CAL", "CA"),
    ("CALIF", "CA"),
    ("COLO", "CO"),
    ("CONN", "CT"),
    ("FLA", "FL"),
    ("ILL", "IL"),
    ("KANS", "KS"),
    ("MASS", "MA"),
    ("MICH", "MI"),
    ("MINN", "MN"),
    ("MONT", "MT"),
    ("NEB", "NE"),
    ("NEBR", "NE"),
    ("NEV", "NV"),
    ("OKLA", "OK"),
    ("ORE", "OR"),
    ("OREG", "OR"),
    ("PENN", "PA"),
    ("PENNA", "PA"),
    ("TENN", "TN"),
    ("TEX", "TX"),
    ("WASH", "WA"),
    ("WIS", "WI"),
    ("WISC", "WI"),
];

/// The abbreviation of a state's name, in full (`RHODE ISLAND`) or shortened in the old way (`MASS`).
pub fn state_by_name(name: &str) -> Option<&'static str> {
    let old = || OLD_ABBREVIATIONS.iter().find(|(old, _)| *old == name).map(|(_, short)| *short);
    STATES.iter().find(|(_, long, _)| *long == name).map(|(short, _, _)| *short).or_else(old)
}

/// Whether mail with this ZIP goes to this state, as far as the first three digits tell.
pub fn zip_fits_state(zip: &str, state: &str) -> bool {
    let Some(area) = zip.get(..3).and_then(|d| d.parse::<u16>().ok()) else { return false };
    STATES.iter().any(|(short, _, areas)| *short == state && areas.iter().any(|(a, b)| (*a..=*b).contains(&area)))
}

/// The state that mail with this ZIP goes to, as far as the first three digits tell.
pub fn state_of_zip(zip: &str) -> Option<&'static str> {
    let mut fitting = STATES.iter().map(|(short, _, _)| *short).filter(|short| zip_fits_state(zip, short));
    fitting.next().filter(|_| fitting.next().is_none())
}
