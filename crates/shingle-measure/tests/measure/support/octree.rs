//! Octrees for tests: COPC files and EPT folders, made of points.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use laz::{LazVlr, laszip::ChunkTable};

use super::las::{Kind, TestPoint, file, file_of_chunks, record};

pub type Key = (u8, [u32; 3]);

/// Points by node, and the cube they are in. Every level has a part of them.
pub struct Octree {
    pub min: [f64; 3],
    pub side: f64,
    pub nodes: BTreeMap<Key, Vec<TestPoint>>,
}

impl Octree {
    pub fn of(points: &[TestPoint], levels: u8) -> Self {
        let of = |axis: usize, f: fn(f64, f64) -> f64, start: f64| points.iter().map(|p| p.0[axis]).fold(start, f);
        let min = [0, 1, 2].map(|axis| of(axis, f64::min, f64::INFINITY));
        let side = (0..3).map(|axis| of(axis, f64::max, f64::NEG_INFINITY) - min[axis]).fold(0.0, f64::max) + 1e-6;
        let mut nodes: BTreeMap<Key, Vec<TestPoint>> = BTreeMap::new();
        for (index, point) in points.iter().enumerate() {
            // Half of the points lie on the deepest level.
            let up = u8::try_from((index + 1).trailing_zeros()).unwrap();
            let level = levels.saturating_sub(1 + up);
            let cell = side / f64::from(1_u32 << level);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the cube")]
            let at = [0, 1, 2].map(|axis: usize| ((point.0[axis] - min[axis]) / cell) as u32);
            nodes.entry((level, at)).or_default().push(*point);
        }
        Self { min, side, nodes }
    }

    /// Pages are cut at this level.
    fn page_of(key: &Key, cut: u8) -> Key {
        let down = key.0.saturating_sub(cut);
        if key.0 > cut { (cut, key.1.map(|v| v >> down)) } else { (0, [0; 3]) }
    }
}

/// A COPC file with two levels of pages.
pub fn copc(kind: &Kind, points: &[TestPoint], levels: u8) -> Vec<u8> {
    let tree = Octree::of(points, levels);
    let kind = Kind { minor: 4, format: 6, chunk: Some(0), ..kind.clone() };
    let nodes: Vec<(&Key, &Vec<TestPoint>)> = tree.nodes.iter().collect();
    let chunks: Vec<Vec<TestPoint>> = nodes.iter().map(|(_, points)| (*points).clone()).collect();
    let mut bytes = file_of_chunks(&kind, &chunks, &[record(b"copc", 1, &[0; 160])]);
    // Where the chunks are.
    let points_at = usize::try_from(u32::from_le_bytes(bytes[96..100].try_into().unwrap())).unwrap();
    let laz = laz_record(&bytes);
    let mut source = Cursor::new(bytes.clone());
    source.set_position(points_at as u64);
    let table = ChunkTable::read_from(&mut source, &laz).unwrap();
    let mut at = points_at as u64 + 8;
    let mut pages: BTreeMap<Key, Vec<u8>> = BTreeMap::new();
    for ((key, points), entry) in nodes.iter().zip(table.as_ref()) {
        let page = pages.entry(Octree::page_of(key, 1)).or_default();
        let count = i32::try_from(points.len()).unwrap();
        put(page, key, at, i32::try_from(entry.byte_count).unwrap(), count);
        at += entry.byte_count;
    }
    // Other pages come first, then the root that names them.
    let body_at = bytes.len() as u64 + 60;
    let mut body = Vec::new();
    let mut root = pages.remove(&(0, [0; 3])).unwrap_or_default();
    for (key, page) in &pages {
        // A page is named instead of its node: it lists the nodes below.
        put(&mut root, key, body_at + body.len() as u64, i32::try_from(page.len()).unwrap(), -1);
        body.extend_from_slice(page);
    }
    let root_at = body_at + body.len() as u64;
    let root_size = root.len() as u64;
    body.extend(root);
    let mut head = vec![0_u8; 60];
    head[2..6].copy_from_slice(b"copc");
    head[18..20].copy_from_slice(&1000_u16.to_le_bytes());
    head[20..28].copy_from_slice(&(body.len() as u64).to_le_bytes());
    bytes[235..243].copy_from_slice(&(body_at - 60).to_le_bytes());
    bytes[243..247].copy_from_slice(&1_u32.to_le_bytes());
    bytes.extend(head);
    bytes.extend(body);
    let info = 375 + 54;
    for axis in 0..3 {
        let middle = tree.min[axis] + tree.side / 2.0;
        bytes[info + 8 * axis..info + 8 * axis + 8].copy_from_slice(&middle.to_le_bytes());
    }
    bytes[info + 24..info + 32].copy_from_slice(&(tree.side / 2.0).to_le_bytes());
    bytes[info + 40..info + 48].copy_from_slice(&root_at.to_le_bytes());
    bytes[info + 48..info + 56].copy_from_slice(&root_size.to_le_bytes());
    bytes
}

/// The record that says how points are compressed: the last one.
fn laz_record(bytes: &[u8]) -> LazVlr {
    let user = b"laszip encoded";
    let at = bytes.windows(user.len()).position(|w| w == user).unwrap();
    let length = usize::from(u16::from_le_bytes(bytes[at + 18..at + 20].try_into().unwrap()));
    LazVlr::from_buffer(&bytes[at + 52..at + 52 + length]).unwrap()
}

fn put(page: &mut Vec<u8>, (level, at): &Key, offset: u64, size: i32, count: i32) {
    page.extend_from_slice(&i32::from(*level).to_le_bytes());
    for v in at {
        page.extend_from_slice(&v.to_le_bytes());
    }
    page.extend_from_slice(&offset.to_le_bytes());
    page.extend_from_slice(&size.to_le_bytes());
    page.extend_from_slice(&count.to_le_bytes());
}

/// An EPT folder with two levels of pages. `srs` is JSON.
pub fn ept(folder: &Path, kind: &Kind, points: &[TestPoint], levels: u8, srs: &str) {
    let tree = Octree::of(points, levels);
    let kind = Kind { chunk: Some(500), ..kind.clone() };
    for part in ["ept-data", "ept-hierarchy"] {
        std::fs::create_dir_all(folder.join(part)).unwrap();
    }
    let name = |(level, [x, y, z]): &Key| format!("{level}-{x}-{y}-{z}");
    let mut pages: BTreeMap<Key, Vec<String>> = BTreeMap::new();
    for (key, points) in &tree.nodes {
        std::fs::write(folder.join(format!("ept-data/{}.laz", name(key))), file(&kind, points)).unwrap();
        // The node at the top of a page is in it, and the page above names the page.
        let page = if key.0 < 2 { (0, [0; 3]) } else { (2, key.1.map(|v| v >> (key.0 - 2))) };
        pages.entry(page).or_default().push(format!("\"{}\":{}", name(key), points.len()));
        if page.0 == 2 {
            pages.entry((0, [0; 3])).or_default().push(format!("\"{}\":-1", name(&page)));
        }
    }
    for (key, mut entries) in pages {
        entries.sort();
        entries.dedup();
        std::fs::write(folder.join(format!("ept-hierarchy/{}.json", name(&key))), format!("{{{}}}", entries.join(",")))
            .unwrap();
    }
    let max = tree.min.map(|v| v + tree.side);
    let json = format!(
        r#"{{"bounds":[{},{},{},{},{},{}],"dataType":"laszip","hierarchyType":"json","points":{},"span":128,"srs":{srs},"version":"1.0.0","schema":[]}}"#,
        tree.min[0],
        tree.min[1],
        tree.min[2],
        max[0],
        max[1],
        max[2],
        points.len()
    );
    std::fs::write(folder.join("ept.json"), json).unwrap();
}
