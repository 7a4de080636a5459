//! What is wrong with a mapping.

use std::path::PathBuf;

use shingle_domain::message::Message;
use shingle_domain::messages;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum MappingProblem {
        /// `[assessor] storeys`, and what is wrong there.
        At { key: String, problem: Box<MappingProblem> } => "{key}: {problem}",
        NoAddress =>
            "the mapping has no `[address]`: say there which columns hold the home's address, `line`, or `number` and \
             `street`. Parcels without addresses are not imported alone: name the table or the points with the \
             addresses in the same command, and the parcels in `[layers.parcels]` (example 7 of `shingle import \
             --help mapping`)",
        Dataset => "`dataset` is the name of the index: a-z, 0-9 and `-`, at most 64",
        OneCoordinate => "`[geometry]` has both `longitude` and `latitude`, or neither",
        FormatsOfOther => "only dates have `formats`",
        ParcelsWithoutIds => "`draws = \"parcels\"` needs `[place] parcel`, and excludes `[layers.parcels]`",
        LineOrStreet => "`[address]` has either `line`, or `street` and `number`",
        NoPlace => "`[address]` needs `city`, `state` and `zip`, unless `line` holds them",
        FillInTown => "`[address] city`: fill in the town; the draft found none in the file",
        FillInState => "`[address] state`: fill in the state's two letters; the draft found none in the file",
        NotAState { state: String } => "`[address] state`: `{state}` is not a state",
        NotAZip { zip: String } => "`[address] zip`: `{zip}` is not a 5-digit code",
        Code { meant: CodeMeaning, shown: String } => "a code means {meant}; `{shown}` does not",
        PermitCode { shown: String } =>
            "`[permit] kind`: a code means roof, solar, heatPump, vehicleCharger, kitchen or other; `{shown}` does not",
        NotAnArea => "an area's `unit` is sqft, m2, sqyd, acres or hectares",
        NoUnit => "this field has no `unit`; use `times`",
        TooDeep => "formulas are nested too deep",
        KeysOfZip => "`nearby`, `mailing_line` and `among`, `areas`, `own` and `crs` are for `[address] zip` alone",
        Separator => "`separator` goes between `columns`",
        EmptyList { name: &'static str } => "`{name}` is empty",
        OneOrigin =>
            "one of `column`, `columns`, `first_of`, `sum`, `difference`, `product` and `constant` is needed, and only one",
        TakeWithoutSplit => "`take` says which piece of a `split`",
        NoOtherFile => "a mapping that is written here reads no other file: give the codes in `codes`",
        Split => "`split` needs a text to split at, and `take` counts from 1 (or back from -1)",
        NotNumbers => "`times` and `plus` are numbers",
        Pattern { text: String, e: String } => "`{text}` is not a pattern: {e}",
        NoValues { column: String } => "`[rows]`: `{column}` has no values",
        NoMailingLine => "`nearby` needs `mailing_line`",
        NoZips => "`nearby` needs `among`: the ZIPs of this town",
        NotFiveDigits { text: String } => "`{text}` is not a 5-digit code",
        NoAreas => "`areas` names the files",
        DateFormat { format: String, known: DateLetters } =>
            "`{format}` is no format of a whole date. {known}; or `excel`, `epoch-ms`, `epoch-s`",
        DateFormatMeant { format: String, meant: String, known: DateLetters } =>
            "`{format}` is no format of a whole date: write `{meant}`. {known}; or `excel`, `epoch-ms`, `epoch-s`",
        OneCharacter { name: &'static str, text: String } => "`[table] {name}`: one character such as `;`, not `{text}`",
        Encoding { name: String } =>
            "`[table] encoding`: `{name}` is not known; try utf-8, windows-1252, utf-16le, cp437 or cp850",
        EmptyHeader => "`[table] header` names no column",
        CodeFile { path: PathBuf, why: Message } => "{path}: {why}",
        NoCodeColumn { name: String, header: Vec<String> } => "no column `{name}`; the file has: {header}",
        NoCodes => "no row has a key and a value",
    }
}

impl MappingProblem {
    pub fn at(self, key: impl Into<String>) -> Self {
        Self::At { key: key.into(), problem: Box::new(self) }
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum DateLetters {
        Known => "`%Y` is a year, `%y` one of two digits, `%m` a month, `%b` its name, `%d` a day",
    }
}

messages! {
    /// What the codes of a field may mean.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum CodeMeaning {
        Fuel => "gas, oil, propane, electric or other",
        Grade => "belowAverage, average or aboveAverage",
        RoofType => "flat, shed, gable, hip, gambrel or mansard",
        PropertyClass =>
            "singleFamily, twoToFourUnits, condominium, apartments, mobileHome, mixedResidential, vacantLand, commercial or \
             other",
        Flag => "true or false",
        Text => "a text",
        Number => "a number",
        Nothing => "nothing: this field has no codes",
    }
}

messages! {
    /// A mistake that the parser of TOML found.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum TomlMistake {
        /// With the lines themselves, and a mark under them.
        At { line: usize, column: usize, lines: String, problem: Message } =>
            "TOML parse error at line {line}, column {column}\n{lines}{problem}",
        UnknownKey { key: String, keys: Vec<String> } => "no key is called `{key}`, expected one of {keys}",
        UnknownKeyMeant { key: String, hint: KeyHint, keys: Vec<String> } =>
            "no key is called `{key}` ({hint}), expected one of {keys}",
        MissingKey { key: String } => "the key `{key}` is missing",
        Month { error: String } => "{error}. A month is written in quotes: \"2025-06\"",
        Value => "behind a key come `=` and its value",
        CommaBetweenKeys => "a comma is missing between two keys",
        CommaInList => "a comma is missing in the list",
        Quotes => "a text goes in quotes",
        OpenText => "the text has no end: `\"` is missing",
        OpenLiteral => "the text has no end: `'` is missing",
        OpenList => "the list has no end: `]` is missing",
        OpenTable => "the table has no end: `}` is missing",
        OpenHeading => "the table's name has no end: `]` is missing",
        Twice => "this key appears twice",
        Other { found: Message, wanted: Message } => "here is {found}, and what belongs here is {wanted}",
    }
}

messages! {
    /// What is meant by a key that no mapping has.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum KeyHint {
        AboveTables { key: String } => "`{key}` goes above the first table",
        OfAssessor => "it belongs in `[assessor]`",
        Near { near: String } => "is `{near}` meant?",
    }
}

messages! {
    /// What may stand behind a key.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum TomlValue {
        Table => "a table",
        List => "a list",
        Text => "a text",
        Number => "a number",
        Flag => "true or false",
        Formula => "the name of a column, or a table with `column`, `columns`, `constant` or the like",
        Crs => "an EPSG number or a proj string",
    }
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum AsOfProblem {
        NotADate { forms: AsOfForms } => "`as_of` must be {forms}",
        Other { forms: AsOfForms, text: String } => "`as_of` must be {forms}, not `{text}`",
        OtherMeant { forms: AsOfForms, text: String, date: String } =>
            "`as_of` must be {forms}, not `{text}`; did you mean `{date}`?",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum AsOfForms {
        Any => "a year, a month or a day: \"2025\", \"2025-06\" or \"2025-06-30\"",
    }
}
