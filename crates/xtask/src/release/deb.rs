//! The Debian package, written by Debian's own program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::edition::Edition;
use super::packing::Packing;
use super::target::Target;
use super::tree::{SETTINGS, Tree};
use crate::command::run;
use crate::tools;

pub fn write(edition: &Edition<'_>, target: Target, tree: &Tree, packing: Packing, output: &Path) -> Result<PathBuf> {
    tools::debian(&["dpkg-deb"], &["dpkg"], "the Debian package")?;
    let text = |name: &str| {
        let file = edition.source("deb").join(name);
        fs::read_to_string(&file).with_context(|| file.display().to_string())
    };
    let control = text("control")?.replace("@VERSION@", &edition.version);
    let control = control.replace("@ARCHITECTURE@", target.debian());
    let control = control.replace("@KILOBYTES@", &tree.bytes()?.div_ceil(1024).to_string());
    tree.put("DEBIAN/control", 0o644, control.as_bytes())?;
    tree.put("DEBIAN/conffiles", 0o644, format!("/{SETTINGS}\n").as_bytes())?;
    for script in ["postinst", "prerm", "postrm"] {
        tree.put(&format!("DEBIAN/{script}"), 0o755, text(script)?.as_bytes())?;
    }
    let place = output.join(format!("shingle_{}_{}.deb", edition.version, target.debian()));
    let mut command = Command::new("dpkg-deb");
    // With several threads the bytes would depend on their number.
    match packing {
        Packing::Small => command.args(["-Zxz", "--threads-max=1"]),
        Packing::Fast => command.arg("-Znone"),
    };
    command.args(["--root-owner-group", "--build"]).arg(&tree.folder).arg(&place);
    run(command.env("SOURCE_DATE_EPOCH", edition.time.to_string()).stdout(std::io::stderr()))?;
    // Of this kind of package alone.
    fs::remove_dir_all(tree.folder.join("DEBIAN"))?;
    fs::set_permissions(&place, fs::Permissions::from_mode(0o644))?;
    Ok(place)
}
