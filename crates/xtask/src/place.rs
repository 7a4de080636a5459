//! Where things are in this checkout.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cargo_metadata::{Metadata, MetadataCommand, Package};

pub struct Place {
    pub root: PathBuf,
    /// Cargo's target folder: `target`, or what the environment says.
    pub target: PathBuf,
    metadata: Metadata,
}

impl Place {
    pub fn find() -> Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
        let manifest = manifest.canonicalize().context("xtask runs inside its own checkout")?;
        let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec()?;
        Ok(Self {
            root: metadata.workspace_root.clone().into(),
            target: metadata.target_directory.clone().into(),
            metadata,
        })
    }

    pub fn packages(&self) -> &[Package] {
        &self.metadata.packages
    }

    /// The version all packages share.
    pub fn version(&self) -> Result<String> {
        let own = self.packages().iter().find(|p| p.name.as_str() == env!("CARGO_PKG_NAME"));
        Ok(own.context("the workspace has no workshop")?.version.to_string())
    }

    /// The finished browser runtime: what the server's build script embeds.
    pub fn runtime(&self) -> PathBuf {
        self.root.join("target/shingle-runtime")
    }

    /// The `shingle` binary of one profile.
    pub fn binary(&self, release: bool) -> PathBuf {
        let profile = if release { "release" } else { "debug" };
        self.target.join(profile).join(format!("shingle{}", std::env::consts::EXE_SUFFIX))
    }

    /// The folders of a package and of all workspace packages it is made of.
    pub fn made_of(&self, name: &str) -> Vec<PathBuf> {
        let mut names = vec![name.to_owned()];
        let mut at = 0;
        while let Some(next) = names.get(at).cloned() {
            let packages = self.packages().iter().filter(|p| p.name.as_str() == next);
            for dependency in packages.flat_map(|p| &p.dependencies).filter(|d| d.path.is_some()) {
                if !names.contains(&dependency.name) {
                    names.push(dependency.name.clone());
                }
            }
            at += 1;
        }
        let folder = |name: &String| {
            let package = self.packages().iter().find(|p| p.name.as_str() == name)?;
            package.manifest_path.parent().map(|folder| folder.as_std_path().to_path_buf())
        };
        names.iter().filter_map(folder).collect()
    }
}
