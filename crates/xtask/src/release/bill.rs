//! The list of everything that the program is made of (SBOM), by `cargo-cyclonedx`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::edition::Edition;
use super::target::Target;
use crate::command::{cargo, path_with, run};
use crate::tools;

pub fn write(edition: &Edition<'_>, target: Target, output: &Path) -> Result<()> {
    let tool = tools::cargo_cyclonedx(edition.workspace)?;
    let name = format!("shingle-{}-{}.cdx", edition.version, target.triple());
    let mut command = cargo();
    command.current_dir(&edition.workspace.root).args([
        "cyclonedx",
        "--format",
        "json",
        "--spec-version",
        "1.5",
        "--quiet",
    ]);
    command.args(["--target", target.triple(), "--override-filename", &name]);
    command.arg("--manifest-path").arg(edition.workspace.root.join("crates/shingle/Cargo.toml"));
    command.env("PATH", path_with(&[&tool])?).env("SOURCE_DATE_EPOCH", edition.time.to_string());
    let made = run(&mut command);
    // It writes one beside each manifest of the workspace.
    let mut own = None;
    for package in edition.workspace.packages() {
        let file = package.folder().join(format!("{name}.json"));
        let Ok(text) = fs::read_to_string(&file) else { continue };
        fs::remove_file(&file)?;
        if package.name == "shingle" {
            own = Some(text);
        }
    }
    made?;
    let text = own.context("cargo-cyclonedx wrote no list for `shingle`")?;
    Ok(fs::write(output.join(format!("{name}.json")), anonymous(&text, &edition.workspace.root)?)?)
}

/// Without the folder of this checkout, and without a number that is drawn anew each time.
fn anonymous(text: &str, root: &Path) -> Result<String> {
    let text = text.replace(&root.display().to_string(), "/shingle");
    let mut list: serde_json::Value = serde_json::from_str(&text).context("the list is not JSON")?;
    if let Some(list) = list.as_object_mut() {
        list.remove("serialNumber");
    }
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_says_nothing_of_the_machine_it_was_made_on() {
        let made =
            r#"{"serialNumber":"urn:uuid:1","components":[{"bom-ref":"path+file:///home/ann/shingle/crates/a"}]}"#;
        let text = anonymous(made, Path::new("/home/ann/shingle")).unwrap();
        assert!(!text.contains("serialNumber") && !text.contains("ann"), "{text}");
        assert!(text.contains("path+file:///shingle/crates/a"), "{text}");
    }
}
