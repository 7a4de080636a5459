//! The way to the nodes of some places: which page is needed next, and what a page adds.

use std::collections::{BTreeMap, BTreeSet};

use super::octree::Octree;
use crate::boxes::Needs;
use crate::error::MeasureError;
use crate::las::Key;

const MOST_PAGES: usize = 50_000;
const MOST_NODES: usize = 1_000_000;
/// Of a billion points fewer.
const NO_END: u8 = u8::MAX;

/// Nodes are looked for until no page waits.
pub struct Walk<'a> {
    octree: &'a Octree,
    deepest: u8,
    waiting: Vec<Key>,
    seen: BTreeSet<Key>,
    nodes: BTreeMap<Key, u64>,
}

impl<'a> Walk<'a> {
    pub fn new(octree: &'a Octree) -> Self {
        let (waiting, seen) = (vec![Key::ROOT], BTreeSet::from([Key::ROOT]));
        Self { octree, deepest: NO_END, waiting, seen, nodes: BTreeMap::new() }
    }

    /// Levels below this one are left alone from now on.
    pub fn end_at(&mut self, level: u8) {
        if level >= self.deepest {
            return;
        }
        self.deepest = level;
        self.waiting.retain(|page| page.level <= level);
        self.nodes.retain(|key, _| key.level <= level);
    }

    /// The next page.
    pub fn next_page(&mut self) -> Option<Key> {
        self.waiting.pop()
    }

    /// So many of the pages that are known to be needed, those of the coarsest levels first.
    pub fn next_pages(&mut self, most: usize) -> Vec<Key> {
        self.waiting.sort_by(|a, b| b.cmp(a));
        self.waiting.split_off(self.waiting.len().saturating_sub(most))
    }

    /// Adds the nodes of a page that may have points where `needs` says so of a box.
    pub fn take(&mut self, page: Key, text: &[u8], needs: &Needs<'_>) -> Result<(), MeasureError> {
        let bad = |what: &str| MeasureError::Ept(what.to_owned());
        let entries: BTreeMap<String, i64> =
            serde_json::from_slice(text).map_err(|e| MeasureError::Ept(format!("page {page}: {e}")))?;
        for (text, count) in entries {
            // A page tells of what is below it, so that pages do not lead back.
            let key = Key::parse(&text).filter(|key| key.is_in(page));
            let key = key.ok_or_else(|| bad("a node of its hierarchy has no place"))?;
            let [min, max] = self.octree.plan(key);
            if key.level > self.deepest || !needs(min, max) {
                continue;
            }
            match u64::try_from(count) {
                Ok(0) => {}
                Ok(points) => drop(self.nodes.insert(key, points)),
                Err(_) if count == -1 && self.seen.insert(key) => self.waiting.push(key),
                Err(_) => {}
            }
        }
        if self.seen.len() > MOST_PAGES {
            return Err(bad("its hierarchy has too many pages"));
        }
        if self.nodes.len() > MOST_NODES {
            return Err(bad("its hierarchy has too many nodes"));
        }
        Ok(())
    }

    /// How many points each node has, as the pages say.
    pub fn nodes(&self) -> &BTreeMap<Key, u64> {
        &self.nodes
    }

    pub fn into_nodes(self) -> BTreeMap<Key, u64> {
        self.nodes
    }
}
