//! Where things are in this checkout, and which packages it is made of.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::command::{cargo, read};

pub struct Workspace {
    pub root: PathBuf,
    /// Cargo's target folder: `target`, or what the environment says.
    pub target: PathBuf,
    packages: Vec<Package>,
}

/// The part of `cargo metadata` that is used here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: PathBuf,
    target_directory: PathBuf,
}

#[derive(Debug, Deserialize)]
pub struct Package {
    pub name: String,
    pub version: String,
    pub dependencies: Vec<Dependency>,
    manifest_path: PathBuf,
}

#[derive(Debug, Deserialize)]
pub struct Dependency {
    pub name: String,
    /// `dev` and `build`; nothing for what the package itself is made of.
    pub kind: Option<String>,
    /// Of packages in this workspace.
    pub path: Option<PathBuf>,
}

impl Package {
    pub fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }
}

impl Workspace {
    pub fn find() -> Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
        let manifest = manifest.canonicalize().context("xtask runs inside its own checkout")?;
        let mut command = cargo();
        command.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]).arg(manifest);
        let metadata: Metadata = serde_json::from_str(&read(&mut command)?).context("cargo metadata")?;
        Ok(Self { root: metadata.workspace_root, target: metadata.target_directory, packages: metadata.packages })
    }

    pub fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// The version all packages share.
    pub fn version(&self) -> Result<&str> {
        let own = self.packages().iter().find(|p| p.name == env!("CARGO_PKG_NAME"));
        Ok(&own.context("the workspace has no xtask")?.version)
    }

    /// The finished browser runtime: what the server's build script embeds.
    pub fn runtime(&self) -> PathBuf {
        self.root.join("target/shingle-runtime")
    }

    /// A program of one profile.
    pub fn program(&self, name: &str, release: bool) -> PathBuf {
        let profile = if release { "release" } else { "debug" };
        self.target.join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// The folders of these packages and of all workspace packages they are made of.
    pub fn sources_of(&self, names: &[&str]) -> Vec<PathBuf> {
        let mut found: Vec<&Package> = Vec::new();
        let mut open: Vec<&str> = names.to_vec();
        while let Some(name) = open.pop() {
            let Some(package) = self.packages.iter().find(|p| p.name == name) else { continue };
            if found.iter().all(|known| known.name != package.name) {
                found.push(package);
                let own = package.dependencies.iter().filter(|d| d.path.is_some() && d.kind.as_deref() != Some("dev"));
                open.extend(own.map(|d| d.name.as_str()));
            }
        }
        found.iter().map(|package| package.folder().to_path_buf()).collect()
    }
}
