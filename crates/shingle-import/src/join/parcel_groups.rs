//! Rows of one parcel become places of the index: a shed without an address belongs to the house on its parcel.

use std::collections::HashSet;

use shingle_domain::Address;
use shingle_domain::evidence::{Building, Fact, Outline, OutlineKind, Place, Position, Source, Survey};

use crate::join::mailing::{NormalizedCache, is_mailed_here};
use crate::row::finding::Finding;
use crate::row::imported::ImportedRow;
use crate::row::row_problem::RowProblem;

/// A "parcel" with more addresses is a placeholder id: its rows are not joined.
const MAX_ADDRESSES: usize = 1_000;
/// So is one with more that have no place of their own, or that lie too far apart for one parcel.
pub(crate) const MAX_PLACELESS: usize = 8;
const MAX_PARCEL_DEGREES: f64 = 0.02;
/// So is one with more rows that have none.
const MAX_UNADDRESSED: usize = 20_000;
/// Copies of outlines for one parcel: a thousand units under twenty roofs.
const MAX_COPIES: usize = 20_000;
/// Degrees (about a meter): addresses nearer than this are known by their parcel only.
const SAME_SPOT_DEGREES: f64 = 1e-5;

/// What becomes of a row.
#[derive(Debug)]
pub(crate) enum Joined {
    /// It has an address.
    Row(ImportedRow),
    /// Its outline once more, for another address under the same roof.
    Copy(ImportedRow),
    Refused(ImportedRow, RowProblem),
}

/// A row whose parcel has no other.
pub(crate) fn alone(row: ImportedRow) -> Joined {
    if row.address.is_some() { Joined::Row(row) } else { Joined::Refused(row, RowProblem::NoAddressOnParcel) }
}

/// The rows of one group, in the order in which they were read. The first of equal rows stays. Once it is known that the id
/// is a placeholder no row is held any more: there may be as many as a county has.
#[derive(Debug, Default)]
pub(crate) struct ParcelGroup {
    seen: HashSet<u128>,
    addressed: Vec<ImportedRow>,
    unaddressed: Vec<ImportedRow>,
    is_placeholder: bool,
    duplicates: u64,
}

impl ParcelGroup {
    /// Gives on to `out` what is known already.
    pub fn push<E>(&mut self, row: ImportedRow, out: &mut impl FnMut(Joined) -> Result<(), E>) -> Result<(), E> {
        if !self.seen.insert(short(identity(&row))) {
            self.duplicates += 1;
            return Ok(());
        }
        if self.is_placeholder {
            return out(unjoined(row));
        }
        let list = if row.address.is_some() { &mut self.addressed } else { &mut self.unaddressed };
        list.push(row);
        if self.addressed.len() > MAX_ADDRESSES || self.unaddressed.len() > MAX_UNADDRESSED {
            self.is_placeholder = true;
            let held = std::mem::take(&mut self.addressed).into_iter().chain(std::mem::take(&mut self.unaddressed));
            return held.map(unjoined).try_for_each(out);
        }
        Ok(())
    }

    /// The id of a group that many homes share.
    pub fn shared_id(&self) -> Option<&str> {
        let first = self.addressed.first().filter(|_| self.addressed.len() > MAX_PLACELESS)?;
        first.parcel.as_deref().filter(|_| is_shared(self.addressed.iter()))
    }

    /// Gives every row an address that can have one; the number of duplicates.
    pub fn finish<E>(self, out: &mut impl FnMut(Joined) -> Result<(), E>) -> Result<u64, E> {
        let Self { addressed, unaddressed, duplicates, .. } = self;
        if is_shared(addressed.iter()) {
            let homes = addressed.into_iter().map(without_parcel).map(Joined::Row);
            homes
                .chain(unaddressed.into_iter().map(|row| Joined::Refused(row, RowProblem::CrowdedParcel)))
                .try_for_each(&mut *out)?;
            return Ok(duplicates);
        }
        let homes = if unaddressed.is_empty() { Vec::new() } else { homes(&addressed) };
        addressed.into_iter().map(Joined::Row).try_for_each(&mut *out)?;
        let mut copies = MAX_COPIES;
        for mut row in unaddressed {
            let nearest = homes.iter().min_by(|a, b| gap(row.origin, a.2).total_cmp(&gap(row.origin, b.2)));
            let Some((address, unit, place)) = nearest else {
                out(Joined::Refused(row, RowProblem::NoAddressOnParcel))?;
                continue;
            };
            if homes.len() > 1 && row.plan.is_empty() {
                out(Joined::Refused(row, RowProblem::SeveralOnParcel))?;
                continue;
            }
            // One roof for several addresses: units, and addresses of which only the parcel is known.
            // Rows that met in one outline: the roof is that of all of them.
            let met = row.group.starts_with('o');
            let shares = |h: &&Home| {
                (&h.0, &h.1) != (address, unit) && (met || h.0 == *address || gap(h.2, *place) < SAME_SPOT_DEGREES)
            };
            for (address, unit, _) in homes.iter().filter(shares).take(copies) {
                copies -= 1;
                out(Joined::Copy(ImportedRow { address: Some(address.clone()), unit: unit.clone(), ..row.clone() }))?;
            }
            row.address = Some(address.clone());
            row.unit = unit.clone();
            out(Joined::Row(row))?;
        }
        Ok(duplicates)
    }
}

/// Whether rows of one id are of many homes, and not of one parcel.
fn is_shared<'r>(addressed: impl Iterator<Item = &'r ImportedRow>) -> bool {
    let mut shared = SharedId::default();
    addressed.filter(|row| row.group.starts_with('p')).for_each(|row| shared.look(row));
    shared.is_shared()
}

/// What the addresses of one id are like.
#[derive(Debug, Default)]
pub(crate) struct SharedId {
    addresses: HashSet<u64>,
    /// Their places, rounded to [`SAME_SPOT_DEGREES`].
    spots: HashSet<(i64, i64)>,
    extent: Option<[f64; 4]>,
}

/// What an address is known by, without its unit.
pub(crate) fn door_of(address: &Address) -> u64 {
    let door = format!("{} {} {}", address.street_number, address.street_address, address.city).to_uppercase();
    blake3::hash(door.as_bytes()).as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// What is reported about ids that many addresses share.
pub(crate) fn shared_told(ids: usize, first: &str) -> Finding {
    Finding::SharedIds { ids, most: MAX_PLACELESS, id: first.chars().take(40).collect() }
}

impl SharedId {
    /// With an address that was met before.
    pub fn of(door: u64) -> Self {
        Self { addresses: HashSet::from([door]), ..Self::default() }
    }

    pub fn look(&mut self, row: &ImportedRow) {
        let Some(address) = &row.address else { return };
        self.addresses.insert(door_of(address));
        let Some(at) = row.origin else { return };
        let (x, y) = (at.longitude, at.latitude);
        self.spots.insert(((x / SAME_SPOT_DEGREES) as i64, (y / SAME_SPOT_DEGREES) as i64));
        let [west, south, east, north] = self.extent.unwrap_or([x, y, x, y]);
        self.extent = Some([west.min(x), south.min(y), east.max(x), north.max(y)]);
    }

    pub fn is_shared(&self) -> bool {
        let is_wide = self.extent.is_some_and(|[west, south, east, north]| {
            east - west > MAX_PARCEL_DEGREES || north - south > MAX_PARCEL_DEGREES
        });
        self.addresses.len() > MAX_PLACELESS && (self.spots.len() <= 1 || is_wide)
    }
}

/// What came to a row by its id alone goes with it.
fn without_parcel(mut row: ImportedRow) -> ImportedRow {
    row.parcel = None;
    if row.plan.is_empty() {
        row.origin = None;
    }
    row
}

/// A row of a placeholder id.
fn unjoined(row: ImportedRow) -> Joined {
    if row.address.is_some() { Joined::Row(row) } else { Joined::Refused(row, RowProblem::CrowdedParcel) }
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

fn short(hash: blake3::Hash) -> u128 {
    hash.as_bytes().first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes))
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
    survey: Option<&Source>,
    properties: &mut NormalizedCache,
) -> Option<Place> {
    note_mail(&mut row, properties);
    let mut sources = vec![source.clone()];
    let mut buildings = Vec::new();
    if !row.plan.is_empty() {
        let (mut planes, mut measured_by) = (Vec::new(), None);
        if let Some((roof, survey)) = row.roof.zip(survey) {
            sources.push(survey.clone());
            planes = roof.planes;
            measured_by = Some(Survey { source: 1, points_per_sqm: roof.points_per_sqm });
        }
        let outline = Outline { kind, parts: row.plan, planes, survey: measured_by, spans_parcels: row.spans_parcels };
        buildings.push(Building { outline, use_: row.building_use, lot: row.lot, source: 0 });
    }
    Some(Place {
        address: row.address?,
        unit: row.unit,
        parcel: row.parcel,
        origin: row.origin,
        buildings,
        assessor: *row.assessor,
        permits: row.permit.into_iter().collect(),
        conflicts: Vec::new(),
        sources,
    })
}

/// Notes whether the owner's mail goes to the address of the row.
pub(crate) fn note_mail(row: &mut ImportedRow, properties: &mut NormalizedCache) {
    if let (Some(mailing), Some(address)) = (&row.assessor.mailing_address, &row.address) {
        let here = is_mailed_here(properties.of(address, row.unit.as_deref()), &mailing.value);
        row.assessor.mailed_here = here.map(|value| Fact { value, source: 0 });
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use shingle_domain::{State, Zip};

    use super::*;

    fn row(n: u64, is_addressed: bool) -> ImportedRow {
        let address = is_addressed.then(|| Address {
            street_number: n.to_string(),
            street_address: "Alder Court".to_owned(),
            city: "Harrow".to_owned(),
            state: State::parse("OH").unwrap(),
            zip: Zip::parse("43099").unwrap(),
        });
        let origin = Some(Position { longitude: -82.0 - n as f64 * 1e-4, latitude: 40.0 });
        ImportedRow { group: "p0".to_owned(), row: n, address, origin, ..ImportedRow::default() }
    }

    /// How many rows came out of a group in each way, and how many it held at most.
    fn join(rows: impl Iterator<Item = ImportedRow>) -> ([usize; 3], usize) {
        let mut counts = [0; 3];
        let mut most = 0;
        let mut group = ParcelGroup::default();
        for (pushed, row) in (1..).zip(rows) {
            let mut out = |joined: Joined| -> Result<(), Infallible> {
                counts[match joined {
                    Joined::Row(_) => 0,
                    Joined::Copy(_) => 1,
                    Joined::Refused(_, reason) => {
                        assert_eq!(reason, RowProblem::CrowdedParcel);
                        2
                    }
                }] += 1;
                Ok(())
            };
            group.push(row, &mut out).unwrap();
            most = most.max(pushed - counts.iter().sum::<usize>());
        }
        let mut out = |joined: Joined| -> Result<(), Infallible> {
            counts[usize::from(matches!(joined, Joined::Refused(..))) * 2] += 1;
            Ok(())
        };
        group.finish(&mut out).unwrap();
        (counts, most)
    }

    #[test]
    fn of_a_placeholder_id_hardly_a_row_is_held() {
        let (counts, most) = join((0..30_000).map(|n| row(n, n % 3 > 0)));
        assert_eq!(counts, [20_000, 0, 10_000]);
        assert!(most <= 2 * MAX_ADDRESSES, "{most}");
        let (counts, most) = join((0..50_000).map(|n| row(n, n == 25_000)));
        assert_eq!(counts, [1, 0, 49_999]);
        assert!(most <= MAX_UNADDRESSED, "{most}");
    }
}
