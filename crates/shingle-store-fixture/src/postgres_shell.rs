//! A shell that keeps servers of PostgreSQL, as a user who may run them.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// It runs a script that waits for the end of its input, which comes when this process ends, however it ends. Then the script
/// stops the servers and removes their folder.
pub struct PostgresShell {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl PostgresShell {
    /// `$1` of the script is the folder of PostgreSQL's programs. Returns the first line that it says: its folder.
    ///
    /// # Panics
    /// When the servers do not start.
    pub fn start(script: &str, programs: &Path, arguments: &[&str]) -> (Self, String) {
        // PostgreSQL will not run as root.
        let mut command = if user_id(None).as_deref() == Some("0") {
            let user = if user_id(Some("postgres")).is_some() { "postgres" } else { "nobody" };
            let mut command = Command::new("runuser");
            command.args(["-u", user, "--", "sh"]);
            command
        } else {
            Command::new("sh")
        };
        command.args(["-c", script, "keeper"]).arg(programs).args(arguments).current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("a shell to keep PostgreSQL");
        let mut shell = Self { answers: BufReader::new(process.stdout.take().expect("a pipe from it")), process };
        let folder = shell.answer();
        assert!(!folder.is_empty(), "PostgreSQL did not start; its messages are above");
        (shell, folder)
    }

    /// Has it done; what it says besides the word.
    ///
    /// # Panics
    /// When it is not done.
    pub fn tell(&mut self, word: &str) -> String {
        let input = self.process.stdin.as_mut().expect("a pipe to it");
        writeln!(input, "{word}").expect("a keeper that reads");
        let answer = self.answer();
        let rest = answer.strip_prefix(word).unwrap_or_else(|| panic!("PostgreSQL did not {word}: {answer}"));
        rest.trim_start().to_owned()
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        // Nothing comes from a shell that has ended.
        let _ = self.answers.read_line(&mut line);
        line.trim_end().to_owned()
    }
}

impl Drop for PostgresShell {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// The folder with all of these programs of PostgreSQL: on the path, or where Debian keeps them, newest first.
pub fn folder_with(programs: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).collect::<Vec<_>>();
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        let mut versions = versions.flatten().map(|v| v.path().join("bin")).collect::<Vec<_>>();
        versions.sort();
        folders.extend(versions.into_iter().rev());
    }
    folders.into_iter().find(|folder| programs.iter().all(|program| folder.join(program).is_file()))
}

/// What `id -u` says: of a user, or of this process.
fn user_id(name: Option<&str>) -> Option<String> {
    let output = Command::new("id").arg("-u").args(name).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
