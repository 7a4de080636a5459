//! The nearest ZIP whose yield is known.

use std::sync::atomic::{AtomicU32, Ordering};

use shingle_domain::evidence::Position;

use super::power::SolarYield;
use super::zips::ZipAreas;
use crate::geometry::{degrees_of, kilometres};

/// Beyond this distance the sunshine differs too much.
const REACH_KM: f64 = 50.0;

pub(super) struct Sites {
    /// Centers of the ZIPs with a yield, from south to north.
    centres: Vec<(f32, f32, u32)>,
    /// What was found for each ZIP of the table of areas: one more than the ZIP, 0 before it is asked for.
    found: Box<[AtomicU32]>,
}

/// Found that there is none.
const NONE: u32 = u32::MAX;

impl Sites {
    pub fn new(yields: &SolarYield, zips: &ZipAreas) -> Self {
        let site = |zip| zips.centre(zip).map(|c| (c.latitude as f32, c.longitude as f32, zip));
        let mut sites: Vec<_> = yields.zips().filter_map(site).collect();
        sites.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        Self { centres: sites, found: (0..zips.len()).map(|_| AtomicU32::new(0)).collect() }
    }

    /// The ZIP with a yield whose center is nearest to this one's, at most 50 km away.
    pub fn near(&self, zips: &ZipAreas, zip: u32) -> Option<u32> {
        let found = self.found.get(zips.place(zip)?)?;
        let zip = match found.load(Ordering::Relaxed) {
            0 => {
                let nearest = zips.centre(zip).and_then(|from| self.nearest(from)).map_or(NONE, |zip| zip + 1);
                found.store(nearest, Ordering::Relaxed);
                nearest
            }
            known => known,
        };
        (zip != NONE).then(|| zip - 1)
    }

    fn nearest(&self, from: Position) -> Option<u32> {
        let reach = degrees_of(REACH_KM);
        let first = self.centres.partition_point(|s| f64::from(s.0) < from.latitude - reach);
        // So far east or west a point at that distance can lie; a little more, as this is not the last word.
        let across = (reach.to_radians().sin() / from.latitude.to_radians().cos()).clamp(-1.0, 1.0).asin();
        let across = across.to_degrees() + 1e-3;
        let apart = |longitude: f32| {
            let apart = (f64::from(longitude) - from.longitude).abs();
            apart.min(360.0 - apart)
        };
        self.centres
            .iter()
            .skip(first)
            .take_while(|s| f64::from(s.0) <= from.latitude + reach)
            .filter(|s| apart(s.1) <= across)
            .map(|&(latitude, longitude, zip)| {
                (kilometres(from, Position { longitude: longitude.into(), latitude: latitude.into() }), zip)
            })
            .filter(|(km, _)| *km <= REACH_KM)
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map(|(_, zip)| zip)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_measured_along_the_ground() {
        let at = |latitude, longitude| Position { longitude, latitude };
        // Portland, Maine to Boston, Massachusetts: 163 km.
        assert!((kilometres(at(43.6591, -70.2568), at(42.3601, -71.0589)) - 158.5).abs() < 2.0);
        assert!((kilometres(at(40.0, -90.0), at(41.0, -90.0)) - 111.19).abs() < 0.1);
        assert!(kilometres(at(40.0, -90.0), at(40.0, -90.0)) < 1e-9);
    }
}
