//! The changelog of this version, for the health page.

const TEXT: &str = include_str!("../../../../../CHANGELOG.md");

/// A heading, or what is in a list under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangelogLine {
    Heading(String),
    Item(String),
}

/// The sections from the top to that of this version, or the first one where it has none.
pub fn of_this_version() -> Vec<ChangelogLine> {
    lines(TEXT, env!("CARGO_PKG_VERSION"))
}

fn lines(text: &str, version: &str) -> Vec<ChangelogLine> {
    let sections: Vec<&str> = text.split("\n## ").skip(1).collect();
    let own = sections.iter().position(|section| section.starts_with(&format!("[{version}]"))).unwrap_or(0);
    let mut lines = Vec::new();
    for line in sections.iter().take(own + 1).flat_map(|section| section.lines().skip(1)) {
        let text = line.trim().replace('`', "");
        match (line, lines.last_mut()) {
            (_, _) if text.is_empty() || line.starts_with('#') => {}
            (line, _) if line.starts_with("- ") => {
                lines.push(ChangelogLine::Item(text.trim_start_matches("- ").to_owned()));
            }
            (line, Some(ChangelogLine::Item(item))) if line.starts_with("  ") => {
                item.push(' ');
                item.push_str(&text);
            }
            _ => lines.push(ChangelogLine::Heading(text)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sections_up_to_this_version_are_read() {
        let text = "# Changelog\n\nAbout.\n\n## [1.1.0]\n\n### Added\n\nPortal\n\n- One `thing`\n  goes on\n- Two\n\n## [1.0.0]\n\n- Three\n";
        let item = |text: &str| ChangelogLine::Item(text.to_owned());
        let newest = vec![ChangelogLine::Heading("Portal".to_owned()), item("One thing goes on"), item("Two")];
        assert_eq!(lines(text, "1.1.0"), newest);
        assert_eq!(lines(text, "2.0.0"), newest, "not yet released");
        assert_eq!(lines(text, "1.0.0").last(), Some(&item("Three")));
        assert!(of_this_version().len() > 10);
    }
}
