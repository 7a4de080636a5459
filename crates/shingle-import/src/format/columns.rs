//! Where the columns that a mapping asks for stand in a file.

use std::path::Path;

use crate::error::ImportError;
use crate::format::cell;

/// A heading as an error may show it: of a broken file it can be anything, and long.
fn shown(heading: &str) -> String {
    cell::tidy(heading).chars().take(40).collect()
}

/// Where each wanted column stands in a header: by its name, else by its name in another case. The error
/// names every column that is missing, the nearest name for each, and what is there.
pub(crate) fn locate(path: &Path, wanted: &[String], header: &[String]) -> Result<Vec<usize>, ImportError> {
    let (mut at, mut missing) = (Vec::with_capacity(wanted.len()), Vec::new());
    for name in wanted {
        let exact = header.iter().position(|h| h == name);
        let found = exact.or_else(|| header.iter().position(|h| h.eq_ignore_ascii_case(name)));
        match found {
            Some(found) => at.push(found),
            None => missing.push(name),
        }
    }
    if missing.is_empty() {
        return Ok(at);
    }
    let like = |a: &str, b: &str| strsim::jaro_winkler(&a.to_lowercase(), &b.to_lowercase());
    let messages = missing.iter().take(MAX_MISSING_SHOWN).map(|name| {
        let near = header.iter().max_by(|a, b| like(a, name).total_cmp(&like(b, name)));
        let hint = near.map(|n| format!("; is `{}` meant?", shown(n))).unwrap_or_default();
        format!("no column `{name}`{hint}")
    });
    let messages: Vec<String> = messages.collect();
    let more = missing.len().saturating_sub(MAX_MISSING_SHOWN);
    let more = if more > 0 { format!(" And {more} more.") } else { String::new() };
    let wrong = if missing.len() == wanted.len() && wanted.len() > 2 {
        " None of the mapping's columns is there: is it the mapping for another file?"
    } else {
        ""
    };
    let there: Vec<String> = header.iter().take(80).map(|h| shown(h)).collect();
    Err(ImportError::input(path, format!("{}{more}{wrong} The file has: {}", messages.join(" "), there.join(", "))))
}

/// Missing columns that an error names.
const MAX_MISSING_SHOWN: usize = 8;
