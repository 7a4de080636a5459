//! The image for container engines: an OCI layout in a tar file, with one image for each processor.
//!
//! `docker load`, `podman load` and `skopeo copy oci-archive:…` read it. Engines that know no index take the first one
//! by `manifest.json`, as `docker save` writes it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::Compression;
use serde_json::{Value, json};

use super::archive::{Archive, Owner, ROOT, gzip};
use super::edition::Edition;
use super::sums;
use super::target::{Given, Target};

/// As other images without a shell number their user.
const USER: Owner = Owner(65_532);
const DATA: &str = "var/lib/shingle";
const PASSWD: &str =
    "root:x:0:0:root:/root:/sbin/nologin\nshingle:x:65532:65532:shingle:/var/lib/shingle:/sbin/nologin\n";
const GROUP: &str = "root:x:0:\nshingle:x:65532:\n";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const SECOND: u64 = 1_000_000_000;

/// Content by its digest, as the layout stores it.
#[derive(Default)]
struct Blobs(BTreeMap<String, Vec<u8>>);

impl Blobs {
    /// What refers to the content elsewhere.
    fn put(&mut self, media: &str, content: Vec<u8>) -> Value {
        let (digest, size) = (sums::of(&content), content.len());
        let descriptor = json!({ "mediaType": media, "digest": format!("sha256:{digest}"), "size": size });
        self.0.insert(digest, content);
        descriptor
    }

    fn put_json(&mut self, media: &str, content: &Value) -> Result<Value> {
        Ok(self.put(media, serde_json::to_vec(content)?))
    }
}

/// One layer: its digest before compression, which the configuration names, and its descriptor.
struct Layer {
    content: String,
    descriptor: Value,
}

pub fn write(edition: &Edition<'_>, programs: &[Given], output: &Path) -> Result<PathBuf> {
    write_packed(edition, programs, Compression::best(), output)
}

pub fn write_packed(edition: &Edition<'_>, programs: &[Given], level: Compression, output: &Path) -> Result<PathBuf> {
    let mut blobs = Blobs::default();
    let (mut images, mut first) = (Vec::new(), None);
    for given in programs {
        let system = layer(&mut blobs, &system_files(edition)?, level)?;
        let program = layer(&mut blobs, &program_files(edition, given)?, level)?;
        let layers = [system, program];
        let config = blobs.put_json(CONFIG, &configuration(edition, given.target, &layers))?;
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": config,
            "layers": layers.iter().map(|layer| &layer.descriptor).collect::<Vec<_>>(),
        });
        let mut image = blobs.put_json(MANIFEST, &manifest)?;
        image["platform"] = json!({ "architecture": given.target.debian(), "os": "linux" });
        images.push(image);
        first.get_or_insert(manifest);
    }
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": images });
    let mut named = blobs.put_json(INDEX, &index)?;
    let name = format!("shingle:{}", edition.version);
    named["annotations"] = json!({
        "org.opencontainers.image.ref.name": edition.version,
        "io.containerd.image.name": format!("docker.io/library/{name}"),
    });
    let top = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": [named] });
    let first = first.context("an image needs a program")?;
    let layers = first["layers"].as_array().into_iter().flatten().map(|layer| path_of(&layer["digest"]));
    let saved = json!([{
        "Config": path_of(&first["config"]["digest"])?,
        "RepoTags": [name],
        "Layers": layers.collect::<Result<Vec<_>>>()?,
    }]);

    let place = output.join(format!("shingle-{}-image.tar", edition.version));
    let to = File::create(&place).with_context(|| place.display().to_string())?;
    let mut archive = Archive::new(to, edition.time);
    archive.file("oci-layout", 0o644, br#"{"imageLayoutVersion":"1.0.0"}"#)?;
    archive.file("index.json", 0o644, &serde_json::to_vec(&top)?)?;
    archive.file("manifest.json", 0o644, &serde_json::to_vec(&saved)?)?;
    archive.folder("blobs", 0o755, ROOT)?;
    archive.folder("blobs/sha256", 0o755, ROOT)?;
    for (digest, content) in &blobs.0 {
        archive.file(&format!("blobs/sha256/{digest}"), 0o644, content)?;
    }
    archive.finish()?;
    Ok(place)
}

/// Where the layout keeps the content of a digest.
pub fn path_of(digest: &Value) -> Result<String> {
    let digest = digest.as_str().and_then(|digest| digest.strip_prefix("sha256:")).context("no digest")?;
    Ok(format!("blobs/sha256/{digest}"))
}

fn layer(blobs: &mut Blobs, content: &[u8], level: Compression) -> Result<Layer> {
    let mut packed = gzip(Vec::new(), level);
    std::io::Write::write_all(&mut packed, content)?;
    let descriptor = blobs.put(LAYER, packed.finish()?);
    Ok(Layer { content: format!("sha256:{}", sums::of(content)), descriptor })
}

/// What a program expects of a system: a user, a folder for drafts, one for data. The same in every edition.
fn system_files(edition: &Edition<'_>) -> Result<Vec<u8>> {
    let mut archive = Archive::new(Vec::new(), edition.time);
    archive.folder("etc", 0o755, ROOT)?;
    archive.file("etc/group", 0o644, GROUP.as_bytes())?;
    archive.file("etc/nsswitch.conf", 0o644, b"hosts: files dns\n")?;
    archive.file("etc/passwd", 0o644, PASSWD.as_bytes())?;
    archive.folder("tmp", 0o1777, ROOT)?;
    archive.folder("var", 0o755, ROOT)?;
    archive.folder("var/lib", 0o755, ROOT)?;
    archive.folder(DATA, 0o750, USER)?;
    archive.finish()
}

fn program_files(edition: &Edition<'_>, given: &Given) -> Result<Vec<u8>> {
    let mut archive = Archive::new(Vec::new(), edition.time);
    for folder in ["usr", "usr/bin"] {
        archive.folder(folder, 0o755, ROOT)?;
    }
    let program = fs::read(&given.file).with_context(|| given.file.display().to_string())?;
    archive.file("usr/bin/shingle", 0o755, &program)?;
    for folder in ["usr/share", "usr/share/doc", "usr/share/doc/shingle"] {
        archive.folder(folder, 0o755, ROOT)?;
    }
    let license = fs::read(edition.workspace.root.join("LICENSE")).context("LICENSE")?;
    archive.file("usr/share/doc/shingle/copyright", 0o644, &license)?;
    archive.finish()
}

fn configuration(edition: &Edition<'_>, target: Target, layers: &[Layer]) -> Value {
    let time = &edition.time_text;
    let content: Vec<_> = layers.iter().map(|layer| &layer.content).collect();
    json!({
        "architecture": target.debian(),
        "os": "linux",
        "created": time,
        "config": {
            "User": format!("{0}:{0}", USER.0),
            "ExposedPorts": { "8080/tcp": {} },
            "Env": [
                "PATH=/usr/bin",
                format!("SHINGLE_DATA=/{DATA}"),
                "SHINGLE_LISTEN=0.0.0.0:8080",
            ],
            "Entrypoint": ["/usr/bin/shingle"],
            "Cmd": ["serve"],
            "Volumes": { format!("/{DATA}"): {} },
            "WorkingDir": format!("/{DATA}"),
            "StopSignal": "SIGTERM",
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/shingle", "health"],
                "Interval": 30 * SECOND,
                "Timeout": 6 * SECOND,
                "StartPeriod": 30 * SECOND,
                "Retries": 3,
            },
            "Labels": {
                "org.opencontainers.image.title": "shingle",
                "org.opencontainers.image.description": "Roof estimates on a contractor's site, on your own machine",
                "org.opencontainers.image.licenses": "MIT",
                "org.opencontainers.image.version": edition.version,
                "org.opencontainers.image.revision": edition.commit,
                "org.opencontainers.image.created": time,
            },
        },
        "rootfs": { "type": "layers", "diff_ids": content },
        "history": [
            { "created": time, "created_by": "shingle: system files" },
            { "created": time, "created_by": "shingle: program" },
        ],
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::io::Read as _;

    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn an_image_names_each_processor_and_all_that_it_names_is_there_and_is_what_its_digest_says() {
        let workspace = Workspace::find().unwrap();
        let edition = Edition {
            workspace: &workspace,
            version: "1.2.3".to_owned(),
            time: 1_700_000_000,
            time_text: "2023-11-14T22:13:20Z".to_owned(),
            commit: "abc".to_owned(),
        };
        let folder = std::env::temp_dir().join(format!("shingle-image-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let program = folder.join("program");
        fs::write(&program, "runs").unwrap();
        let programs = [Target::X86, Target::Arm].map(|target| Given { target, file: program.clone() });
        let made = || fs::read(write_packed(&edition, &programs, Compression::fast(), &folder).unwrap()).unwrap();
        let bytes = made();
        assert_eq!(bytes, made());
        fs::remove_dir_all(&folder).unwrap();

        let mut files = HashMap::new();
        for entry in tar::Archive::new(bytes.as_slice()).entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            files.insert(entry.path().unwrap().display().to_string(), content);
        }
        let json = |path: &str| serde_json::from_slice::<Value>(&files[path]).unwrap();
        let named = |descriptor: &Value| {
            let path = path_of(&descriptor["digest"]).unwrap();
            assert_eq!(format!("sha256:{}", sums::of(&files[&path])), descriptor["digest"]);
            assert_eq!(files[&path].len(), descriptor["size"].as_u64().unwrap() as usize);
            path
        };
        let index = json(&named(&json("index.json")["manifests"][0]));
        let images = index["manifests"].as_array().unwrap();
        let processors: Vec<_> = images.iter().map(|image| &image["platform"]["architecture"]).collect();
        assert_eq!(processors, ["amd64", "arm64"]);
        for image in images {
            let manifest = json(&named(image));
            let config = json(&named(&manifest["config"]));
            assert_eq!(config["architecture"], image["platform"]["architecture"]);
            assert_eq!(config["config"]["User"], "65532:65532");
            assert_eq!(config["created"], "2023-11-14T22:13:20Z");
            let layers = manifest["layers"].as_array().unwrap();
            for (layer, digest) in layers.iter().zip(config["rootfs"]["diff_ids"].as_array().unwrap()) {
                let mut content = Vec::new();
                let packed = &files[&named(layer)];
                flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut content).unwrap();
                assert_eq!(format!("sha256:{}", sums::of(&content)), *digest);
            }
        }
        let saved = json("manifest.json");
        for path in saved[0]["Layers"].as_array().unwrap().iter().chain([&saved[0]["Config"]]) {
            assert!(files.contains_key(path.as_str().unwrap()), "{path}");
        }
    }
}
