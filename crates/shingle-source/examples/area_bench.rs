//! What an area costs, of a release of synthetic homes in a folder: `area_bench FOLDER ROWS` writes the release and
//! prints one line of JSON. `area_bench FOLDER 0 MILES` loads from a release that was written before, so that its memory
//! is that of a load alone: 14 miles hold three towns, 3,000 the whole release.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![allow(clippy::disallowed_methods, reason = "arguments, and the clock that it measures with")]

use std::path::Path;
use std::sync::Arc;

use parquet::column::reader::{ColumnReader, get_typed_column_reader};
use parquet::file::reader::{FileReader, SerializedFileReader};
use shingle_source::{Area, Circle, Client, FolderReader, LoadProgress, Plan, RequestSettings, Source, load};
use shingle_testing::release::{Layout, ReleaseFiles, town};

const BUILT_IN: &str = include_str!("../../../assets/sources/overture.toml");
const RELEASE: &str = "2026-11-18.0";
/// As many as a row group of the real files may have.
const ROWS_OF_GROUP: usize = 20_000;
const ROWS_OF_TOWN: usize = 10_000;
const TOWNS_OF_FILE: usize = 20;

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = words.next().unwrap();
    let folder = Path::new(&folder);
    match words.next().and_then(|rows| rows.parse::<usize>().ok()).unwrap_or(0) {
        0 => measure(folder, words.next().and_then(|miles| miles.parse().ok()).unwrap_or(14.0)),
        rows => write(folder, rows),
    }
}

/// Towns of ten thousand homes in a row from west to east, twenty in a file.
fn write(folder: &Path, rows: usize) {
    let mut files = ReleaseFiles::default();
    let layout = Layout { rows_of_group: ROWS_OF_GROUP, ..Layout::default() };
    for file in 0..rows.div_ceil(ROWS_OF_TOWN * TOWNS_OF_FILE) {
        let mut homes = Vec::new();
        for of_file in 0..TOWNS_OF_FILE {
            let number = file * TOWNS_OF_FILE + of_file;
            let at = (-120.0 + number as f64 * 0.2, 40.0);
            homes.extend(town(&format!("t{number}"), at, 100, ROWS_OF_TOWN / 100, ("80302", "Boulder", "CO")));
        }
        files.add(RELEASE, &homes, &layout).unwrap();
    }
    for (path, bytes) in files.into_files(RELEASE).unwrap() {
        let to = folder.join(path);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::write(to, bytes).unwrap();
    }
}

fn measure(folder: &Path, miles: f64) {
    let url = url::Url::from_directory_path(std::fs::canonicalize(folder).unwrap()).unwrap();
    let text: Vec<String> = BUILT_IN
        .lines()
        .map(|line| match line.split_once(" = ") {
            Some(("catalog", _)) => format!("catalog = \"{url}catalog.json\""),
            Some(("data", _)) => format!("data = \"{url}\""),
            _ => line.to_owned(),
        })
        .collect();
    let source = Source::from_toml("overture", &text.join("\n")).unwrap();
    let client = Client::new(Arc::new(FolderReader), RequestSettings::default());
    let area = Area::new(vec![Circle { latitude: 40.02, longitude: -118.78, miles }]);
    let to = folder.join("loaded");
    let _ = std::fs::remove_dir_all(&to);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let before = processor_time();
    let (plan, loaded) = runtime.block_on(async {
        let release = source.newest(&client).await.unwrap();
        let plan = Plan::make(&source, &client, release, &area).await.unwrap();
        let loaded = load(&source, &client, &plan, &to, &LoadProgress::default()).await.unwrap();
        (plan, loaded)
    });
    let ours = processor_time() - before;
    let (traffic, peak) = (client.traffic(), peak_memory());
    let before = processor_time();
    let plain_rows = read_plainly(&plan);
    let plain = processor_time() - before;
    println!(
        "{}",
        serde_json::json!({
            "rows": loaded.rows,
            "groups": plan.groups(),
            "requests": traffic.requests(),
            "bytes": traffic.bytes(),
            "plannedBytes": plan.bytes(),
            "keptBytes": loaded.bytes,
            "cpuSeconds": ours,
            "plainCpuSeconds": plain,
            "plainValues": plain_rows,
            "peakMib": peak,
        })
    );
}

/// The same columns of the same groups, read and thrown away.
fn read_plainly(plan: &Plan) -> usize {
    let mut read = 0;
    for file in &plan.files {
        let path = file.open.url.to_file_path().unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
        for group in &file.groups {
            let group = reader.get_row_group(*group).unwrap();
            let rows = usize::try_from(group.metadata().num_rows()).unwrap();
            for leaf in file.open.corners.iter().chain(&file.open.kept) {
                let (mut defined, mut repeated) = (Vec::new(), Vec::new());
                read += match group.get_column_reader(*leaf).unwrap() {
                    ColumnReader::FloatColumnReader(mut column) => {
                        column.read_records(rows, Some(&mut defined), Some(&mut repeated), &mut Vec::new()).unwrap().1
                    }
                    other => {
                        let mut column = get_typed_column_reader::<parquet::data_type::ByteArrayType>(other);
                        column.read_records(rows, Some(&mut defined), Some(&mut repeated), &mut Vec::new()).unwrap().1
                    }
                };
            }
        }
    }
    read
}

/// Seconds of all threads.
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() / 1_024
}
