//! The projection of a file that is imported, and whether its shapes may be where it puts them.

use std::path::Path;

use shingle_domain::message::ToMessage;
use shingle_projection::{CrsAdvice, CrsProblem, Projection};

use crate::error::ImportError;
use crate::format::source::DeclaredCrs;
use crate::geo::crs::CrsName;
use crate::geo::crs_problem::{CrsNote, MostMisplaced};
use crate::geo::misplaced::{Misplaced, check_position};
use crate::note::Note;

/// What the mapping says, else what the file says of itself.
pub(crate) fn projection_of_file(
    named: Option<&CrsName>,
    declared: DeclaredCrs,
    path: &Path,
    notes: &mut Vec<Note>,
) -> Result<Projection, CrsProblem> {
    match (named, declared) {
        (Some(named), _) => Projection::named(&named.0),
        (None, DeclaredCrs::Wkt(text)) => Projection::wkt(&text),
        (None, DeclaredCrs::Name(name)) => Projection::named(&name),
        (None, DeclaredCrs::Degrees | DeclaredCrs::Table) => Ok(Projection::Degrees),
        (None, DeclaredCrs::PerhapsDegrees) => {
            let note = if is_shapefile(path) { CrsNote::NoPrj } else { CrsNote::Unsaid };
            notes.push(Note::of(path.display().to_string(), note));
            Ok(Projection::Degrees)
        }
        (None, DeclaredCrs::Nothing) => {
            let advice = CrsAdvice::SetCrs;
            Err(if is_shapefile(path) { CrsProblem::NoPrj { advice } } else { CrsProblem::Unsaid { advice } })
        }
    }
}

/// Converts every point to degrees, and checks that it may be there.
pub(crate) fn rings_to_degrees(projection: &Projection, rings: &mut [Vec<(f64, f64)>]) -> Result<(), Misplaced> {
    for point in rings.iter_mut().flatten() {
        if !point.0.is_finite() || !point.1.is_finite() {
            return Err(Misplaced::NoNumber);
        }
        let (lon, lat) = projection.degrees(point.0, point.1).ok_or(Misplaced::Outside)?;
        check_position(lon, lat)?;
        *point = (lon, lat);
    }
    Ok(())
}

fn is_shapefile(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("shp"))
}

/// After this many shapes a file whose coordinates are mostly outside the country is refused.
pub(crate) const SAMPLE_SHAPES: u64 = 1_000;

/// A few rows outside the country are bad data; most rows outside mean a wrong projection. `counts` are of the reasons of
/// [`Misplaced`].
pub(crate) fn check_most(
    path: &Path,
    (misplaced, shapes): (u64, u64),
    count: impl Fn(Misplaced) -> u64,
) -> Result<(), ImportError> {
    if misplaced * 2 <= shapes {
        return Ok(());
    }
    let all = [Misplaced::Outside, Misplaced::Swapped, Misplaced::OtherState, Misplaced::NoNumber];
    let most = all.into_iter().max_by_key(|m| count(*m)).unwrap_or(Misplaced::Outside);
    let reason = most.to_message();
    let problem = match most {
        Misplaced::Swapped => MostMisplaced::Swapped { misplaced, shapes, reason },
        Misplaced::NoNumber => MostMisplaced::NoNumber { misplaced, shapes, reason },
        Misplaced::Outside | Misplaced::OtherState => {
            MostMisplaced::Elsewhere { misplaced, shapes, reason, advice: CrsAdvice::SetCrs }
        }
    };
    Err(ImportError::input(path, problem))
}
