//! What is reported about a file that was read.

use shingle_domain::messages;

use crate::format::columns_problem::FixedText;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum FileNote {
        RepeatedHeading { name: String, n: usize, others: Vec<String> } =>
            "the heading `{name}` is over {n} columns: the first of them is read; to read another, write {others}",
        OpenQuotes { rows: u64, lines: u64, row: u64, line: u64 } =>
            "{rows} {rows|row has|rows have} a quotation mark that opens and does not close, and took {lines} more {lines|line|lines} into a cell: \
             the first is row {row}, line {line}. Where quotation marks are part of the text, write `quote = \"\"` in \
             `[table]`; else fix {rows|this row|these rows}",
        NoRowHas { c: String } => "no row has `{c}`",
        NoRowHasFixedText { c: String, advice: FixedText } => "no row has `{c}`{advice}",
        PartOfWhole { name: String, rows: u64, whole: u64, way: NextPages } =>
            "{name}: this is a part of a download: {rows} of {whole} {whole|row|rows}. {way}",
        PartWithMore { name: String, rows: u64, way: NextPages } =>
            "{name}: this is a part of a download: behind its {rows} {rows|row|rows} the server has more. {way}",
        PerhapsPart { name: String, rows: u64, way: NextPages } =>
            "{name}: it has exactly {rows} {rows|row|rows}, as many as some servers give at one time: is it a part? {way}",
    }
}

messages! {
    /// How the rest of a download is had.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum NextPages {
        ArcGis =>
            "Ask an ArcGIS server page by page (resultOffset=0, then as many rows farther each time, until \
             exceededTransferLimit is gone; ogr2ogr does it by itself), and name all files in one command",
        Links =>
            "Ask for the pages behind it too (the link `next`, or startIndex, offset or $offset with the number of rows so \
             far), and name all files in one command",
    }
}
