//! A disk that fails: its file system lets nobody write any more.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An ext4 file system in a file, unmounted when it is dropped.
pub struct FailingDisk {
    folder: tempfile::TempDir,
    mounted: Vec<PathBuf>,
}

impl FailingDisk {
    /// `None` where this process may not mount, or the system cannot make such a disk; the test is then recorded as skipped.
    ///
    /// # Panics
    /// When there is no temporary folder.
    #[track_caller]
    pub fn mount(megabytes: u64) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut disk = Self { folder, mounted: Vec::new() };
        let image = disk.image();
        let file = fs::File::create(&image).expect("a file");
        file.set_len(megabytes << 20).expect("a file with a length");
        let made = succeeds(Command::new("mkfs.ext4").arg("-q").arg(&image));
        let mounted = made && disk.mount_image(&image, "disk") && disk.switch().is_some_and(|switch| switch.exists());
        if !mounted {
            shingle_testing::skip(
                "a disk that fails cannot be mounted here (it needs root, mkfs.ext4 and a loop device)",
            );
        }
        mounted.then_some(disk)
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    /// The file system finds an error in itself, as when a disk breaks, and takes no more writes. What is open stays open.
    ///
    /// # Panics
    /// When it does not.
    pub fn fail(&self) {
        fs::write(self.switch().expect("a mounted disk"), "a test").expect("an error of the file system");
    }

    /// What somebody finds on the disk who takes it out now and puts it into another machine.
    ///
    /// # Panics
    /// When it cannot be mounted any more.
    pub fn found_later(&mut self) -> PathBuf {
        let copy = self.folder.path().join("copy.img");
        fs::copy(self.image(), &copy).expect("a copy");
        // Broken is how it was marked.
        let _ = Command::new("e2fsck").args(["-fy"]).arg(&copy).output();
        assert!(self.mount_image(&copy, "copy"), "the disk is beyond use");
        self.folder.path().join("copy")
    }

    fn image(&self) -> PathBuf {
        self.folder.path().join("disk.img")
    }

    fn mount_image(&mut self, image: &Path, name: &str) -> bool {
        let at = self.folder.path().join(name);
        fs::create_dir(&at).expect("a folder");
        let mounted = succeeds(Command::new("mount").args(["-o", "loop,errors=remount-ro"]).arg(image).arg(&at));
        if mounted {
            self.mounted.push(at);
        }
        mounted
    }

    /// Where the system takes orders to find an error.
    fn switch(&self) -> Option<PathBuf> {
        let found = Command::new("findmnt").args(["-n", "-o", "SOURCE"]).arg(self.path()).output().ok()?;
        let device = String::from_utf8(found.stdout).ok()?;
        Some(Path::new("/sys/fs/ext4").join(Path::new(device.trim()).file_name()?).join("trigger_fs_error"))
    }
}

impl Drop for FailingDisk {
    fn drop(&mut self) {
        for at in &self.mounted {
            let _ = Command::new("umount").arg("-l").arg(at).status();
        }
    }
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
