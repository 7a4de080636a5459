//! The octree of a COPC file: which chunks have points in a place. A node is a chunk; the pages of the hierarchy say where
//! each is, and only those that touch the place are read.

use std::collections::BTreeSet;
use std::io::{self, Read, Seek, SeekFrom};

use super::bytes::{f64_at, i32_at, u64_at};
use super::octree::{Cube, Key};

/// Bytes of the record that says where the octree is, and of an entry of a page.
const INFO: usize = 160;
const ENTRY: usize = 32;
/// Nodes of a file at most: a state in one file has fewer.
const MOST_NODES: usize = 4_000_000;
const MOST_PAGES: usize = 200_000;

/// A chunk of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    pub at: u64,
    pub points: u64,
}

/// Where the octree is.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    cube: Cube,
    root: (u64, u64),
}

impl Info {
    /// `None` where the numbers cannot be those of an octree.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        if bytes.len() < INFO {
            return None;
        }
        let center = [f64_at(bytes, 0), f64_at(bytes, 8), f64_at(bytes, 16)];
        let cube = Cube::about(center, f64_at(bytes, 24))?;
        Some(Self { cube, root: (u64_at(bytes, 40), u64_at(bytes, 48)) })
    }

    /// The chunks that may have points where `needs` says so of a box, in the order of the file. An error means that the
    /// hierarchy is damaged; the points may be read without it.
    pub fn nodes<R: Read + Seek>(
        &self,
        source: &mut R,
        file_length: u64,
        points: u64,
        needs: &dyn Fn([f64; 2], [f64; 2]) -> bool,
    ) -> io::Result<Vec<Node>> {
        let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        let mut nodes: Vec<Node> = Vec::new();
        let mut waiting = vec![self.root];
        let mut seen = BTreeSet::new();
        let mut left = file_length;
        while let Some((at, size)) = waiting.pop() {
            let end = at.checked_add(size).filter(|end| *end <= file_length);
            if end.is_none() || size % ENTRY as u64 != 0 {
                return Err(bad("a page of the hierarchy is not in the file"));
            }
            // Pages do not overlap: all of them together are no longer than the file.
            left = left.checked_sub(size).ok_or_else(|| bad("the hierarchy is longer than the file"))?;
            if !seen.insert(at) || seen.len() > MOST_PAGES {
                return Err(bad("the pages of the hierarchy go round in a circle"));
            }
            source.seek(SeekFrom::Start(at))?;
            let mut page = io::BufReader::new(source.by_ref().take(size));
            for _ in 0..size / ENTRY as u64 {
                let mut entry = [0; ENTRY];
                page.read_exact(&mut entry)?;
                let axes = [4, 8, 12].map(|at| i64::from(i32_at(&entry, at)));
                let key = Key::new(i64::from(i32_at(&entry, 0)), axes);
                let key = key.ok_or_else(|| bad("a node of the hierarchy has no place"))?;
                let [min, max] = self.cube.plan(key);
                if !needs(min, max) {
                    continue;
                }
                let (at, size, count) = (u64_at(&entry, 16), i32_at(&entry, 24), i32_at(&entry, 28));
                match (count, u64::try_from(size), u64::try_from(count)) {
                    (-1, Ok(size), _) => waiting.push((at, size)),
                    (0, ..) => {}
                    (_, Ok(size), Ok(points)) if at.checked_add(size).is_some_and(|end| end <= file_length) => {
                        nodes.push(Node { at, points });
                    }
                    _ => return Err(bad("a node of the hierarchy is not in the file")),
                }
            }
            if nodes.len() > MOST_NODES {
                return Err(bad("the hierarchy has too many nodes"));
            }
        }
        nodes.sort_unstable();
        nodes.dedup_by_key(|node| node.at);
        let count = nodes.iter().fold(0_u64, |sum, node| sum.saturating_add(node.points));
        if count > points {
            return Err(bad("the hierarchy has more points than the file"));
        }
        Ok(nodes)
    }
}
