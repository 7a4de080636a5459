//! Why a row is rejected.

use shingle_domain::messages;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum RowProblem {
        NoHouseNumber => "no house number",
        NoStreet => "no street",
        SpreadsheetDate { number: String } => "`{number}` is a date that a spreadsheet made of a house number",
        ScientificNumber { number: String } => "`{number}` is a house number in scientific form",
        NotAHouseNumber { number: String } => "`{number}` is not a house number",
        TooLong => "the street or the city is too long to be one",
        NotAStreet { street: String } => "`{street}` is not a street",
        NotATown { city: String } => "`{city}` is not a town",
        NoCity => "no city, and no ZIP that tells it",
        NoState => "no state",
        NotAState { text: String } => "`{text}` is not a state",
        NoZip => "no ZIP",
        NotAZip { text: String } => "`{text}` is not a ZIP",
        NotAUnit { error: String } => "`{error}` is not a unit",
        NoParcelId => "no parcel id",
        RoundedId { id: String } => "`{id}` is a parcel id that a spreadsheet rounded",
        PlaceholderId { id: String } => "`{id}` means no parcel",
        NoAddressOnParcel => "no address, and no addressed row on its parcel",
        CrowdedParcel => "no address, and too many on its parcel to choose one",
        SeveralOnParcel => "no address, and more than one on its parcel",
        OnNoParcel => "no address, and its middle is on no parcel",
        NoParcel => "no address, and no parcel to find one by",
        NoPoint => "no address, and no address point in it or near it",
        PointNotPolygon => "a point, not a polygon",
        NothingDrawn => "nothing is drawn",
    }
}
