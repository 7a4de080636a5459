//! Whose the files of the data folder are. A command that root runs beside a server would leave files that the server's own
//! user cannot write.
//!
//! # Decision
//!
//! Files of the data folder are readable only by their owner and get the folder's owner if root made them. `doctor`
//! names what cannot be written, and recognizes a database file copied from a running server without its log.

use std::fs;
use std::path::Path;

/// Files and folders that root owns get the owner of the data folder, where that is another user.
#[cfg(unix)]
pub fn give_back(data: &Path, folders: &[&std::path::PathBuf]) {
    use std::os::unix::fs::MetadataExt as _;
    const ROOT: u32 = 0;
    let Ok(owner) = fs::metadata(data) else { return };
    if owner.uid() == ROOT || !rustix::process::geteuid().is_root() {
        return;
    }
    let mut failed = None;
    for folder in folders {
        each_below(folder, &mut |path| {
            let is_roots = fs::symlink_metadata(path).is_ok_and(|file| file.uid() == ROOT);
            if is_roots && let Err(error) = std::os::unix::fs::lchown(path, Some(owner.uid()), Some(owner.gid())) {
                failed = Some((path.to_owned(), error));
            }
        });
    }
    if let Some((path, error)) = failed {
        eprintln!("{} stays root's, so a server of another user may not write it: {error}", path.display());
    }
}

#[cfg(not(unix))]
pub fn give_back(_: &Path, _: &[&std::path::PathBuf]) {}

/// The first file or folder below that this user may not write.
#[cfg(unix)]
pub fn first_unwritable(folder: &Path) -> Option<std::path::PathBuf> {
    let mut found = None;
    each_below(folder, &mut |path| {
        // Where a link leads is somebody else's choice.
        let is_link = fs::symlink_metadata(path).is_ok_and(|file| file.is_symlink());
        if found.is_none() && !is_link && rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_err() {
            found = Some(path.to_owned());
        }
    });
    found
}

#[cfg(not(unix))]
pub fn first_unwritable(_: &Path) -> Option<std::path::PathBuf> {
    None
}

fn each_below(path: &Path, visit: &mut impl FnMut(&Path)) {
    visit(path);
    if !fs::symlink_metadata(path).is_ok_and(|file| file.is_dir()) {
        return;
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        each_below(&entry.path(), visit);
    }
}
