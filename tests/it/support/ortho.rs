//! Photographs from the air of the test's own, as GeoTIFF.

use std::path::Path;

use shingle_domain::evidence::Position;

/// Pixels in a row, and rows.
const SIDE: u32 = 700;
/// Degrees of latitude of a pixel: about 0.3 m.
const PIXEL: f64 = 0.3 / 111_132.0;

/// Writes a photograph about a place, some 210 m high, in degrees of WGS 84; `color` says what a pixel has.
pub fn write(to: &Path, about: Position, color: impl Fn(u32, u32) -> [u8; 3]) {
    let across = PIXEL / about.latitude.to_radians().cos();
    let half = f64::from(SIDE) / 2.0;
    let corner = [about.longitude - across * half, about.latitude + PIXEL * half];
    let mut data = Vec::new();
    for y in 0..SIDE {
        for x in 0..SIDE {
            data.extend(color(x, y));
        }
    }
    std::fs::write(to, tiff(&data, [across, PIXEL], corner)).unwrap();
}

/// Green, with a brown square in the middle, and nothing in it that looks like a cloud.
pub fn town(x: u32, y: u32) -> [u8; 3] {
    let house = (320..380).contains(&x) && (320..380).contains(&y);
    let grain = ((x * 7 + y * 13) % 23) as u8;
    if house { [120 + grain, 80, 60] } else { [60, 100 + grain, 50] }
}

/// One strip without compression.
fn tiff(data: &[u8], scale: [f64; 2], corner: [f64; 2]) -> Vec<u8> {
    let doubles = |values: &[f64]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let shorts = |values: &[u16]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    // GTModelType geographic, GTRasterType area, GeographicType WGS 84.
    let keys = shorts(&[1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326]);
    let entries: Vec<(u16, u16, u32, Vec<u8>)> = vec![
        (256, 4, 1, SIDE.to_le_bytes().to_vec()),
        (257, 4, 1, SIDE.to_le_bytes().to_vec()),
        (258, 3, 3, shorts(&[8, 8, 8])),
        (259, 3, 1, shorts(&[1])),
        (262, 3, 1, shorts(&[2])),
        (273, 4, 1, Vec::new()),
        (277, 3, 1, shorts(&[3])),
        (278, 4, 1, SIDE.to_le_bytes().to_vec()),
        (279, 4, 1, u32::try_from(data.len()).unwrap().to_le_bytes().to_vec()),
        (33550, 12, 3, doubles(&[scale[0], scale[1], 0.0])),
        (33922, 12, 6, doubles(&[0.0, 0.0, 0.0, corner[0], corner[1], 0.0])),
        (34735, 3, 16, keys),
    ];
    let head = 8 + 2 + entries.len() * 12 + 4;
    let mut beside = Vec::new();
    let mut table = Vec::new();
    let values: usize = entries.iter().map(|(_, _, _, value)| if value.len() > 4 { value.len() } else { 0 }).sum();
    for (tag, kind, count, value) in &entries {
        table.extend(tag.to_le_bytes());
        table.extend(kind.to_le_bytes());
        table.extend(count.to_le_bytes());
        let value =
            if *tag == 273 { u32::try_from(head + values).unwrap().to_le_bytes().to_vec() } else { value.clone() };
        if value.len() > 4 {
            table.extend(u32::try_from(head + beside.len()).unwrap().to_le_bytes());
            beside.extend(value);
        } else {
            table.extend(value.iter().copied().chain([0; 4]).take(4));
        }
    }
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    file.extend(u16::try_from(entries.len()).unwrap().to_le_bytes());
    file.extend(table);
    file.extend([0; 4]);
    file.extend(beside);
    file.extend(data);
    file
}
