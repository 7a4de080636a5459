//! Why no mapping can be proposed.

use shingle_domain::message::Message;
use shingle_domain::messages;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum DraftProblem {
        NoFile => "there is no file",
        NoRows => "it has no rows",
        NothingReadable { reason: Message } => "nothing here can be imported: {reason}",
        NoHeadings => "the first line is data, not headings: put a line with the names of the columns above it",
        OneColumn =>
            "its columns cannot be told apart: write the character between them as `delimiter` in `[table]`; where columns have \
             fixed widths, open the file in a spreadsheet and save it as CSV",
        OnlyPolygons =>
            "polygons without addresses: add the address table or the .dbf to the same import (`shingle import --guide STATE` \
             says where they are)",
        NoAddresses { columns: String } =>
            "no column holds addresses (a line, or a number and a street): is it the right file? Its columns are {columns}. If \
             some of them are an address, write the mapping by hand: shingle import --help mapping",
        NoSharedIds => "no column of it holds the ids of another file's rows; import it by itself",
        SecondAddresses => "it has addresses of its own; draft and import it by itself, under another name",
        SecondTable =>
            "it has neither addresses nor shapes, and two tables are not joined here: put its columns into the table that has \
             the addresses",
        SalesAlone { what: SalesAlone } =>
            "{what}. No column holds ids of parcels either: ask for the sales with their addresses",
        SalesWithIds { what: SalesAlone, id: String } =>
            "{what}. Its `{id}` looks like a parcel's id: put the address of the assessor's row with the same id beside each \
             sale (a look-up of a spreadsheet does it), and draft the result; name both files to see whether their ids are the same",
        SalesWithRoll { what: SalesAlone, id: String, column: String, file: String } =>
            "{what}. Its `{id}` holds the ids of `{column}` in {file}: put the address of that row beside each sale (a look-up \
             of a spreadsheet does it), and draft the result by itself",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum SalesAlone {
        NoAddresses => "it has sales and no addresses, and two tables are not joined here",
    }
}
