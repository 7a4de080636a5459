//! What is reported about layers, and what is wrong with them.

use shingle_domain::message::Message;
use shingle_domain::messages;

messages! {
    /// What the layers brought.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum LayerNote {
        Parcels { ids: usize, polygons: usize, megabytes: String } =>
            "parcels: {ids} ids on {polygons} polygons, {megabytes} MB in memory",
        ZipAreas { polygons: usize, megabytes: String } => "ZIP areas: {polygons} polygons, {megabytes} MB in memory",
        Outlines { outlines: usize, megabytes: String } =>
            "outlines to meet address points: {outlines}, {megabytes} MB in memory",
        SomeIdsKnown { known: u64, ids: u64, other: String } =>
            "{known} of {ids} rows' parcel ids are in the parcel layer; `{other}` is not",
        IdsKnown { known: u64, ids: u64 } => "{known} of {ids} rows' parcel ids are in the parcel layer",
        Placed { placed: u64, by_place: u64, spanning: u64 } =>
            "{placed} rows took their place from their parcel, {by_place} their parcel from their place; {spanning} outlines \
             reach over their parcel's border",
        Met { in_outline: u64, near_outline: u64, near: u32, no_outline: u64 } =>
            "{in_outline} address points lie in an outline, {near_outline} took the nearest within {near} m, {no_outline} have \
             none",
        Zips { rows: u64 } => "{rows} rows took their ZIP from its area",
        Towns { rows: u64 } => "{rows} rows name no town: it is the post town of their ZIP",
        Repaired { outlines: u64 } => "{outlines} outlines crossed themselves slightly and were repaired",
        StrayHoles { n: u64 } =>
            "{n} outlines have a hole that lies outside them; it was read as a part of the building",
        LeftOut { left_out: u64, read: u64, list: Message } => "{left_out} of {read} polygons left out ({list})",
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
    }
}
