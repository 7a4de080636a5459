//! Words of deeds and tax rolls that are not names, and words that show the kind of owner.

pub(crate) fn is_one_of(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// After a name: generation, degree, profession. `DO`, `MA` and `BA` are degrees too, but family names first.
pub(crate) const SUFFIXES: &[&str] = &[
    "JR", "SR", "II", "III", "IV", "2ND", "3RD", "4TH", "ESQ", "ESQUIRE", "MD", "PHD", "DDS", "DMD", "DVM", "CPA",
    "RN",
];

/// Before a name.
pub(crate) const TITLES: &[&str] = &["MR", "MRS", "MS", "MISS", "DR", "REV", "PROF", "RABBI"];

/// Roles on a deed.
pub(crate) const ROLES: &[&str] = &[
    "TRUSTEE", "TRUSTEES", "TRUSTE", "TRUSTEESHIP", "COTRUSTEE", "COTRUSTEES", "CO-TRUSTEE", "CO-TRUSTEES", "TTEE",
    "TTEES", "TRSTEE", "TRSTE", "TRTEE", "TRS", "TR", "TRST", "SUCC", "SUCCESSOR", "SUCCESSORS", "SUC", "ETAL",
    "ETALS", "ETUX", "ETVIR", "ETCON", "EST", "ESTATE", "ESTATES", "LIFE-ESTATE", "LFEST", "HEIR", "HEIRS", "HRS",
    "DEVISEE", "DEVISEES", "DECEASED", "DECD", "DECSD", "DEC", "JT", "JTRS", "JTROS", "JTWROS", "JTWRS", "JTTEN",
    "TIC", "TBE", "TBYE", "TENCOM", "TENENT", "TC", "HW", "HWF", "WH", "HUSBAND", "WIFE", "SPOUSE", "SPOUSES",
    "WIDOW", "WIDOWER", "UNMARRIED", "MARRIED", "SURVIVOR", "SURVIVORS", "SURVIVORSHIP", "SURV", "ROS", "REM",
    "REMAINDER", "REMAINDERMAN", "REMAINDERMEN", "REMDR", "EXECUTOR", "EXECUTRIX", "EXEC", "EXR", "EXTRX",
    "ADMINISTRATOR", "ADMINISTRATRIX", "ADMR", "ADMX", "ADMIN", "GUARDIAN", "GDN", "CONSERVATOR", "CUSTODIAN",
    "CUST", "POA", "PERS", "PERSREP", "INDIVIDUALLY", "INDIV", "IND", "JOINTLY", "JOINT", "TENANT", "TENANTS",
    "ENTIRETY", "ENTIRETIES", "COMMON", "BENEFICIARY", "BENEFICIARIES", "BENE", "OWNER", "OWNERS", "CO-OWNER",
    "GRANTOR", "SETTLOR", "INT", "UND", "UNDIV", "UNDIVIDED",
];

/// Roles of several words. The first match wins, so longer ones precede their beginnings.
pub(crate) const ROLE_PHRASES: &[&[&str]] = &[
    &["LIFE", "ESTATE"], &["VDA", "DE"], &["VIUDA", "DE"], &["LIFE", "EST"], &["LIFE", "TENANT"],
    &["LIFE", "TENANTS"], &["LIFE", "TENANCY"], &["LIFE", "INTEREST"], &["LIFE", "INT"], &["LIFE", "USE"],
    &["LIFE", "LEASE"], &["LF", "EST"], &["LIFE", "TEN"], &["LIFE", "TRUSTEE"], &["ET", "AL"], &["ET", "ALS"],
    &["ET", "ALIA"], &["ET", "UX"], &["ET", "UXOR"], &["ET", "VIR"], &["ET", "CON"], &["ET", "MARITUS"],
    &["TEN", "COM"], &["TEN", "ENT"], &["TEN", "IN", "COM"], &["JT", "TEN"], &["JT", "TENS"], &["T", "BY", "E"],
    &["BY", "THE", "ENTIRETY"], &["WITH", "RIGHTS", "OF", "SURVIVORSHIP"], &["RIGHTS", "OF", "SURVIVORSHIP"],
    &["RT", "OF", "SURV"], &["POWER", "OF", "ATTORNEY"], &["PERSONAL", "REPRESENTATIVE"], &["PERSONAL", "REP"],
    &["PERS", "REP"], &["A", "MARRIED", "MAN"], &["A", "MARRIED", "WOMAN"], &["A", "MARRIED", "PERSON"],
    &["A", "SINGLE", "MAN"], &["A", "SINGLE", "WOMAN"], &["A", "SINGLE", "PERSON"], &["AN", "UNMARRIED", "MAN"],
    &["AN", "UNMARRIED", "WOMAN"], &["AN", "UNMARRIED", "PERSON"], &["A", "WIDOW"], &["A", "WIDOWER"],
    &["SINGLE", "MAN"], &["SINGLE", "WOMAN"], &["MARRIED", "MAN"], &["MARRIED", "WOMAN"], &["MARRIED", "COUPLE"],
    &["MARRIED", "PERSON"], &["UNMARRIED", "MAN"], &["UNMARRIED", "WOMAN"], &["AS", "TRUSTEE"], &["AS", "TRUSTEES"],
    &["AS", "JOINT", "TENANTS"], &["IN", "COMMON"], &["IN", "TRUST"], &["HIS", "WIFE"], &["HER", "HUSBAND"],
    &["DOMESTIC", "PARTNERS"], &["COMMUNITY", "PROPERTY"], &["SOLE", "OWNER"], &["TRUST", "AGREEMENT"],
    &["DOWER", "RIGHTS"], &["KNOWN", "AS"], &["FORMERLY", "KNOWN", "AS"], &["ALSO", "KNOWN", "AS"],
];

/// Small words between names. `HER`, `TO`, `AN` and `ON` are names as well and stay.
pub(crate) const FILLERS: &[&str] = &["THE", "OF", "FOR", "AS", "BY", "WITH", "UNDER", "THEIR", "HIS", "ITS"];

/// Words around the name of a trust.
pub(crate) const TRUST_WORDS: &[&str] = &[
    "TRUST", "TRUSTS", "TRT", "TRST", "TR", "TRU", "TRUS", "REVOCABLE", "REVOC", "REV", "RVOC", "RVCBL", "REVCBL",
    "RVT", "IRREVOCABLE", "IRREVOC", "IRREV", "IRRV", "LIVING", "LVG", "LIV", "LVNG", "FAMILY", "FAM", "FMLY",
    "FAMLY", "NOMINEE", "NOM", "REALTY", "RLTY", "REAL", "ESTATE", "LAND", "DECLARATION", "DECL", "AGREEMENT",
    "AGMT", "AGMNT", "AGRMT", "INDENTURE", "INSTRUMENT", "UDT", "UTD", "UAD", "UA", "UTA", "UDOT", "UDECT", "DTD",
    "DATED", "DATE", "INTER", "VIVOS", "INTERVIVOS", "TESTAMENTARY", "TEST", "MARITAL", "NONMARITAL", "NON-MARITAL",
    "BYPASS", "CREDIT", "SHELTER", "DECEDENTS", "SURVIVORS", "EXEMPT", "EXEMPTION", "RESIDUARY", "RESIDUAL", "QPRT",
    "QTIP", "PERSONAL", "RESIDENCE", "QUALIFIED", "SEPARATE", "PROPERTY", "JOINT", "RESTATED", "AMENDED", "WILL",
    "UW", "BENEFIT", "FBO", "PROTECTION", "ASSET", "GRANTOR", "SPECIAL", "NEEDS", "SUPPLEMENTAL", "CHILDRENS",
    "GRANDCHILDRENS", "HOMESTEAD", "HOUSE", "HOME", "INCOME", "ONLY", "MEDICAID", "LEGACY", "DYNASTY", "GST",
    "MANAGEMENT", "SUB", "SHARE", "NO", "NUMBER", "LIFETIME", "INSURANCE", "GIFT", "DESCENDANTS", "COMMUNITY",
    "COMMON", "DOMESTIC", "DISCLAIMER",
];

/// Each of these makes a line the name of a trust.
pub(crate) const TRUST_SIGNS: &[&str] = &[
    "TRUST", "TRUSTS", "TRT", "RVT", "QPRT", "UDT", "UTD", "UAD", "UTA", "UDOT",
];

/// Trusts of these kinds may have any name, such as a street's.
pub(crate) const FREELY_NAMED_TRUSTS: &[&str] = &[
    "REALTY", "RLTY", "NOMINEE", "NOM", "LAND", "HOLDING", "INVESTMENT", "PROPERTY", "PROPERTIES", "REAL",
];

pub(crate) const MONTHS: &[&str] = &[
    "JANUARY", "JAN", "FEBRUARY", "FEB", "MARCH", "MAR", "APRIL", "APR", "MAY", "JUNE", "JUN", "JULY", "JUL",
    "AUGUST", "AUG", "SEPTEMBER", "SEPT", "SEP", "OCTOBER", "OCT", "NOVEMBER", "NOV", "DECEMBER",
];

/// Legal forms of companies: an owner with one is not a person.
pub(crate) const LEGAL_FORMS: &[&str] = &[
    "LLC", "LLLC", "LLP", "LLLP", "LP", "INC", "INCORPORATED", "CORP", "CORPORATION", "CORPORTION", "CORPORATE",
    "LTD", "LIMITED", "PLLC", "GMBH", "REIT", "COMPANY", "COMPANIES", "LLCS", "FSB", "NTL", "PLC",
];

/// What organizations are or do. Almost never a family name, except alone before a comma.
pub(crate) const ORGANISATIONS: &[&str] = &[
    "ASSOCIATES", "ASSOCIATION", "ASSN", "ASSOC", "ASSOCS", "HOLDINGS", "HOLDING", "PROPERTIES", "PROPERTY",
    "PROPS", "INVESTMENTS", "INVESTMENT", "INVESTORS", "PARTNERS", "PARTNERSHIP", "PTNRS", "ENTERPRISES",
    "ENTERPRISE", "VENTURES", "VENTURE", "DEVELOPMENT", "DEVELOPERS", "MANAGEMENT", "MGMT", "RENTALS", "RENTAL",
    "AUTHORITY", "AUTH", "COMMONWEALTH", "MUNICIPALITY", "MUNICIPAL", "GOVERNMENT", "DEPARTMENT", "DEPT", "BUREAU",
    "AGENCY", "UNIVERSITY", "ACADEMY", "SEMINARY", "FOUNDATION", "HOSPITAL", "CLINIC", "MEDICAL", "MINISTRIES",
    "MINISTRY", "DIOCESE", "ARCHDIOCESE", "ARCHBISHOP", "CONGREGATION", "SYNAGOGUE", "MOSQUE", "FELLOWSHIP",
    "TABERNACLE", "BAPTIST", "METHODIST", "LUTHERAN", "PRESBYTERIAN", "EPISCOPAL", "PENTECOSTAL", "EVANGELICAL",
    "CATHOLIC", "ISLAMIC", "MORTGAGE", "MORTGAGES", "MTG", "FINANCIAL", "FINANCE", "LENDING", "LOANS", "LOAN",
    "SERVICING", "SECURITIES", "ACQUISITIONS", "ACQUISITION", "CONSTRUCTION", "BUILDERS", "HOMEBUILDERS",
    "CONTRACTING", "CONTRACTORS", "ROOFING", "CONDOMINIUM", "CONDOMINIUMS", "CONDO", "CONDOS", "APARTMENTS", "APTS",
    "TOWNHOMES", "COOPERATIVE", "COOP", "CO-OP", "SOCIETY", "INSTITUTE", "INSTITUTION", "COMMITTEE", "COMMISSION",
    "COUNCIL", "BOARD", "DISTRICT", "BANCORP", "BANKERS", "RAILROAD", "RAILWAY", "UTILITIES", "UTILITY", "ENERGY",
    "SOLUTIONS", "SERVICES", "SERVICE", "SYSTEMS", "INDUSTRIES", "INTERNATIONAL", "GLOBAL", "GROUP", "CAPITAL",
    "EQUITIES", "EQUITY", "ASSETS", "FUND", "FUNDING", "HOMES", "HOUSING", "RESIDENTIAL", "COMMUNITIES",
    "COMMUNITY", "LEASING", "REALTY", "RLTY", "REALTORS", "ESTATES", "HOTEL", "RESTAURANT", "SCHOOL", "SCHOOLS",
    "CEMETERY", "MUSEUM", "LIBRARY", "CONSERVANCY", "FNMA", "FHLMC", "HUD", "VETERANS", "FEDERAL", "NATIONAL",
    "REDEVELOPMENT", "TECHNOLOGIES", "LABS", "STUDIO", "STUDIOS", "SALES", "MARKETING", "CONSULTING", "FARMS",
    "CENTER", "CENTRE", "LOGISTICS", "HABITAT", "LEAGUE", "CHAPTER", "FRATERNITY", "SORORITY", "RESTORATION",
    "REMODELING",
];

/// As often in names of organizations as of people.
pub(crate) const ORGANISATIONS_OR_NAMES: &[&str] = &[
    "BANK", "CHURCH", "TEMPLE", "PARISH", "POST", "LODGE", "COLLEGE", "CHAPEL", "MISSION", "CLUB", "CO", "TOWN",
    "CITY", "STATE", "COUNTY", "VILLAGE", "BOROUGH", "TOWNSHIP", "BROS", "BROTHERS", "SONS", "LEGION", "UNION",
    "FARM", "RANCH", "SHOP", "STORE", "OFFICE",
];

/// Public bodies when alone after a comma: `BRINDLEMOOR, CITY`.
pub(crate) const BODIES_AFTER_COMMA: &[&str] = &[
    "CITY", "TOWN", "COUNTY", "STATE", "VILLAGE", "BOROUGH", "TOWNSHIP", "BANK", "CHURCH", "CO",
];

/// Next to these, `HOA` is a given name, not a homeowners' association.
pub(crate) const BESIDE_HOA: &[&str] = &[
    "NGUYEN", "TRAN", "PHAM", "THI", "LE", "HOANG", "HUYNH", "PHAN", "VU", "VO", "DANG",
];

/// Bodies when before `OF`: `CITY OF …`, `SISTERS OF …`.
pub(crate) const BODIES_BEFORE_OF: &[&str] = &[
    "CITY", "TOWN", "COUNTY", "STATE", "VILLAGE", "BOROUGH", "TOWNSHIP", "COMMONWEALTH", "PARISH", "BANK", "CHURCH",
    "SECRETARY", "SISTERS", "ORDER", "BOARD", "KNIGHTS", "TRUSTEES", "PEOPLE", "DAUGHTERS", "SONS", "BISHOP",
    "ROMAN", "OFFICE", "HOUSE",
];

/// Pairs of words that are in no person's name.
pub(crate) const ORGANISATION_PAIRS: &[(&str, &str)] = &[
    ("UNITED", "STATES"), ("U", "S"), ("US", "BANK"), ("CREDIT", "UNION"), ("SAVINGS", "BANK"), ("TRUST", "CO"),
    ("TRUST", "COMPANY"), ("TRUST", "NA"), ("BANK", "NA"), ("LAND", "BANK"), ("CONSERVATION", "TRUST"),
    ("HOUSING", "TRUST"), ("COMMUNITY", "TRUST"), ("MORTGAGE", "TRUST"), ("SECURITIES", "TRUST"), ("LOAN", "TRUST"),
    ("PUBLIC", "WORKS"), ("TAX", "TITLE"), ("TAX", "CLAIM"), ("FANNIE", "MAE"), ("FREDDIE", "MAC"),
    ("REAL", "ESTATE"), ("L", "L"), ("L", "P"),
];

/// Particles: joined with the next word.
pub(crate) const PARTICLES: &[&str] = &[
    "DE", "DEL", "DELA", "DELLA", "DELLO", "DELLE", "DELLI", "DEGLI", "DEI", "DI", "DA", "DAS", "DO", "DOS", "DU",
    "DES", "LA", "LAS", "LE", "LES", "LO", "LOS", "VAN", "VANDE", "VANDEN", "VANDER", "VON", "VONDER", "VOM", "VER",
    "ZU", "ZUM", "ZUR", "DEN", "DER", "TEN", "TER", "TE", "T", "OP", "MC", "MAC", "FITZ", "O", "D", "L", "ST",
    "STE", "SAINT", "SAINTE", "SAN", "SANTA", "SANTO", "AL", "EL", "BIN", "IBN", "BINT", "BEN", "ABU", "ABD",
    "ABDUL", "AF", "AV",
];

/// Particles that are part of the name: without one it is a different name.
pub(crate) const INSEPARABLE_PARTICLES: &[&str] = &[
    "MC", "MAC", "FITZ", "O", "ST", "STE", "SAINT", "SAINTE", "SAN", "SANTA", "SANTO", "D", "L", "T", "ABDUL",
    "ABD",
];

/// Between the two family names of Spain and Portugal.
pub(crate) const LINKS: &[&str] = &["Y", "E", "I"];

/// Frequent family names of Spain and Portugal that do not end in `EZ`: where one is in the middle of a name it
/// is the first of two family names, not a given one.
pub(crate) const IBERIAN: &[&str] = &[
    "GARCIA", "TORRES", "FLORES", "RIVERA", "DIAZ", "REYES", "MORALES", "CRUZ", "ORTIZ", "RAMOS", "RUIZ", "MENDOZA",
    "MORENO", "CASTILLO", "ROMERO", "HERRERA", "MEDINA", "AGUILAR", "VARGAS", "CASTRO", "GUZMAN", "MUNOZ",
    "SALAZAR", "ROJAS", "SOTO", "DELGADO", "ACOSTA", "PENA", "VEGA", "RIOS", "SILVA", "SANTOS", "FERREIRA",
    "PEREIRA", "OLIVEIRA", "COSTA", "SOUSA", "SOUZA", "ALMEIDA", "CARVALHO", "TEIXEIRA", "MACHADO", "ROCHA",
    "CARDOSO", "FERNANDES", "RODRIGUES", "MARTINS", "GONCALVES", "LOPES", "GOMES", "NUNES", "MENDES", "CONTRERAS",
    "GUERRERO", "ORTEGA", "SANDOVAL", "ESTRADA", "LUNA", "AYALA", "CABRERA", "CAMPOS", "FUENTES", "VALENCIA",
    "CERVANTES", "MOLINA", "PACHECO",
];

/// A line of only these words names nobody: `UNKNOWN`, `CURRENT OWNER`, `NAME WITHHELD`.
pub(crate) const NO_OWNER_WORDS: &[&str] = &[
    "UNKNOWN", "UNKOWN", "UNK", "UNKN", "OWNER", "OWNERS", "OWNERSHIP", "CURRENT", "OCCUPANT", "RESIDENT", "NONE",
    "NULL", "NIL", "NA", "NAN", "N", "A", "TBD", "NOT", "AVAILABLE", "KNOWN", "RECORDED", "LISTED", "ON", "FILE",
    "OF", "RECORD", "NO", "NAME", "NAMES", "WITHHELD", "CONFIDENTIAL", "REDACTED", "SUPPRESSED", "PROTECTED",
    "UNASSIGNED", "ASSIGNED", "UNDETERMINED", "UNAVAILABLE", "PROPERTY", "THE", "TO", "BE", "DETERMINED", "MISSING",
    "BLANK", "PENDING", "UNDISCLOSED", "INFORMATION", "INFO", "DATA", "SEE", "DEED", "HEIRS", "BY", "REQUEST",
    "PER", "STATUTE", "LAW", "TEST", "APPLICABLE", "OR", "AND", "FOUND", "PRIVATE", "INDIVIDUAL", "EXEMPT", "FROM",
    "PUBLIC", "DISCLOSURE", "YET", "PERSON", "PERSONS", "CANNOT", "LOCATE", "LOCATED", "X", "XX", "XXX", "XXXX",
    "XXXXX", "VARIOUS", "MULTIPLE", "ET", "AL", "ETAL",
];

/// Last words of a street line in the owner's column.
pub(crate) const STREET_WORDS: &[&str] = &[
    "ST", "STREET", "AVE", "AVENUE", "RD", "ROAD", "DR", "DRIVE", "LN", "LANE", "CT", "COURT", "PL", "PLACE",
    "BLVD", "BOULEVARD", "WAY", "TER", "TERRACE", "CIR", "CIRCLE", "HWY", "HIGHWAY", "PKWY", "PARKWAY", "SQ",
    "SQUARE",
];
