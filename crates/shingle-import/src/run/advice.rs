//! What a check advises to the writer of the mapping.

use shingle_domain::messages;

messages! {
    /// What may be wrong in a mapping.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Suggestion {
        Blank { field: String } => "{field}: every cell is blank; is it the right column?",
        Unread { field: String, unread: u64, cells: u64, advice: UnreadAdvice } =>
            "{field}: {unread} of {cells} {cells|cell|cells} {unread|was|were} not understood; {advice}",
        Duplicates { duplicates: u64, rows: u64 } =>
            "{duplicates} of {rows} rows {duplicates|repeats|repeat} an earlier row; does the table have a row for each card or year that `[rows]` \
             could choose from?",
        Rejected { rejected: u64, rows: u64 } => "{rejected} of {rows} {rows|row|rows} would be rejected; see the reasons",
        FarFromZip => "most rows lie far from their ZIP; is the projection (`[geometry] crs`) right?",
        NoDate => "no date given (`as_of`): newer sources win",
        Unused { heading: String, field: &'static str } => "the column `{heading}` is not used; is it {field}?",
        Left { names: Vec<String> } => "columns that the mapping does not use: {names}",
        LeftWithMore { names: Vec<String>, rest: usize } =>
            "columns that the mapping does not use: {names} and {rest} more",
    }
}

messages! {
    /// What to write where cells are not understood.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum UnreadAdvice {
        Codes { codes: Vec<String> } => "name what these mean in `codes`, or give `otherwise`: {codes}",
        Format { format: &'static str } => "state how they are written: `formats = [\"{format}\"]`",
        Formats => "state how they are written with `formats`",
        Comma => "if a comma comes before the decimals, say `decimal = \",\"`",
        Unit => "is its unit the right one?",
        Any => "give it `codes`, a `pattern` or `blank`",
    }
}
