//! Rows of one parcel become places of the index: a shed without an address belongs to the house on its parcel.

use std::collections::HashSet;

use shingle_domain::Address;
use shingle_domain::evidence::{Building, Fact, Outline, OutlineKind, Place, Position, Source};

use crate::join::mailing::{NormalizedCache, is_mailed_here};
use crate::row::imported::ImportedRow;

/// A "parcel" with more addresses is a placeholder id: its rows are not joined.
const MAX_ADDRESSES: usize = 1_000;
/// Copies of outlines for one parcel: a thousand units under twenty roofs.
const MAX_COPIES: usize = 20_000;
/// Degrees (about a metre): addresses nearer than this are known by their parcel only.
const SAME_SPOT_DEGREES: f64 = 1e-5;

/// The rows of one group, joined.
#[derive(Debug, Default)]
pub(crate) struct JoinedGroup {
    pub rows: Vec<ImportedRow>,
    /// Outlines once more, for the other addresses under the same roof.
    pub copies: Vec<ImportedRow>,
    pub refused: Vec<(ImportedRow, &'static str)>,
    pub duplicates: u64,
}

/// Gives every row of a group an address. Rows come in the order they were read; the first of equal rows stays.
pub(crate) fn join(group: Vec<ImportedRow>) -> JoinedGroup {
    if matches!(group.as_slice(), [only] if only.address.is_some()) {
        return JoinedGroup { rows: group, ..JoinedGroup::default() };
    }
    let mut out = JoinedGroup::default();
    let alone = group.len() == 1;
    let mut seen = HashSet::new();
    let (mut addressed, mut unaddressed) = (Vec::new(), Vec::new());
    for row in group {
        if !alone && !seen.insert(identity(&row)) {
            out.duplicates += 1;
        } else if row.address.is_some() {
            addressed.push(row);
        } else {
            unaddressed.push(row);
        }
    }
    let crowded = addressed.len() > MAX_ADDRESSES;
    let homes = if crowded || unaddressed.is_empty() { Vec::new() } else { homes(&addressed) };
    let mut copies = MAX_COPIES;
    for mut row in unaddressed {
        let nearest = homes.iter().min_by(|a, b| gap(row.origin, a.2).total_cmp(&gap(row.origin, b.2)));
        let Some((address, unit, place)) = nearest else {
            let reason = if crowded {
                "no address, and too many on its parcel to choose one"
            } else {
                "no address, and no addressed row on its parcel"
            };
            out.refused.push((row, reason));
            continue;
        };
        if homes.len() > 1 && row.plan.is_empty() {
            out.refused.push((row, "no address, and more than one on its parcel"));
            continue;
        }
        // One roof for several addresses: units, and addresses of which only the parcel is known.
        let shares =
            |h: &&Home| (&h.0, &h.1) != (address, unit) && (h.0 == *address || gap(h.2, *place) < SAME_SPOT_DEGREES);
        for (address, unit, _) in homes.iter().filter(shares) {
            if copies == 0 {
                break;
            }
            copies -= 1;
            out.copies.push(ImportedRow { address: Some(address.clone()), unit: unit.clone(), ..row.clone() });
        }
        row.address = Some(address.clone());
        row.unit = unit.clone();
        addressed.push(row);
    }
    out.rows = addressed;
    out
}

/// An address, its unit, and where it is.
type Home = (Address, Option<String>, Option<Position>);

/// The addresses of a parcel, each once.
fn homes(addressed: &[ImportedRow]) -> Vec<Home> {
    let mut seen = HashSet::new();
    let all = addressed.iter().filter_map(|r| Some((r.address.clone()?, r.unit.clone(), r.origin)));
    all.filter(|h| seen.insert((h.0.clone(), h.1.clone()))).collect()
}

/// Two rows with the same identity are duplicates: the same address, parcel and outline; without an outline, the same
/// content.
pub(crate) fn identity(row: &ImportedRow) -> blake3::Hash {
    let bare;
    let said = if row.plan.is_empty() {
        bare = ImportedRow { file: 0, row: 0, ..row.clone() };
        postcard::to_stdvec(&bare)
    } else {
        postcard::to_stdvec(&(
            &row.group,
            &row.address,
            &row.unit,
            &row.plan,
            row.origin.map(|o| (o.longitude, o.latitude)),
        ))
    };
    blake3::hash(&said.unwrap_or_default())
}

/// A distance in degrees, good enough to compare; an unknown position is far away.
fn gap(a: Option<Position>, b: Option<Position>) -> f64 {
    match (a, b) {
        (Some(a), Some(b)) => {
            let east = (a.longitude - b.longitude) * a.latitude.to_radians().cos();
            east.hypot(a.latitude - b.latitude)
        }
        _ => f64::MAX,
    }
}

/// Makes a place of a row with an address. The index joins the places of one address.
pub(crate) fn into_place(
    mut row: ImportedRow,
    kind: OutlineKind,
    source: &Source,
    properties: &mut NormalizedCache,
) -> Option<Place> {
    note_mail(&mut row, properties);
    let building = |parts| Building {
        outline: Outline { kind, parts, planes: Vec::new(), spans_parcels: row.spans_parcels },
        use_: row.building_use.clone(),
        lot: row.lot.clone(),
        source: 0,
    };
    let buildings = if row.plan.is_empty() { Vec::new() } else { vec![building(row.plan)] };
    Some(Place {
        address: row.address?,
        unit: row.unit,
        parcel: row.parcel,
        origin: row.origin,
        buildings,
        assessor: row.assessor,
        permits: row.permit.into_iter().collect(),
        conflicts: Vec::new(),
        sources: vec![source.clone()],
    })
}

/// Notes whether the owner's mail goes to the address of the row.
pub(crate) fn note_mail(row: &mut ImportedRow, properties: &mut NormalizedCache) {
    if let (Some(mailing), Some(address)) = (&row.assessor.mailing_address, &row.address) {
        let here = is_mailed_here(properties.of(address, row.unit.as_deref()), &mailing.value);
        row.assessor.mailed_here = here.map(|value| Fact { value, source: 0 });
    }
}
