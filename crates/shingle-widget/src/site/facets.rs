//! The facets of a roof that has more of them than a drawing on paper has room for: the largest are numbered and listed.

use shingle_domain::roof::{Facet, RoofDrawing};

use crate::plan::{MAX_LABELLED, MIN_LABELLED_AREA};

/// All facets, the largest first.
#[derive(Debug, Clone)]
pub struct ListedFacets<'a> {
    by_size: Vec<&'a Facet>,
    listed: usize,
}

impl<'a> ListedFacets<'a> {
    /// `None` where all areas are on the drawing itself.
    pub fn of(drawings: impl Iterator<Item = &'a RoofDrawing>) -> Option<Self> {
        let mut by_size: Vec<&Facet> = drawings.flat_map(|drawing| &drawing.facets).collect();
        if by_size.len() <= MAX_LABELLED {
            return None;
        }
        by_size.sort_by_key(|facet| core::cmp::Reverse(facet.area));
        // A number has room on those alone.
        let listed = by_size.iter().take(MAX_LABELLED).take_while(|facet| facet.area >= MIN_LABELLED_AREA).count();
        Some(Self { by_size, listed })
    }

    /// What is listed; the first is number 1.
    pub fn largest(&self) -> &[&'a Facet] {
        &self.by_size[..self.listed]
    }

    /// What is not.
    pub fn smaller(&self) -> &[&'a Facet] {
        &self.by_size[self.listed..]
    }

    pub fn number(&self, of: &Facet) -> Option<usize> {
        Some(self.largest().iter().position(|facet| core::ptr::eq(*facet, of))? + 1)
    }
}
