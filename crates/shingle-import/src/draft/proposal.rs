//! From files to the text of a mapping.
//!
//! # Decisions
//!
//! - A draft takes the best pairs of meaning and column first: 0.7 for the heading, 0.3 for the cells, nothing if
//!   fewer than half of the cells fit. It parses its own text and shows the first rows. A column emptier than
//!   expected is marked doubtful, with a second choice. Turned down: cells without headings (they mark only a parcel
//!   or an address line, as doubtful); joining two tables by id, which a spreadsheet does.
//! - A draft never guesses a town or state: the line is marked, and the mapping is refused until it is filled in.
//!   Turned down: the nearest guess, which moves a whole town.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::draft::address::{STAND_IN_STATE, STAND_IN_TOWN, address_part, open, stood_in};
use crate::draft::draft_problem::{DraftProblem, SalesAlone};
use crate::draft::facts::facts;
use crate::draft::geometry::Geometry;
use crate::draft::projection_guess::Whereabouts;
use crate::draft::readings::Readings;
use crate::draft::roles::Roles;
use crate::draft::sample::{Sample, SampledColumn};
use crate::draft::writing::{Toml, clean, list, quoted};
use crate::error::ImportError;
use crate::format::cell;
use crate::format::open::is_of_points;
use crate::mapping::file::Mapping;
use crate::mapping::table::{STATE_TO_FILL_IN, TOWN_TO_FILL_IN};

/// A mapping that a look at the files suggests.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// The mapping, with comments: how sure each line is, and the first rows as it reads them.
    pub mapping: String,
    /// Lines that are marked as doubtful.
    pub doubtful: usize,
    pub rows_read: u64,
    /// Rows whose address the mapping reads.
    pub addressed: u64,
}

/// Sets with a ready mapping, told by headings that no other has.
const READY: [(&str, &[&str]); 4] = [
    ("openaddresses", &["LON", "LAT", "NUMBER", "STREET", "POSTCODE", "HASH"]),
    ("national-address-database", &["Add_Number", "StNam_Full", "Post_City", "Lifecycle", "Longitude"]),
    ("overture", &["number", "street", "postcode", "postal_city", "country"]),
    ("openstreetmap", &["addr:housenumber", "addr:street"]),
];

/// The share of ids in one file that are known in the other: below it they are not the same ids.
const LEAST_JOINED: f64 = 0.3;

/// Headings that a message lists.
const HEADINGS_TOLD: usize = 20;

/// Columns without a part that a draft names.
const COLUMNS_LEFT: usize = 60;

/// Proposes a mapping for the files of one import.
pub fn draft(files: &[PathBuf]) -> Result<Draft, ImportError> {
    let (points, files): (Vec<PathBuf>, Vec<PathBuf>) = files.iter().cloned().partition(|path| is_of_points(path));
    let samples = files.iter().map(|f| Sample::read(f)).collect::<Result<Vec<_>, _>>()?;
    let parts = Parts::of(&samples)?;
    let mut toml = Toml::default();
    let mut text = match ready(parts.rows) {
        Some((name, columns)) => adapted(name, columns, &samples, &parts),
        None => {
            written(&mut toml, &samples, &parts);
            std::mem::take(&mut toml).into_text()
        }
    };
    text.push_str(&points_part(&points));
    let doubtful = text.matches(super::writing::MARK).count();
    let is_open = [TOWN_TO_FILL_IN, STATE_TO_FILL_IN].map(|word| text.contains(&open(word)));
    // Without the roofs, which take longer than all rows.
    let mapping = Mapping::from_toml(&stood_in(&text), "draft.toml").map(Mapping::without_points);
    let readings = mapping.and_then(|m| Readings::of(&m, &files));
    let mut told = Toml::default();
    if is_open != [false; 2] {
        let what = match is_open {
            [true, false] => "the town",
            [false, true] => "the state",
            _ => "the town and the state",
        };
        told.comment(&format!(
            "FILL IN {what} first, where it says so: the file does not say it, and nothing is imported until you do."
        ));
    }
    let (mut rows_read, mut addressed) = (0, 0);
    match readings {
        Ok(it) => {
            (rows_read, addressed) = (it.read, it.addressed);
            told.comment(&format!(
                "Of {} rows this mapping takes {}, {} of them with an address. {doubtful} lines are doubtful.",
                it.read, it.kept, it.addressed
            ));
            if let Some((reason, rows)) = it.reason {
                told.comment(&format!("{rows} rows: {}", clean(&reason.to_string())));
            }
            told.comment("As it reads the first rows:");
            let shown = |row: &String| match is_open {
                [_, true] => row.replace(&format!(", {STAND_IN_STATE}"), ", STATE").replace(STAND_IN_TOWN, "TOWN"),
                _ => row.replace(STAND_IN_TOWN, "TOWN"),
            };
            it.rows.iter().for_each(|row| told.comment(&format!("  {}", cell::tidy(&shown(row)))));
        }
        Err(e) => {
            told.comment("No row was read by it yet. Mend this first:");
            e.to_string().lines().for_each(|line| told.comment(&format!("  {}", cell::tidy(line))));
        }
    }
    let mapping =
        format!("# A draft: look at each line, above all those marked DOUBTFUL.\n{}\n{text}", told.into_text());
    Ok(Draft { mapping, doubtful, rows_read, addressed })
}

/// Which file is what.
struct Parts<'s> {
    rows: &'s Sample,
    roles: Roles<'s>,
    parcels: Option<(&'s Sample, String)>,
    outlines: Option<&'s Sample>,
    whereabouts: Whereabouts,
}

impl<'s> Parts<'s> {
    fn of(samples: &'s [Sample]) -> Result<Self, ImportError> {
        // Files that continue another say nothing new.
        let mut kinds: Vec<&Sample> = Vec::new();
        for sample in samples {
            if !kinds.iter().any(|k| k.continues(sample)) {
                kinds.push(sample);
            }
        }
        let mut known: Vec<(&Sample, Roles<'_>)> = kinds.into_iter().map(|s| (s, Roles::of(s))).collect();
        let addressed = known.iter().filter(|(_, r)| r.has_address()).count();
        // Where parcels carry addresses too, the table beside them knows more.
        let rows = known.iter().enumerate().filter(|(_, (_, r))| r.has_address());
        let rows = rows.max_by_key(|(_, (s, _))| (!s.has_outlines() || addressed == 1, s.columns.len()));
        let Some((at, _)) = rows else {
            let detail = match known.first() {
                Some((s, _)) if s.has_outlines() => DraftProblem::OnlyPolygons,
                Some((_, roles)) if is_of_sales(roles) => sales_alone(roles, None),
                Some((sample, _)) if sample.columns.len() == 1 => DraftProblem::OneColumn,
                Some((sample, _)) => {
                    let names: Vec<&str> = sample.columns.iter().map(|c| c.name.as_str()).take(HEADINGS_TOLD).collect();
                    DraftProblem::NoAddresses { columns: clean_list(&names) }
                }
                None => DraftProblem::NoFile,
            };
            let path = samples.first().map_or(Path::new("."), |s| &s.path);
            return Err(ImportError::input(path, detail));
        };
        let (rows, mut roles) = known.swap_remove(at);
        let whereabouts = Whereabouts::of(&roles);
        let (mut parcels, mut outlines) = (None, None);
        for (sample, own) in known {
            let is_lots = Geometry::of(sample, &whereabouts).is_some_and(|g| g.is_lots());
            if sample.has_outlines() && is_lots {
                let Some((column, id)) = joined(rows, sample) else {
                    return Err(ImportError::input(&sample.path, DraftProblem::NoSharedIds));
                };
                roles.set_parcel(&column);
                parcels = Some((sample, id));
            } else if sample.has_outlines() {
                outlines = Some(sample);
            } else {
                let detail = if own.has_address() {
                    DraftProblem::SecondAddresses
                } else if is_of_sales(&own) {
                    sales_alone(&own, joined(rows, sample).as_ref().map(|(column, id)| (rows, &**column, &**id)))
                } else {
                    DraftProblem::SecondTable
                };
                return Err(ImportError::input(&sample.path, detail));
            }
        }
        Ok(Self { rows, roles, parcels, outlines, whereabouts })
    }
}

fn clean_list(names: &[&str]) -> String {
    names.iter().map(|name| clean(name)).collect::<Vec<_>>().join(", ")
}

/// Sales, and no building that they would be of.
fn is_of_sales(roles: &Roles<'_>) -> bool {
    (roles.has("sale_date") || roles.has("sale_price")) && !roles.has("year_built") && !roles.has("living_area_sqft")
}

/// Why sales without addresses are not taken, and what to do. `roll`: the table beside them with the columns of the same ids.
fn sales_alone(sales: &Roles<'_>, roll: Option<(&Sample, &str, &str)>) -> DraftProblem {
    let what = SalesAlone::NoAddresses;
    match (roll, sales.get("parcel")) {
        (Some((rows, column, id)), _) => {
            DraftProblem::SalesWithRoll { what, id: clean(id), column: clean(column), file: rows.name() }
        }
        (None, Some(parcel)) => DraftProblem::SalesWithIds { what, id: clean(parcel.name()) },
        (None, None) => DraftProblem::SalesAlone { what },
    }
}

/// The columns of rows and parcels that hold the same ids.
fn joined(rows: &Sample, parcels: &Sample) -> Option<(String, String)> {
    let mut best: Option<(f64, String, String)> = None;
    for lot in &parcels.columns {
        let ids: HashSet<&str> = lot.cells.iter().map(String::as_str).filter(|c| c.len() > 2).collect();
        if ids.len() * 2 < parcels.rows {
            continue;
        }
        for column in &rows.columns {
            let own: HashSet<&str> = column.cells.iter().map(String::as_str).filter(|c| c.len() > 2).collect();
            let share = own.intersection(&ids).count() as f64 / own.len().min(ids.len()).max(1) as f64;
            if share > best.as_ref().map_or(LEAST_JOINED, |b| b.0) {
                best = Some((share, column.name.clone(), lot.name.clone()));
            }
        }
    }
    best.map(|(_, column, lot)| (column, lot))
}

fn ready(rows: &Sample) -> Option<(&'static str, &'static [&'static str])> {
    let has = |name: &&str| rows.columns.iter().any(|c| c.name.eq_ignore_ascii_case(name));
    READY.into_iter().find(|(_, columns)| columns.iter().all(has))
}

/// A mapping of the program under the name of these files.
fn adapted(name: &str, columns: &[&str], samples: &[Sample], parts: &Parts<'_>) -> String {
    let text = Mapping::ready_text(name).unwrap_or_default();
    let mut out = format!("# `--map {name}` of the program fits: the columns {} are there.\n", columns.join(", "));
    for line in text.lines() {
        if line.starts_with("dataset = ") {
            out.push_str(&format!("dataset = {}", quoted(&dataset(&parts.rows.path))));
        } else if line.starts_with("files = ") && parts.outlines.is_some() {
            let names: Vec<String> = layer_names(samples, parts.outlines);
            out.push_str(&format!("files = {}", list(names.iter().map(String::as_str))));
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// Files of laser points, by the ends of their names: there may be thousands.
fn points_part(files: &[PathBuf]) -> String {
    let ends: BTreeSet<String> = files.iter().filter_map(|f| Some(format!("*.{}", f.extension()?.to_str()?))).collect();
    if ends.is_empty() {
        return String::new();
    }
    let mut toml = Toml::default();
    toml.table("layers.points");
    toml.line("files", &list(ends.iter().map(String::as_str)));
    toml.comment("title = \"\"  # who flew the survey");
    toml.into_text()
}

/// The names of a layer's files: the sample's, and those that continue it.
fn layer_names(samples: &[Sample], layer: Option<&Sample>) -> Vec<String> {
    samples.iter().filter(|s| layer.is_some_and(|l| l.continues(s))).map(Sample::name).collect()
}

/// The name of a file as one of a data set.
fn dataset(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut out = String::new();
    for c in stem.chars() {
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            _ if !out.is_empty() && !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    let name: String = out.chars().take(60).collect();
    let name = name.trim_end_matches('-');
    if name.is_empty() { "town".to_owned() } else { name.to_owned() }
}

fn written(toml: &mut Toml, samples: &[Sample], parts: &Parts<'_>) {
    let (rows, roles) = (parts.rows, &parts.roles);
    let geometry = Geometry::of(rows, &parts.whereabouts);
    let near = &parts.whereabouts;
    toml.line("dataset", &quoted(&dataset(&rows.path)));
    toml.comment("title = \"County of …\", licence = \"…\": as visitors read them");
    toml.comment("as_of = \"2025\": the year the file speaks of; without it newer sources win");
    if rows.skip_lines > 0 || !rows.stated.is_empty() {
        toml.table("table");
    }
    if rows.skip_lines > 0 {
        toml.line("skip_lines", &format!("{}  # lines before the headings", rows.skip_lines));
    }
    for (key, value) in &rows.stated {
        toml.line(key, &quoted(value));
    }
    let is_lots = rows.has_outlines() && geometry.as_ref().is_some_and(Geometry::is_lots);
    geometry_part(toml, parts, geometry.as_ref(), is_lots);
    place_part(toml, rows, roles);
    let state = address_part(toml, roles, geometry.as_ref(), rows);
    facts(toml, roles, state.as_deref());
    let text = toml.so_far();
    let is_left = |column: &&SampledColumn| !text.contains(&quoted(&column.name));
    let left: Vec<String> = rows.columns.iter().filter(is_left).map(|column| clean(&column.name)).collect();
    if !left.is_empty() {
        let more = left.len().saturating_sub(COLUMNS_LEFT);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let left = left.iter().take(COLUMNS_LEFT).map(String::as_str).collect::<Vec<_>>().join(", ");
        toml.comment(&format!("Columns that are not used: {left}{more}"));
    }
    if let Some((parcels, id)) = &parts.parcels {
        toml.table("layers.parcels");
        let names = layer_names(samples, Some(parcels));
        toml.line("files", &list(names.iter().map(String::as_str)));
        toml.line("id", &quoted(id));
        missing_projection(toml, Geometry::of(parcels, near).as_ref(), near);
    }
    if let Some(outlines) = parts.outlines {
        toml.table("layers.outlines");
        let names = layer_names(samples, Some(outlines));
        toml.line("files", &list(names.iter().map(String::as_str)));
        toml.doubt("outline_kind", "\"eave\"", "drawn from the air? `\"wall\"` where walls were surveyed");
        let own = Roles::of(outlines);
        if let Some(kind) = own.get("building_use") {
            toml.column("building_use", kind, None);
        }
        missing_projection(toml, Geometry::of(outlines, near).as_ref(), near);
    }
}

/// What stands in place of a `.prj`: the one projection that puts the shapes where the rows are, as a guess.
fn missing_projection(toml: &mut Toml, geometry: Option<&Geometry>, whereabouts: &Whereabouts) {
    let Some((geometry, fault)) = geometry.and_then(|g| Some((g, g.fault.as_ref()?))) else { return };
    let place = whereabouts.near.as_ref().map(|(name, _)| clean(name)).or_else(|| whereabouts.state.clone());
    let place = place.unwrap_or_else(|| "the state of the rows".to_owned());
    match &geometry.guesses[..] {
        [only] => {
            let why = format!(
                "a guess: there is no .prj, and of the projections in use only EPSG {only} puts the shapes near {place}. Does \
                 `--check` find them near their ZIP? Compare one home with a map; better, ask for the .prj"
            );
            toml.doubt("crs", &only.to_string(), &why);
        }
        [] if fault.needs_reprojecting() => toml.comment(&format!(
            "{} {}",
            super::writing::MARK.trim_start_matches("# "),
            cell::tidy(&fault.to_string())
        )),
        [] => toml.comment(&format!("crs = 2249  {} {}", super::writing::MARK, clean(&fault.to_string()))),
        several => {
            let codes = several.iter().take(8).map(u16::to_string).collect::<Vec<_>>().join(", ");
            toml.comment(&format!(
                "crs = {}  {} there is no .prj; these put the shapes near {place}: {codes}. Ask for the .prj, or try each \
                 with `--check` and compare one home with a map",
                several[0],
                super::writing::MARK
            ));
        }
    }
}

fn geometry_part(toml: &mut Toml, parts: &Parts<'_>, geometry: Option<&Geometry>, is_lots: bool) {
    let (rows, roles) = (parts.rows, &parts.roles);
    let point = roles.get("longitude").zip(roles.get("latitude")).filter(|_| rows.shapes.is_empty());
    // Points of the file itself need the table alone.
    if rows.shapes.is_empty() && point.is_none() {
        return;
    }
    toml.table("geometry");
    if is_lots {
        toml.doubt("draws", "\"parcels\"", "the polygons are as large as lots; leave it out if they are buildings");
    } else if rows.has_outlines() {
        toml.doubt("outline_kind", "\"eave\"", "drawn from the air? `\"wall\"` where walls were surveyed");
    }
    if let Some((x, y)) = point {
        toml.column("longitude", x, Some(quoted(x.name())));
        toml.column("latitude", y, Some(quoted(y.name())));
    }
    missing_projection(toml, geometry, &parts.whereabouts);
}

fn place_part(toml: &mut Toml, rows: &Sample, roles: &Roles<'_>) {
    let building_use = roles.get("building_use").filter(|_| rows.has_outlines());
    let parcel = roles.get("parcel");
    if building_use.is_none() && parcel.is_none() {
        return;
    }
    toml.table("place");
    if let Some(parcel) = parcel {
        toml.column("parcel", parcel, None);
    }
    if let Some(kind) = building_use {
        toml.column("building_use", kind, None);
    }
}
