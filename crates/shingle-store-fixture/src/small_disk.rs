//! A disk that can be full.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file system of its own in memory, unmounted when it is dropped.
pub struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// `None` where this process may not mount; the test is then recorded as skipped.
    ///
    /// # Panics
    /// When there is no temporary folder.
    #[track_caller]
    pub fn mount(megabytes: u64) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "tmpfs"]).arg(folder.path());
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        if !mounted {
            shingle_testing::skip("a small file system cannot be mounted here (it needs root)");
        }
        mounted.then_some(Self(folder))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Takes all room there is.
    ///
    /// # Panics
    /// When not even an empty file can be made.
    pub fn fill(&self) {
        let mut filler = File::create(self.filler()).expect("an empty file");
        while filler.write_all(&[0; 4_096]).is_ok() {}
    }

    /// Gives the room back.
    ///
    /// # Panics
    /// When it was not filled.
    pub fn free(&self) {
        fs::remove_file(self.filler()).expect("what took the room");
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}
