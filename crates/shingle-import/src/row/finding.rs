//! Suspicions about the rows as a whole.
//!
//! # Decision
//!
//! A suspicion about all rows (wrong unit or column, wrong encoding, a town far from its ZIP) is data with its values,
//! so the portal can say it in Spanish. Turned down: sentences composed here, which could only be shown in English.

use serde::{Serialize, Serializer};
use shingle_domain::messages;

messages! {
    /// What looks wrong in the rows as a whole.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Finding {
        ForeignZips { rows: u64, zip: String, state: String } =>
            "{rows} {rows|row has a ZIP that is not of its state|rows have a ZIP that is not of their state} ({zip} in {state}): is the state right, or the ZIP?",
        FarZips { rows: u64, zip: String, own: String, town: String } =>
            "{rows} {rows|row has a ZIP far from its town|rows have a ZIP far from their town} ({zip} is {own}, not {town}): is the town right, or the ZIP?",
        ReadTwice { rows: u64, cell: String, meant: String } =>
            "{rows} {rows|row is|rows are} UTF-8 that was read as Windows-1252 (`{cell}`, which is `{meant}`): leave `[table] encoding` out; where the \
             mapping has none, the file was spoilt before: save it anew as UTF-8",
        ColumnReadTwice { rows: u64, column: String } =>
            "{rows} {rows|row is|rows are} UTF-8 that was read as Windows-1252 (in the column `{column}`): leave `[table] encoding` out; where the \
             mapping has none, the file was spoilt before: save it anew as UTF-8",
        Guessed { rows: u64, cell: String } =>
            "{rows} {rows|row is not UTF-8 and was read|rows are not UTF-8 and were read} as Windows-1252 (`{cell}`): if that looks wrong, save the file as UTF-8, or say its \
             `[table] encoding`",
        ColumnGuessed { rows: u64, column: String } =>
            "{rows} {rows|row is not UTF-8 and was read|rows are not UTF-8 and were read} as Windows-1252 (in the column `{column}`): if that looks wrong, save the file as \
             UTF-8, or say its `[table] encoding`",
        LostLetters { rows: u64, cell: String } =>
            "{rows} {rows|row has|rows have} lost letters (`{cell}`): they were lost before the file came here; save it anew as UTF-8",
        ColumnLostLetters { rows: u64, column: String } =>
            "{rows} {rows|row has|rows have} lost letters (in the column `{column}`): they were lost before the file came here; save it anew as UTF-8",
        RoundedIds { rows: u64, id: String } =>
            "{rows} {rows|row has|rows have} a parcel id that a spreadsheet rounded (`{id}`); it is left out, because it would join homes that have \
             nothing to do with each other: export the table again with that column as text",
        PlaceholderIds { rows: u64, id: String } =>
            "{rows} {rows|row has|rows have} a parcel id that means no parcel (`{id}`); it is left out, because it would join homes that have nothing \
             to do with each other",
        SharedIds { ids: usize, most: usize, id: String } =>
            "{ids} {ids|parcel id is|parcel ids are} shared by more than {most} addresses each (`{id}`), so {ids|it is no id of a parcel and joins|they are no ids of parcels and join} nothing",
        MergedRows { rows: u64, example: String } =>
            "{rows} {rows|row has|rows have} the address of another parcel's row and other figures ({example}): {rows|together they become|they become} one home with the \
             figures of the first; a number, a unit or a direction may be missing",
        RowsNotFound { found: u64, asked: u64, missed: String } =>
            "{found} of {asked} of its own rows {found|is|are} found as people write them; not found: {missed}",
        Otherwise { field: String, n: u64, all: u64, list: Vec<String> } =>
            "{field}: `otherwise` took {n} of {all} {all|cell|cells}, most often {list}: name those that mean something else",
        Nothing { n: u64, word: String } =>
            "{n} {n|cell says|cells say} `{word}`: if that means nothing, write `blank = [\"{word}\"]` above the first table",
        Age { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, no year: is it an age, or another column? An age of 2025 is a year with `times = -1, plus = 2025`",
        Years { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, a year: is it the right column?",
        Metres { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, small for square feet: are these square metres? Then say `unit = \"m2\"`",
        Cars { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, small for an area: are these cars, `garage_cars`?",
        Dollars { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, large for an area of a home: are these dollars, or the lot?",
        Lot { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, large for a home: is it the lot's area?",
        Acres { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, no area in square feet: is it another column, or in acres? Then say `unit = \"acres\"`",
        Height { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, many for storeys: is it a height, an area or a code?",
        GarageArea { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, many for cars: is it the garage's area, `garage_area_sqft`?",
        UnitNumber { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, many for homes in one building: is it a unit's number, or a code?",
        Thousands { field: String, middle: String } =>
            "{field}: the middle of the values is {middle}, little for dollars: are these thousands? Then say `times = 1000`",
        DollarSales { field: String, n: u64, all: u64, low: String, high: String } =>
            "{field}: {n} of {all} values {n|is|are} not between {low} and {high}: deeds for a dollar are no prices; name them in `blank`",
        Unusual { field: String, n: u64, all: u64, low: String, high: String } =>
            "{field}: {n} of {all} values {n|is|are} not between {low} and {high}; is it the right column and unit?",
    }
}

/// In English.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}
