//! What a release is built for, and what each kind of package calls it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    #[value(name = "x86_64-unknown-linux-musl")]
    X86,
    #[value(name = "aarch64-unknown-linux-musl")]
    Arm,
}

impl Target {
    pub fn or_all(chosen: Vec<Self>) -> Vec<Self> {
        if chosen.is_empty() { Self::value_variants().to_vec() } else { chosen }
    }

    pub fn triple(self) -> &'static str {
        match self {
            Self::X86 => "x86_64-unknown-linux-musl",
            Self::Arm => "aarch64-unknown-linux-musl",
        }
    }

    /// Of Debian and of images.
    pub fn debian(self) -> &'static str {
        match self {
            Self::X86 => "amd64",
            Self::Arm => "arm64",
        }
    }

    pub fn rpm(self) -> &'static str {
        match self {
            Self::X86 => "x86_64",
            Self::Arm => "aarch64",
        }
    }
}

/// A program that is built already.
#[derive(Debug, Clone)]
pub struct Given {
    pub target: Target,
    pub file: PathBuf,
}

impl FromStr for Given {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (target, file) = text.split_once('=').context("write it like x86_64-unknown-linux-musl=FILE")?;
        let target = Target::from_str(target, false).map_err(|_| anyhow!("`{target}` is not a target of releases"))?;
        Ok(Self { target, file: file.into() })
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.target.triple(), self.file.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_named_with_its_target() {
        let text = "aarch64-unknown-linux-musl=some/shingle";
        let given: Given = text.parse().unwrap();
        assert_eq!((given.target, given.to_string().as_str()), (Target::Arm, text));
        assert!("some/shingle".parse::<Given>().is_err());
        assert!("mips=some/shingle".parse::<Given>().unwrap_err().to_string().contains("mips"));
    }
}
