//! What is reported about layers, and what is wrong with them.

use shingle_domain::message::Message;
use shingle_domain::messages;
use shingle_measure::{Alert, Unmeasured};

messages! {
    /// What the layers brought.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum LayerNote {
        Parcels { ids: usize, polygons: usize, megabytes: String } =>
            "parcels: {ids} {ids|id|ids} on {polygons} {polygons|polygon|polygons}, {megabytes} MB in memory",
        ZipAreas { polygons: usize, megabytes: String } => "ZIP areas: {polygons} {polygons|polygon|polygons}, {megabytes} MB in memory",
        Outlines { outlines: usize, megabytes: String } =>
            "outlines to meet address points: {outlines}, {megabytes} MB in memory",
        SomeIdsKnown { known: u64, ids: u64, other: String } =>
            "the parcel {known|id|ids} of {known} of {ids} {ids|row|rows} {known|is|are} in the parcel layer; `{other}` is not",
        IdsKnown { known: u64, ids: u64 } => "the parcel {known|id|ids} of {known} of {ids} {ids|row|rows} {known|is|are} in the parcel layer",
        Placed { placed: u64, by_place: u64, spanning: u64 } =>
            "{placed} {placed|row took its place from its|rows took their place from their} parcel, {by_place} \
             {by_place|its parcel from its|their parcel from their} place; {spanning} \
             {spanning|outline reaches over its|outlines reach over their} parcel's border",
        Met { in_outline: u64, near_outline: u64, near: u32, no_outline: u64 } =>
            "{in_outline} address {in_outline|point lies|points lie} in an outline, {near_outline} took the nearest within \
             {near} m, {no_outline} {no_outline|has|have} none",
        Zips { rows: u64 } => "{rows} {rows|row took its|rows took their} ZIP from its area",
        Towns { rows: u64 } => "{rows} {rows|row names no town: it is the post town of its|rows name no town: it is the post town of their} ZIP",
        Repaired { outlines: u64 } => "{outlines} {outlines|outline crossed itself slightly and was|outlines crossed themselves slightly and were} repaired",
        StrayHoles { n: u64 } =>
            "{n} {n|outline has a hole that lies outside it|outlines have a hole that lies outside them}; it was read as a part of the building",
        Measured { roofs: u64, outlines: u64, files: usize, megabytes: String } =>
            "roofs measured: {roofs} of {outlines}, in {files} {files|file|files} of laser points, {megabytes} MB in memory",
        NotMeasured { outlines: u64, why: Message } => "{outlines} {outlines|roof was|roofs were} not measured: {why}",
        MeasuredBut { roofs: u64, why: Message } => "{roofs} measured {roofs|roof|roofs}: {why}",
        PointsLeftOut { why: String } => "left out: {why}",
        PointsInPart { points: u64, why: String } => "only its first {points} {points|point was|points were} read: {why}",
        LeftOut { left_out: u64, read: u64, list: Message } => "{left_out} of {read} {read|polygon|polygons} left out ({list})",
    }
}

messages! {
    /// Why laser points did not measure a roof.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum WhyUnmeasured {
        BadOutline => "the outline has no area, or lies where the survey's coordinates are not defined",
        TooLarge => "the outline is more than 1,000 m long",
        NoPoints => "the survey has no points there",
        TooFewPoints => "the survey has fewer than 40 points there",
        TooSparse => "the survey has fewer than 2 points a square meter there",
        NoRoof => "the survey shows only ground: the building is newer, or gone",
        NoPlanes => "what the survey shows is not made of planes",
        PartlyOnGround => "the survey shows ground inside of the outline: the roof has changed since, or the outline is misplaced",
        UnderTrees => "trees hide the roof",
        PartlyCovered => "the survey shows only a part of the roof",
    }
}

messages! {
    /// What to know about a roof that was measured.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum RoofDoubt {
        GoesOn => "the roof goes on beyond its outline: it has grown, or a neighbor shares it",
        PartlyHidden => "trees may hide a part of it",
    }
}

impl WhyUnmeasured {
    pub fn of(why: Unmeasured) -> Self {
        match why {
            Unmeasured::BadOutline => Self::BadOutline,
            Unmeasured::TooLarge => Self::TooLarge,
            Unmeasured::NoPoints => Self::NoPoints,
            Unmeasured::TooFewPoints => Self::TooFewPoints,
            Unmeasured::TooSparse => Self::TooSparse,
            Unmeasured::NoRoof => Self::NoRoof,
            Unmeasured::NoPlanes => Self::NoPlanes,
            Unmeasured::PartlyOnGround { .. } => Self::PartlyOnGround,
            Unmeasured::UnderTrees => Self::UnderTrees,
            Unmeasured::PartlyCovered => Self::PartlyCovered,
        }
    }
}

impl RoofDoubt {
    pub fn of(alert: Alert) -> Self {
        match alert {
            Alert::GoesOn { .. } => Self::GoesOn,
            Alert::PartlyHidden { .. } => Self::PartlyHidden,
        }
    }
}

messages! {
    /// Why the files of an import do not go together.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum LayerProblem {
        UnknownIds { ids: u64, ours: String, theirs: String } =>
            "none of {ids} parcel ids is in the parcel layer: here one is `{ours}`, there `{theirs}`. Name the columns that \
             hold the same ids, or compute one from the other. Nothing was imported",
        NothingUsable { read: u64, why: Message } => "no polygon of {read} could be used; {why}. Nothing was imported",
        MissingColumn { c: String } => "no feature has `{c}`",
        Empty => "it has none",
        PointsUnplaced => "the tiles do not say where they are: name their coordinate system, `[layers.points] crs = 6346`. Nothing \
                           was imported",
        Points { why: String } => "{why}. Nothing was imported",
    }
}
