//! Processes of this program.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, Command};

pub struct Child {
    process: tokio::process::Child,
    input: ChildStdin,
    pub first_line: String,
}

impl Child {
    /// Returns when it has said that it is ready.
    pub async fn start(words: &[&str]) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut first_line = String::new();
        output.read_line(&mut first_line).await.unwrap();
        let input = process.stdin.take().unwrap();
        Self { process, input, first_line: first_line.trim().to_owned() }
    }

    pub async fn say(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// Ends its input and waits for it.
    pub async fn end(mut self) {
        drop(self.input);
        self.process.wait().await.unwrap();
    }
}

pub async fn line_of_input() {
    // Byte by byte: what follows is not for this reader.
    while matches!(tokio::io::stdin().read_u8().await, Ok(byte) if byte != b'\n') {}
}

pub async fn end_of_input() {
    while tokio::io::stdin().read_u8().await.is_ok() {}
}
