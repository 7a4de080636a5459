//! The pictures that homes need: cells of a grid in Web Mercator, each cut down to the ground about the homes in it.
//!
//! # Decision
//!
//! Web Mercator: its pixels are squares on the ground and on the map, and it is what such services hold. A picture in degrees
//! would have to be oblong, which a service may silently answer with more ground than was asked for. Each home lies in the
//! picture of its own cell with the ground around it, so pictures overlap, and no photograph of a home needs two of them.

use shingle_domain::cold_sort::ColdSort as _;
use std::collections::BTreeMap;

/// Of the sphere that Web Mercator takes the Earth for.
const RADIUS: f64 = 6_378_137.0;
/// Meters around a home that are photographed too.
const AROUND: f64 = 60.0;

/// From degrees.
pub fn mercator(longitude: f64, latitude: f64) -> [f64; 2] {
    let up = (std::f64::consts::FRAC_PI_4 + latitude.to_radians() / 2.0).tan().ln();
    [RADIUS * longitude.to_radians(), RADIUS * up]
}

fn degrees([x, y]: [f64; 2]) -> [f64; 2] {
    let latitude = 2.0 * (y / RADIUS).exp().atan() - std::f64::consts::FRAC_PI_2;
    [(x / RADIUS).to_degrees(), latitude.to_degrees()]
}

/// Cells of pixels over the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Units of Web Mercator of a pixel.
    unit: f64,
    /// Pixels that a cell is wide and high, and its picture is wider on each side.
    side: i64,
    margin: i64,
}

/// One picture to ask for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tile {
    unit: f64,
    /// West, south, east and north, in pixels.
    pixels: [i64; 4],
    /// Homes in its cell.
    pub homes: u64,
}

impl Grid {
    /// With pixels of this size at this latitude, and so many of them in a picture at most.
    #[allow(clippy::cast_possible_truncation, reason = "a few hundred pixels")]
    pub fn at(latitude: f64, meters_per_pixel: f64, most_pixels: u32) -> Self {
        let most = i64::from(most_pixels);
        // Large pixels leave little room: a third of a picture for each side at most.
        let margin = ((AROUND / meters_per_pixel).ceil() as i64).min(most / 3);
        Self { unit: meters_per_pixel / latitude.to_radians().cos().max(0.05), side: most - 2 * margin, margin }
    }

    /// Of the ground, at the latitude of the grid.
    pub fn cell_meters(&self, meters_per_pixel: f64) -> f64 {
        self.side as f64 * meters_per_pixel
    }

    /// The pictures that these homes need, the one with the most homes first. Boxes are west, south, east, north in degrees.
    pub fn tiles(&self, homes: impl IntoIterator<Item = [f64; 4]>) -> Vec<Tile> {
        let mut cells: BTreeMap<[i64; 2], Tile> = BTreeMap::new();
        for [west, south, east, north] in homes {
            let low = mercator(west, south).map(|at| (at / self.unit).floor());
            let high = mercator(east, north).map(|at| (at / self.unit).ceil());
            let all = [low[0], low[1], high[0], high[1]];
            // Beyond the map: poles, and numbers that are none.
            if !all.iter().all(|edge| edge.abs() < 1e12) {
                continue;
            }
            #[allow(clippy::cast_possible_truncation, reason = "below 1e12")]
            let all = all.map(|edge| edge as i64);
            let cell = [0, 1].map(|axis| (all[axis] + all[axis + 2]).div_euclid(2).div_euclid(self.side));
            // A building that is larger than its cell ends with the cell's picture.
            let least = |axis: usize| cell[axis] * self.side - self.margin;
            let most = |axis: usize| (cell[axis] + 1) * self.side + self.margin;
            let pixels = [
                (all[0] - self.margin).max(least(0)),
                (all[1] - self.margin).max(least(1)),
                (all[2] + self.margin).min(most(0)),
                (all[3] + self.margin).min(most(1)),
            ];
            let tile = cells.entry(cell).or_insert(Tile { unit: self.unit, pixels, homes: 0 });
            tile.homes += 1;
            for axis in [0, 1] {
                tile.pixels[axis] = tile.pixels[axis].min(pixels[axis]);
                tile.pixels[axis + 2] = tile.pixels[axis + 2].max(pixels[axis + 2]);
            }
        }
        let mut tiles: Vec<Tile> = cells.into_values().collect();
        // The order of the map among those with as many.
        tiles.cold_sort_by_key(|tile| std::cmp::Reverse(tile.homes));
        tiles
    }
}

impl Tile {
    /// West, south, east and north in Web Mercator.
    pub fn bounds(&self) -> [f64; 4] {
        self.pixels.map(|pixel| pixel as f64 * self.unit)
    }

    pub fn wide(&self) -> u32 {
        u32::try_from(self.pixels[2] - self.pixels[0]).unwrap_or_default()
    }

    pub fn high(&self) -> u32 {
        u32::try_from(self.pixels[3] - self.pixels[1]).unwrap_or_default()
    }

    /// Longitude and latitude of places all over it, its corners among them.
    pub fn spots(&self) -> Vec<[f64; 2]> {
        const STEPS: u32 = 6;
        let [west, south, east, north] = self.bounds();
        let along = |from: f64, to: f64, step: u32| from + (to - from) * f64::from(step) / f64::from(STEPS);
        let spot = |n: u32| degrees([along(west, east, n % (STEPS + 1)), along(south, north, n / (STEPS + 1))]);
        (0..(STEPS + 1) * (STEPS + 1)).map(spot).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A house of 12 m about there.
    fn house(longitude: f64, latitude: f64) -> [f64; 4] {
        let (x, y) = (6.0 / (111_320.0 * latitude.to_radians().cos()), 6.0 / 111_132.0);
        [longitude - x, latitude - y, longitude + x, latitude + y]
    }

    #[test]
    fn a_lone_home_needs_a_small_picture_about_it() {
        for latitude in [18.2, 40.0, 64.8] {
            let grid = Grid::at(latitude, 0.6, 1_000);
            let tiles = grid.tiles([house(-105.3, latitude)]);
            let [tile] = tiles.as_slice() else { panic!("{tiles:?}") };
            // 12 m and 60 m on each side, in pixels of 0.6 m; where its cell ends, up to half the house less.
            let is_right = |pixels: u32| (210..=223).contains(&pixels);
            assert!(is_right(tile.wide()) && is_right(tile.high()), "{tile:?}");
            let [west, south, east, north] = tile.bounds();
            let [x, y] = mercator(-105.3, latitude);
            assert!(west < x && x < east && south < y && y < north);
            let middle = degrees([(west + east) / 2.0, (south + north) / 2.0]);
            assert!((middle[0] + 105.3).abs() < 4e-5 && (middle[1] - latitude).abs() < 4e-5, "{middle:?}");
        }
    }

    #[test]
    fn every_home_of_a_town_lies_in_a_picture_with_the_ground_around_it() {
        let grid = Grid::at(40.0, 0.6, 1_000);
        let homes: Vec<_> =
            (0..2_500).map(|n| house(-105.3 + f64::from(n % 50) * 4e-4, 40.0 + f64::from(n / 50) * 3e-4)).collect();
        let tiles = grid.tiles(homes.iter().copied());
        assert_eq!(tiles.iter().map(|tile| tile.homes).sum::<u64>(), 2_500);
        assert!(tiles.windows(2).all(|two| two[0].homes >= two[1].homes));
        let needed = 59.0 / 40.0_f64.to_radians().cos();
        for home in homes {
            let [x, y] = mercator((home[0] + home[2]) / 2.0, (home[1] + home[3]) / 2.0);
            let is_within = |tile: &Tile| {
                let [west, south, east, north] = tile.bounds();
                west <= x - needed && x + needed <= east && south <= y - needed && y + needed <= north
            };
            assert!(tiles.iter().any(is_within), "{home:?}");
        }
        for tile in &tiles {
            assert!(tile.wide() <= 1_000 && tile.high() <= 1_000 && tile.wide() > 200, "{tile:?}");
            let [west, south, east, north] = tile.bounds();
            let shape = (east - west) / (north - south) * f64::from(tile.high()) / f64::from(tile.wide());
            assert!((shape - 1.0).abs() < 1e-9, "pixels are squares: {shape}");
        }
        // About 1.7 km by 1.7 km, in cells of 480 m.
        assert!((9..=36).contains(&tiles.len()), "{}", tiles.len());
    }

    #[test]
    fn large_buildings_and_numbers_that_are_none_end_somewhere() {
        let grid = Grid::at(40.0, 0.6, 1_000);
        let [tile] = grid.tiles([[-106.0, 39.0, -104.0, 41.0]])[..] else { panic!() };
        assert_eq!((tile.wide(), tile.high()), (1_000, 1_000));
        for wrong in [[f64::NAN; 4], [-105.0, -90.0, -104.0, 90.0], [f64::INFINITY, 0.0, 1.0, 1.0]] {
            assert!(grid.tiles([wrong]).is_empty(), "{wrong:?}");
        }
        assert!(grid.tiles([]).is_empty());
        // Pixels of 5 m, and few of them.
        let coarse = Grid::at(40.0, 5.0, 200).tiles([house(-105.3, 40.0)]);
        assert!(coarse[0].wide() <= 200 && coarse[0].wide() > 20, "{coarse:?}");
    }

    #[test]
    fn degrees_come_back() {
        for at in [[-105.3, 40.0], [179.9, 51.9], [-64.9, 18.3], [145.7, 13.4]] {
            let back = degrees(mercator(at[0], at[1]));
            assert!((back[0] - at[0]).abs() < 1e-9 && (back[1] - at[1]).abs() < 1e-9, "{at:?} {back:?}");
        }
    }
}
