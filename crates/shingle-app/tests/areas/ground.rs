//! An installation beside a bucket with a release: two invented towns, far from each other.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use shingle_app::areas::{AreaError, AreaPlan, AreaRecord, AreaRequest, Areas, FoundArea, LoadOptions, LoadWatch};
use shingle_app::installation::{Installation, SettingFlags};
use shingle_domain::evidence::MatchLevel;
use shingle_domain::lookup::AddressInput;
use shingle_property::{Lookup, PropertyIndex, Reference};
use shingle_source::RequestSettings;
use shingle_testing::bucket::Bucket;
use shingle_testing::release::{Home, Layout, ReleaseFiles, description, town};
use tempfile::TempDir;

const BUILT_IN: &str = include_str!("../../../../assets/sources/overture.toml");
/// No pauses to speak of: what fails is asked for again at once.
const IMPATIENT: RequestSettings = RequestSettings {
    at_once: 8,
    attempts: 4,
    first_pause: Duration::from_millis(1),
    longest_pause: Duration::from_millis(20),
};

/// The license, and nothing else out of the ordinary.
pub const ACCEPTED: LoadOptions = LoadOptions { may_shrink: false, accepts_license: true };

pub struct Ground {
    pub folder: TempDir,
    pub bucket: Bucket,
    pub areas: Areas,
    pub context: Installation,
    pub homes: Vec<Home>,
}

impl Ground {
    pub fn new() -> Self {
        Self::with("egress_allow = '127.0.0.0/8'\negress_http = true\n")
    }

    pub fn with(settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("shingle.toml");
        std::fs::write(&config, settings).unwrap();
        let flags = SettingFlags { data: Some(folder.path().join("data")), ..SettingFlags::default() };
        let context = Installation::read(Some(&config), flags).unwrap();
        let bucket = Bucket::start().unwrap();
        let areas = Areas::open(&context).unwrap().with_requests(IMPATIENT);
        let homes = town("a", (-105.349, 40.025), 20, 30, ("80302", "Boulder", "CO"));
        let ground = Self { folder, bucket, areas, context, homes };
        ground.publish("2026-10-21.0", &ground.homes, |_| {});
        ground.describe(true);
        ground
    }

    /// A release with these homes near Boulder, in a row of groups some of which lie miles away, and a town in Maine.
    pub fn publish(&self, release: &str, homes: &[Home], change: impl Fn(&mut Layout)) {
        let mut layout = Layout::default();
        change(&mut layout);
        let mut files = ReleaseFiles::default();
        let mut near: Vec<Home> = homes.to_vec();
        near.extend(town("far", (-105.10, 40.20), 30, 40, ("80501", "Longmont", "CO")));
        files.add(release, &near, &layout).unwrap();
        files.add(release, &town("m", (-70.74, 43.09), 10, 10, ("03904", "Kittery", "ME")), &layout).unwrap();
        files.publish(&self.bucket, release).unwrap();
    }

    fn description_file(&self) -> PathBuf {
        let folder = self.context.settings.sources();
        std::fs::create_dir_all(&folder).unwrap();
        folder.join("overture.toml")
    }

    pub fn describe(&self, has_catalog: bool) {
        std::fs::write(self.description_file(), description(&self.bucket, BUILT_IN, has_catalog)).unwrap();
    }

    pub fn describe_text(&self, change: impl Fn(String) -> String) {
        let text = description(&self.bucket, BUILT_IN, true);
        std::fs::write(self.description_file(), change(text)).unwrap();
    }

    /// Another process on the same folder.
    pub fn other(&self) -> Areas {
        Areas::open(&self.context).unwrap().with_requests(IMPATIENT)
    }

    pub fn running<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(work)
    }

    pub fn found(&self, zip: &str, miles: f64) -> FoundArea {
        self.areas.find_place(&AreaRequest { places: vec![zip.to_owned()], miles: Some(miles) }).unwrap()
    }

    pub fn planned(&self, zip: &str, miles: f64) -> Result<AreaPlan, AreaError> {
        Self::running(self.areas.plan("overture", &self.found(zip, miles)))
    }

    pub fn load(&self, planned: AreaPlan) -> Result<AreaRecord, AreaError> {
        self.load_with(planned, ACCEPTED)
    }

    pub fn load_with(&self, planned: AreaPlan, options: LoadOptions) -> Result<AreaRecord, AreaError> {
        let circle = planned.plan.area.circles()[0];
        let zip = if circle.miles > 10.0 && circle.miles < 20.0 { "80301" } else { "80302" };
        let found = self.found(zip, circle.miles);
        let clock = self.context.clock.clone();
        let watch = Arc::new(LoadWatch::default());
        Self::running(self.areas.load(found, planned, options, watch, clock.as_ref()))
    }

    /// The licenses of its sources, and the ground that its roof covers, in square meters.
    pub fn roof(&self, line: &str) -> Option<(Vec<String>, f64)> {
        let index = PropertyIndex::open(&self.context.settings.property(), Reference::built_in()).unwrap();
        let Lookup::Found { evidence, .. } = index.lookup(&AddressInput::Line(line.to_owned())).unwrap() else {
            return None;
        };
        // A number between two others is a guess.
        if evidence.matched.level != MatchLevel::Exact {
            return None;
        }
        let place = evidence.place;
        let licences = place.sources.iter().filter_map(|source| source.licence.clone()).collect();
        let area = |ring: &[shingle_domain::evidence::Point]| shingle_domain::geometry::signed_area(ring).abs();
        let parts = place.buildings.iter().flat_map(|building| &building.outline.parts);
        Some((licences, parts.map(|part| area(&part.exterior)).sum()))
    }

    /// Of the column chunks that hold homes near Boulder: those of the first groups of each file.
    pub fn bytes_of_wanted_chunks(&self, record: &AreaRecord) -> u64 {
        let planned = Self::running(self.areas.plan("overture", &record.found)).unwrap();
        let groups = self.homes.len() / Layout::default().rows_of_group;
        let of_file = |file: &shingle_source::PlannedFile| {
            let groups = file.open.meta.row_groups()[..groups].iter();
            groups.map(|group| file.open.bytes_of(group)).sum::<u64>()
        };
        planned.plan.files.iter().map(of_file).sum()
    }

    /// Everything of the bucket in a folder.
    pub fn copied_to_folder(&self) -> PathBuf {
        let folder = self.folder.path().join("mirror");
        for path in self.bucket.paths() {
            let to = folder.join(&path);
            std::fs::create_dir_all(to.parent().unwrap_or(Path::new(""))).unwrap();
            std::fs::write(to, &*self.bucket.get(&path).unwrap()).unwrap();
        }
        folder
    }
}
