//! Whose the files are that commands make.

use std::path::Path;

use super::{json, shingle};

/// Every file and folder below, with who may do what and whose it is.
fn owned(folder: &Path) -> Vec<(std::path::PathBuf, u32, u32)> {
    use std::os::unix::fs::MetadataExt as _;
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let file = std::fs::symlink_metadata(&path).unwrap();
            found.push((path.clone(), file.mode() & 0o777, file.uid()));
            if file.is_dir() {
                folders.push(path);
            }
        }
    }
    found
}

#[test]
fn what_is_made_is_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let account = json(data, &["account", "create", "--name", "Oak Roofing"])["id"].as_str().unwrap().to_owned();
    json(data, &["widget", "create", "--account", &account, "--url", "https://www.oak.example.com"]);
    let made = owned(data);
    for name in ["shingle.db", "secret", "storage"] {
        assert!(made.iter().any(|(path, ..)| path.ends_with(format!("kept/{name}"))), "{name}: {made:?}");
    }
    for (path, mode, _) in made {
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
    }
}

/// A command of root beside a server of another user.
#[cfg(target_os = "linux")]
#[test]
fn what_root_makes_belongs_to_whose_the_data_folder_is() {
    const NOBODY: u32 = 65_534;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let kept = data.join("kept");
    std::fs::create_dir(&kept).unwrap();
    if std::os::unix::fs::chown(&kept, Some(NOBODY), Some(NOBODY)).is_err() {
        return shingle_testing::skip("only root gives files to others");
    }
    let account = json(data, &["account", "create", "--name", "Oak Roofing"])["id"].as_str().unwrap().to_owned();
    json(data, &["widget", "create", "--account", &account, "--url", "https://www.oak.example.com"]);
    json(data, &["key", "issue", "--account", &account, "--env", "sandbox"]);
    let made = owned(&kept);
    assert!(made.len() > 3, "{made:?}");
    for (path, _, owner) in made {
        assert_eq!(owner, NOBODY, "{}", path.display());
    }
    assert!(String::from_utf8(shingle(data, &["doctor"]).stdout).unwrap().contains("file owners"));
}
