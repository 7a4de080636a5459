//! What kind of owner a deed names, and whether the owner lives there.

use shingle_domain::evidence::Assessor;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnerKind {
    Person,
    Trust,
    Organisation,
}

const NOBODY: [&str; 8] = ["unknown", "owner", "not", "none", "null", "na", "confidential", "unavailable"];
const TRUSTS: [&str; 7] = ["trust", "trustee", "trustees", "trs", "tr", "revocable", "tru"];
const ORGANISATIONS: [&str; 22] = [
    "llc",
    "inc",
    "corp",
    "corporation",
    "company",
    "co",
    "lp",
    "llp",
    "ltd",
    "bank",
    "city",
    "county",
    "state",
    "town",
    "authority",
    "university",
    "association",
    "assn",
    "church",
    "properties",
    "realty",
    "holdings",
];

/// `None` when no owner is named.
pub(super) fn kind(assessor: &Assessor) -> Option<OwnerKind> {
    let name = assessor.primary_owner.as_ref()?.value.to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let among = |list: &[&str]| words.iter().any(|w| list.contains(w));
    match words.first() {
        None => None,
        Some(first) if NOBODY.contains(first) => None,
        _ if among(&TRUSTS) => Some(OwnerKind::Trust),
        _ if among(&ORGANISATIONS) => Some(OwnerKind::Organisation),
        _ => Some(OwnerKind::Person),
    }
}

/// The exemption first, which is claimed under penalty; then where the owner's mail goes.
pub(super) fn occupied(assessor: &Assessor) -> Option<bool> {
    let exempt = assessor.residential_exemption.as_ref().map(|f| f.value);
    let mailed_here = assessor.mailed_here.as_ref().map(|f| f.value);
    match (exempt, kind(assessor), mailed_here) {
        (Some(true), _, _) => Some(true),
        (_, Some(OwnerKind::Organisation), _) => Some(false),
        (_, _, Some(here)) => Some(here),
        (_, _, None) => None,
    }
}
