//! What kind of owner a property has.

/// What kind of owner it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OwnerKind {
    Person,
    Trust,
    Organisation,
}
