//! A path as the log may have it: without tokens, which open what they are for, and without what a stranger wrote in the place
//! of an id.

use std::borrow::Cow;

use uuid::Uuid;

/// Of a path without a route: `/api/v1/solarindex` is logged, what follows is not.
const UNKNOWN_PARTS: usize = 3;
const LEFT_OUT: &str = "…";
/// Parameters that are public names of ours: files, and widgets with their ending.
const PUBLIC: [&str; 3] = ["{file}", "{name}", "{*path}"];

pub(crate) fn logged_path<'p>(path: &'p str, route: Option<&str>) -> Cow<'p, str> {
    match route {
        Some(route) if route.contains('{') => parts(path, route).into(),
        Some(_) => path.into(),
        None => match path.match_indices('/').nth(UNKNOWN_PARTS) {
            Some((end, _)) => format!("{}/{LEFT_OUT}", &path[..end]).into(),
            None => path.into(),
        },
    }
}

fn parts(path: &str, route: &str) -> String {
    let mut parts = path.split('/');
    let mut logged = Vec::new();
    for name in route.split('/') {
        if name == "{*path}" {
            logged.extend(parts.by_ref());
            break;
        }
        let Some(part) = parts.next() else { break };
        let may_be_told = !name.contains('{') || PUBLIC.contains(&name) || Uuid::try_parse(part).is_ok();
        logged.push(if may_be_told { part } else { name });
    }
    logged.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_files_are_told_and_tokens_and_inventions_are_not() {
        let id = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
        for (path, route, logged) in [
            ("/readyz", Some("/readyz"), "/readyz"),
            (&format!("/w/{id}/leads/{id}"), Some("/w/{id}/leads/{lead}"), &format!("/w/{id}/leads/{id}")[..]),
            (&format!("/w/{id}.js"), Some("/w/{name}"), &format!("/w/{id}.js")),
            (
                &format!("/w/{id}/e/s3cr3t/print"),
                Some("/w/{id}/e/{token}/print"),
                &format!("/w/{id}/e/{{token}}/print"),
            ),
            ("/api/v1/leads/ann@example.com", Some("/api/v1/leads/{id}"), "/api/v1/leads/{id}"),
            ("/storage/logos/ab/cd.png", Some("/storage/{*path}"), "/storage/logos/ab/cd.png"),
            ("/runtime/web.3f.wasm", Some("/runtime/{file}"), "/runtime/web.3f.wasm"),
            ("/api/v1/solarindex", None, "/api/v1/solarindex"),
            ("/api/v1/solarindex/Ann", None, "/api/v1/solarindex/…"),
            (&format!("/w/{id}/e/s3cr3t/prnt"), None, &format!("/w/{id}/e/…")),
            ("/", None, "/"),
            ("", None, ""),
        ] {
            assert_eq!(logged_path(path, route), logged, "{path}");
        }
    }
}
