//! Why a row of a file cannot be read. The next one can.

use shingle_domain::messages;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum UnreadRow {
        Fields { len: usize, wanted: usize } => "{len} {len|field|fields} where the header has {wanted}",
        OpenQuote => "a quotation mark opens and does not close: the lines after it were taken into the cell",
        NotAList => "not a list of values",
        FeatureTooLarge { megabytes: usize } => "a feature of more than {megabytes} MB is too large",
        NotAFeature { why: String } => "not a GeoJSON feature: {why}",
        OtherThanFeature { kind: String } => "a {kind}, not a feature",
        NeitherOutlineNorPoint { kind: String } => "a {kind} is neither an outline nor a point",
        NoCoordinates => "the geometry has no coordinates",
        Coordinates { e: String } => "the coordinates cannot be read: {e}",
        Curve => "a curve is not read as an outline; ask the server with returnTrueCurves=false",
        Line => "a line is not an outline",
        Cloud => "a cloud of points is not an outline",
        Multipatch => "a multipatch is not an outline",
        OtherShape { other: u64 } => "{other} is not a kind of shape",
        ShapeEndsEarly => "the shape's bytes end too early",
        ShapeDamaged => "the shape's record is damaged",
        ShapeTooLarge { megabytes: u64 } => "a shape of {megabytes} MB is not a building",
        Deleted => "the record is marked as deleted",
        LacksPoints => "the file lacks some of its points",
        LacksWays => "the file lacks some of its ways",
    }
}
