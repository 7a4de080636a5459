//! Walks through a package's life in a fresh Debian, by the commands of the manual: installed, first lead, restored from a
//! backup, upgraded, removed, installed again, purged.
//! Then starts the image's program in the image's own files.
//!
//! The packages hold the debug build of the suite: a release takes a quarter of an hour, and what is tried here is what
//! surrounds the program. Nothing leaves this machine once Debian's packages are there.

mod debian;
mod machine;
mod reader;
mod visitor;

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use flate2::Compression;
use serde_json::Value;

use super::edition::Edition;
use super::packing::Packing;
use super::target::{Given, Target};
use super::tree::{PROGRAM, SETTINGS, Tree, UNIT};
use super::{archive, deb, image, sums};
use crate::command::{run as run_command, say};
use crate::demo::word;
use crate::server;
use crate::workspace::Workspace;

pub use debian::ready;
use machine::Machine;
use reader::Reader;

const DATA: &str = "var/lib/shingle";

/// Of the manual's pages, whose commands name the files.
const VERSIONS: [&str; 2] = ["0.1.0", "0.2.0"];

pub fn run(workspace: &Workspace, binary: &Path) -> Result<()> {
    let mut edition = Edition::of(workspace)?;
    let output = edition.scratch("walk")?;
    let given = Given { target: host()?, file: stripped(binary, &output)? };
    let root = output.join("root");
    debian::unpack(workspace, &root)?;
    lend_runtime(workspace, &root)?;
    let mut reader = Reader::new(workspace, &root, given.target)?;
    let downloads = root.join(reader::DOWNLOADS);
    let mut packed = Vec::new();
    for version in VERSIONS {
        version.clone_into(&mut edition.version);
        let tree = Tree::of(&edition, &given)?;
        packed.push(deb::write(&edition, given.target, &tree, Packing::Fast, &downloads)?);
        server::forget(&tree.folder)?;
        if version == VERSIONS[0] {
            archive::write(&edition, &given, Packing::Fast, &downloads)?;
            edition.put("install.sh", &downloads)?;
        }
    }
    sums::write(&downloads)?;
    let newest = packed.pop().context("two versions are packed")?;
    package(&root, &mut reader, &newest)?;
    say("walked: the Debian package");
    archive_by_hand(&root, &mut reader)?;
    reader.finished()?;
    say("walked: the archive");
    let image = image::write_packed(&edition, &[given], Compression::fast(), &output)?;
    image_runs(&image, &output.join("image"), &root)?;
    say("walked: the image");
    server::forget(&output)
}

/// A debug build reads the widget's runtime from the folder that it was built in, by way of its crate.
fn lend_runtime(workspace: &Workspace, root: &Path) -> Result<()> {
    let inside = |path: &Path| root.join(path.strip_prefix("/").unwrap_or(path));
    let from = workspace.runtime();
    fs::create_dir_all(inside(&workspace.root.join("crates/shingle-app")))?;
    fs::create_dir_all(inside(&from))?;
    for entry in fs::read_dir(&from).with_context(|| from.display().to_string())? {
        let path = entry?.path();
        fs::copy(&path, inside(&path))?;
    }
    Ok(())
}

/// A debug build is six times as large with its names.
fn stripped(binary: &Path, output: &Path) -> Result<PathBuf> {
    let file = output.join("shingle");
    run_command(Command::new("strip").arg("-o").arg(&file).arg(binary))?;
    Ok(file)
}

fn host() -> Result<Target> {
    match std::env::consts::ARCH {
        "x86_64" => Ok(Target::X86),
        "aarch64" => Ok(Target::Arm),
        other => anyhow::bail!("there is no package for {other}"),
    }
}

fn package(root: &Path, reader: &mut Reader<'_>, newest: &Path) -> Result<()> {
    reader.follow("install", "sha256sum")?;
    reader.follow("install", "sudo apt-get install")?;
    let user = debian::user(root, "shingle")?;
    let rights = |name: &str| -> Result<(u32, u32, u32)> {
        let found = fs::metadata(root.join(name)).with_context(|| name.to_owned())?;
        Ok((found.uid(), found.gid(), found.permissions().mode() & 0o7777))
    };
    ensure!(rights(DATA)? == (user.0, user.1, 0o750), "the data folder has the rights {:?}", rights(DATA)?);
    ensure!(rights(SETTINGS)? == (0, user.1, 0o640), "the settings have the rights {:?}", rights(SETTINGS)?);

    // An administrator's change, which every later step must keep.
    let listen = server::free_port(18_080)?;
    let settings = fs::read_to_string(root.join(SETTINGS))?;
    let changed = settings.replace("\"127.0.0.1:8080\"", &format!("\"{listen}\""));
    ensure!(changed != settings, "the shipped settings name no address to listen on");
    fs::write(root.join(SETTINGS), &changed)?;
    let kept = || -> Result<()> {
        let now = fs::read_to_string(root.join(SETTINGS))?;
        ensure!(now == changed, "the administrator's settings were replaced");
        ensure!(rights(SETTINGS)? == (0, user.1, 0o640), "the settings have the rights {:?}", rights(SETTINGS)?);
        Ok(())
    };

    let machine = reader.machine()?;
    machine.ask(&["config", "check"])?;
    let account = word(&machine.ask(&["account", "create", "--name", visitor::COMPANY])?, "id")?;
    let made = machine.ask(&["widget", "create", "--account", &account, "--url", "https://oak.example.com"])?;
    let widget = word(&made, "referenceId")?;
    let leads = || -> Result<usize> {
        let list = machine.ask(&["lead", "list", "--account", &account])?;
        Ok(list.as_array().with_context(|| format!("not a list: {list}"))?.len())
    };
    ensure!(!machine.is_healthy()?, "a server that does not run is healthy");
    reader.follow("install", "sudo systemctl enable")?;
    visitor::leave_lead(listen, &widget, 1)?;
    ensure!(machine.is_healthy()?, "a server that runs is not healthy");
    reader.follow("install", "sudo systemctl restart")?;
    reader.follow("install", "cd /etc/shingle")?;
    ensure!(leads()? == 1, "the first lead is not there");

    reader.line("cd /etc/shingle")?;
    reader.line("sudo sh -c 'umask 077; echo twelve old shingles > words.txt'")?;
    reader.line("sudo shingle backup shingle.tar.zst --passphrase-file words.txt")?;
    visitor::leave_lead(listen, &widget, 2)?;
    reader.line("sudo cp shingle.tar.zst words.txt /home/ann/downloads")?;
    reader.follow("backup", "sudo systemctl stop shingle")?;
    ensure!(leads()? == 1, "the backup has the first lead, and not the one after it");
    reader.line("sudo rm /etc/shingle/shingle.tar.zst /etc/shingle/words.txt")?;
    fs::remove_dir_all(root.join("var/lib/shingle.old"))?;

    reader.follow("upgrade", "sudo apt-get install")?;
    kept()?;
    visitor::leave_lead(listen, &widget, 3)?;
    reader.stop()?;
    ensure!(leads()? == 2, "a lead did not survive the upgrade");

    reader.follow("install", "sudo apt-get remove")?;
    ensure!(!root.join(PROGRAM).exists() && !root.join(UNIT).exists(), "the program is still there");
    kept()?;
    debian::install(root, newest)?;
    kept()?;
    ensure!(leads()? == 2, "a lead did not survive the removal");

    // A folder that the service may not write, as a restore by root leaves one.
    let data = root.join(DATA);
    own_all(&data, 0, 0)?;
    let refused = machine.refuses_to_serve()?;
    ensure!(refused.contains("/var/lib/shingle"), "the refusal does not name the folder: {refused}");
    say(&format!("without rights: {}", refused.split_whitespace().collect::<Vec<_>>().join(" ")));
    own_all(&data, user.0, user.1)?;
    ensure!(leads()? == 2, "a lead is gone");

    debian::dpkg(root, &["--purge", "shingle"])?;
    for gone in [DATA, "etc/shingle", UNIT, PROGRAM] {
        ensure!(!root.join(gone).exists(), "{gone} is there after a purge");
    }
    Ok(())
}

/// The archive, on a machine without the package: for one user, for everyone, and as a service.
fn archive_by_hand(root: &Path, reader: &mut Reader<'_>) -> Result<()> {
    // A purge leaves it, so that nobody gets its number.
    debian::inside_run(root, "userdel", &["shingle"])?;
    for (block, place) in [
        ("sh install.sh", "home/ann/.local/bin/shingle"),
        ("sudo sh install.sh", "usr/local/bin/shingle"),
        ("tar -xf", "usr/local/bin/shingle"),
    ] {
        reader.follow("install", block)?;
        fs::remove_file(root.join(place)).with_context(|| format!("{block} left no {place}"))?;
    }
    // The last lines of the block start the service, which needs a port of its own.
    let shipped = root.join(reader::DOWNLOADS).join(format!("shingle-{}-{}", VERSIONS[0], host()?.triple()));
    let settings = fs::read_to_string(shipped.join("shingle.toml"))?;
    let listen = server::free_port(18_280)?;
    fs::write(shipped.join("shingle.toml"), settings.replace("127.0.0.1:8080", &listen.to_string()))?;
    reader.follow("install", "sudo useradd")?;
    ensure!(reader.machine()?.is_healthy()?, "the service of an archive does not run");
    reader.stop()
}

fn own_all(folder: &Path, user: u32, group: u32) -> Result<()> {
    chown(folder, Some(user), Some(group))?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            own_all(&path, user, group)?;
        } else {
            chown(&path, Some(user), Some(group))?;
        }
    }
    Ok(())
}

fn image_runs(image: &Path, folder: &Path, debian: &Path) -> Result<()> {
    let (layout, root) = (folder.join("layout"), folder.join("root"));
    fs::create_dir_all(&root)?;
    tar::Archive::new(fs::File::open(image)?).unpack(&layout)?;
    let read = |path: &str| -> Result<Value> {
        Ok(serde_json::from_slice(&fs::read(layout.join(path)).with_context(|| path.to_owned())?)?)
    };
    // From the name to the layers, as an engine goes.
    let index = read(&image::path_of(&read("index.json")?["manifests"][0]["digest"])?)?;
    let manifest = read(&image::path_of(&index["manifests"][0]["digest"])?)?;
    for layer in manifest["layers"].as_array().context("an image without layers")? {
        let packed = fs::File::open(layout.join(image::path_of(&layer["digest"])?))?;
        let mut content = tar::Archive::new(flate2::read::GzDecoder::new(packed));
        content.set_preserve_permissions(true);
        content.set_preserve_ownerships(true);
        content.unpack(&root)?;
    }
    borrow_libraries(debian, &root)?;
    let config = read(&image::path_of(&manifest["config"]["digest"])?)?;
    let listen = server::free_port(18_180)?;
    let machine = Machine::of_image(&root, &config["config"], listen)?;
    let account = word(&machine.ask(&["account", "create", "--name", visitor::COMPANY])?, "id")?;
    let made = machine.ask(&["widget", "create", "--account", &account, "--url", "https://oak.example.com"])?;
    ensure!(!machine.is_healthy()?, "an image whose server does not run is healthy");
    let server = machine.serve()?;
    ensure!(machine.is_healthy()?, "an image whose server runs is not healthy");
    visitor::leave_lead(listen, &word(&made, "referenceId")?, 1)?;
    server.stop()
}

/// The image of a release has a static program. The debug build needs the C library of its system.
fn borrow_libraries(from: &Path, to: &Path) -> Result<()> {
    let needed = ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "libdl.so.2", "libpthread.so.0", "librt.so.1"];
    let mut copied = 0;
    for folder in ["lib64", "lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"] {
        let Ok(entries) = fs::read_dir(from.join(folder)) else { continue };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if needed.contains(&name.as_str()) || name.starts_with("ld-linux") {
                let place: PathBuf = to.join(folder).join(&name);
                fs::create_dir_all(place.parent().unwrap_or(to))?;
                fs::copy(debian::inside(from, &entry.path())?, &place)?;
                copied += 1;
            }
        }
    }
    ensure!(copied >= 3, "the C library was not found in {}", from.display());
    Ok(())
}
