//! Positions in a list of leads, in any order.

use core::fmt;
use core::str::FromStr;

use uuid::Uuid;

use crate::StoreError;

/// A place in a list: just after one lead. It stays good when that lead is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListCursor {
    pub(crate) key: i64,
    pub(crate) created_at: i64,
    pub(crate) id: Uuid,
}

impl fmt::Display for ListCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:x}.{}", self.key, self.created_at, self.id.simple())
    }
}

impl FromStr for ListCursor {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        let mut parts = text.splitn(3, '.');
        let mut part = || parts.next().ok_or(StoreError::Cursor);
        Ok(Self {
            key: part()?.parse().map_err(|_| StoreError::Cursor)?,
            created_at: i64::from_str_radix(part()?, 16).map_err(|_| StoreError::Cursor)?,
            id: part()?.parse().map_err(|_| StoreError::Cursor)?,
        })
    }
}

/// Where a page begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListPlace {
    #[default]
    Top,
    After(ListCursor),
    Before(ListCursor),
}
