//! `shingle area add|list|show|refresh|monthly|undo|remove`: the homes around a place, from a national source.

use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use serde::Serialize;
use shingle_app::areas::{
    AreaExtras, AreaLoad, AreaPhotos, AreaPlan, AreaRecord, AreaRequest, AreaStage, AreaSurvey, Areas, EXTRAS_PATIENCE,
    FoundArea, HeldRelease, HeldWhy, LoadOptions, LoadWatch, Phase, PhotoPlan, PlannedLayer, SurveyPlan,
};
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::operator_error::OperatorError;
use shingle_domain::aerial::PhotoDate;
use shingle_domain::message::Message;

use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;
use super::output::table;

#[derive(Debug, Subcommand)]
pub enum Area {
    /// Say what an area takes; with --yes load it
    Add(Add),
    /// List the areas
    List,
    /// Show an area: release, sizes, what was kept and why rows were not
    Show(Named),
    /// Take the newest release of the source
    Refresh(Refresh),
    /// Say whether areas are refreshed once a month while the server runs, or switch it
    Monthly(Monthly),
    /// Take back the last load: the release before is used again
    Undo(Named),
    /// Remove an area and its homes
    Remove(Named),
}

#[derive(Debug, Args)]
pub struct Add {
    /// ZIPs, or a town or county with its state: 80302; 80302 80303; "Boulder, CO"; "Boulder County, CO"
    #[arg(required = true, value_name = "PLACE")]
    places: Vec<String>,
    /// So many miles around [default: about as far as the ZIP reaches]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    miles: Option<f64>,
    /// Measure roofs from the national laser survey too: area, pitch and facets, where the survey has points
    #[arg(long)]
    survey: bool,
    /// Show photos from the air too, from the national service: USDA, public domain
    #[arg(long)]
    photos: bool,
    /// Accept the source's license and load
    #[arg(long)]
    yes: bool,
    /// Load even if the area loses more than a fifth of its homes
    #[arg(long)]
    allow_shrink: bool,
    #[arg(long, value_name = "NAME", default_value = "overture", help = SOURCE_HELP)]
    source: String,
}

const SOURCE_HELP: &str = "Where the homes come from; a file sources/NAME.toml in the data folder describes a mirror";

#[derive(Debug, Args)]
pub struct Named {
    /// A name from `area list`, such as area-80302 or 80302
    name: String,
}

#[derive(Debug, Args)]
pub struct Refresh {
    /// A name from `area list`; all areas unless given
    name: Option<String>,
    /// Only say whether there is a newer release
    #[arg(long)]
    check: bool,
    /// Take a release with fewer than four fifths of the homes too
    #[arg(long)]
    allow_shrink: bool,
    /// Accept the source's license, where it has changed
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, Args)]
pub struct Monthly {
    /// Unless given, nothing changes
    switch: Option<Switch>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Switch {
    On,
    Off,
}

#[derive(Debug, Serialize)]
struct MonthlyView {
    monthly: bool,
}

/// What an area takes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PlanView {
    name: String,
    title: String,
    source: String,
    release: String,
    layers: Vec<PlannedLayer>,
    files: usize,
    files_looked_at: u64,
    /// At most.
    download_bytes: u64,
    disk_bytes_about: u64,
    /// The source has no catalog, so the end of each of its files was read.
    is_listed: bool,
    license: LicenseView,
    /// Null where roofs are not to be measured.
    survey: Option<SurveyView>,
    /// Null where photographs are not to be loaded.
    photos: Option<PhotosView>,
}

/// The photographs from the air of an area.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhotosView {
    title: Option<String>,
    /// The newest.
    taken: Option<PhotoDate>,
    /// At most.
    requests: u64,
    /// At most, about.
    download_bytes: u64,
    /// Why no photographs will be loaded.
    failed: Option<Message>,
}

impl PhotosView {
    fn new(planned: &Result<PhotoPlan, Message>) -> Self {
        match planned {
            Ok(plan) => Self {
                title: Some(plan.title.clone()),
                taken: Some(plan.taken),
                requests: plan.requests,
                download_bytes: plan.bytes,
                failed: None,
            },
            Err(why) => Self { title: None, taken: None, requests: 0, download_bytes: 0, failed: Some(why.clone()) },
        }
    }

    fn text(&self) -> String {
        match (&self.title, self.taken, &self.failed) {
            (Some(title), Some(taken), None) => format!(
                "photos from the air, {title} of {taken}: takes at most {} requests and about {} more",
                HumanCount(self.requests),
                HumanBytes(self.download_bytes)
            ),
            (_, _, Some(why)) => format!("photos will not be loaded: {why}"),
            _ => String::new(),
        }
    }
}

/// The laser survey that roofs are measured from.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SurveyView {
    name: Option<String>,
    year: Option<u16>,
    /// At most, about.
    download_bytes: u64,
    /// Why roofs will not be measured.
    failed: Option<Message>,
}

impl SurveyView {
    fn new(planned: &Result<SurveyPlan, Message>) -> Self {
        match planned {
            Ok(plan) => {
                Self { name: Some(plan.name.clone()), year: plan.year, download_bytes: plan.bytes, failed: None }
            }
            Err(why) => Self { name: None, year: None, download_bytes: 0, failed: Some(why.clone()) },
        }
    }

    fn text(&self) -> String {
        match (&self.name, &self.failed) {
            (Some(name), None) => format!(
                "roofs measured from the laser survey {}: takes at most about {} more",
                named(name, self.year),
                HumanBytes(self.download_bytes)
            ),
            (_, Some(why)) => format!("roofs will not be measured: {why}"),
            (None, None) => String::new(),
        }
    }
}

/// A survey, with the year of its flight where its name says it.
fn named(name: &str, year: Option<u16>) -> String {
    match year {
        Some(year) => format!("{name} ({year})"),
        None => name.to_owned(),
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LicenseView {
    name: String,
    url: String,
    attribution: String,
    terms: String,
    accepted: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Added {
    plan: PlanView,
    /// Null until the license is accepted.
    area: Option<AreaRecord>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Refreshed {
    name: String,
    before: Option<String>,
    newest: String,
    is_newer: bool,
    /// Null where nothing was loaded.
    area: Option<AreaRecord>,
}

impl PlanView {
    fn new(found: &FoundArea, planned: &AreaPlan, accepted: bool) -> Self {
        let license = &planned.source.license;
        Self {
            name: found.name.clone(),
            title: found.title.clone(),
            source: planned.source.title.clone(),
            release: planned.plan.release.to_string(),
            layers: planned.layers(),
            files: planned.plan.files.len(),
            files_looked_at: planned.plan.files_looked_at,
            download_bytes: planned.plan.bytes(),
            disk_bytes_about: planned.plan.kept_about(),
            is_listed: planned.plan.is_listed,
            license: LicenseView {
                name: license.name.clone(),
                url: license.url.clone(),
                attribution: license.attribution.clone(),
                terms: license.terms.clone(),
                accepted,
            },
            survey: planned.survey.as_ref().map(SurveyView::new),
            photos: planned.photos.as_ref().map(PhotosView::new),
        }
    }

    fn text(&self) -> String {
        let rows = self.layers.iter().map(|l| format!("{} {}", HumanCount(l.rows_about), plural(&l.layer)));
        let mut lines = vec![
            format!("{}: {}, release {}", self.title, self.source, self.release),
            format!(
                "about {}; at most {} to download, about {} on disk",
                rows.collect::<Vec<_>>().join(", "),
                HumanBytes(self.download_bytes),
                HumanBytes(self.disk_bytes_about)
            ),
        ];
        if self.is_listed {
            lines.push(format!(
                "The source has no catalog: the ends of {} files were read to find {}.",
                self.files_looked_at, self.files
            ));
        }
        lines.extend(self.survey.as_ref().map(SurveyView::text));
        lines.extend(self.photos.as_ref().map(PhotosView::text));
        let license = &self.license;
        lines.push(format!("license: {} ({})", license.name, license.url));
        lines.push(format!("  {}", license.terms));
        lines.push(format!("  shown with every answer: {}", license.attribution));
        lines.join("\n")
    }
}

fn plural(layer: &str) -> String {
    if layer.ends_with('s') { format!("{layer}es") } else { format!("{layer}s") }
}

impl Area {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        let areas = Arc::new(Areas::open(&context)?);
        match self {
            Self::Add(add) => block_on(add.run(&context, &areas, output)),
            Self::List => output.print(&areas.list(), |list| list_text(list, areas.monthly())),
            Self::Show(named) => output.print(&areas.find(&named.name)?, show_text),
            Self::Refresh(refresh) => block_on(refresh.run(&context, &areas, output)),
            Self::Monthly(monthly) => monthly.run(&areas, output),
            Self::Undo(named) => output.print(&areas.undo(&named.name)?, show_text),
            Self::Remove(named) => output.print(&areas.remove(&named.name)?, |removed| {
                format!("{} is removed: its homes are not found any more.", removed.found.name)
            }),
        }
    }
}

impl Monthly {
    fn run(self, areas: &Areas, output: Output) -> Result<(), OperatorError> {
        if let Some(switch) = self.switch {
            areas.set_monthly(matches!(switch, Switch::On))?;
        }
        output.print(&MonthlyView { monthly: areas.monthly() }, |view| monthly_text(view.monthly).to_owned())
    }
}

impl Add {
    async fn run(self, context: &Installation, areas: &Arc<Areas>, output: Output) -> Result<(), OperatorError> {
        let found = areas.find_place(&AreaRequest { places: self.places, miles: self.miles })?;
        let mut planned = areas.plan(&self.source, &found).await?;
        let extras = AreaExtras { survey: self.survey, photos: self.photos };
        areas.plan_extras(&mut planned, extras, EXTRAS_PATIENCE).await;
        let plan = PlanView::new(&found, &planned, self.yes);
        if !self.yes {
            return output.print(&Added { plan, area: None }, |added| {
                format!("{}\nNothing was loaded. Add --yes to accept the license and load it.", added.plan.text())
            });
        }
        if !output.is_json() {
            output.print_text(&plan.text())?;
        }
        let options = LoadOptions { may_shrink: self.allow_shrink, accepts_license: true };
        let record = load(context, areas, (found, planned), options, output).await?;
        output.print(&Added { plan, area: Some(record) }, |added| {
            added.area.as_ref().map_or_else(String::new, loaded_text)
        })
    }
}

impl Refresh {
    async fn run(self, context: &Installation, areas: &Arc<Areas>, output: Output) -> Result<(), OperatorError> {
        let wanted = match &self.name {
            Some(name) => vec![areas.find(name)?],
            None => areas.list(),
        };
        let mut done = Vec::new();
        for record in wanted {
            done.push(self.one(context, areas, record, output).await?);
        }
        output.print(&done, |done| match done.is_empty() {
            true => "There are no areas yet: shingle area add ZIP --miles N".to_owned(),
            false => done.iter().map(refreshed_text).collect::<Vec<_>>().join("\n\n"),
        })
    }

    async fn one(
        &self,
        context: &Installation,
        areas: &Arc<Areas>,
        record: AreaRecord,
        output: Output,
    ) -> Result<Refreshed, OperatorError> {
        let newest = areas.newest(&record.source).await?;
        let before = record.current.as_ref().map(|load| load.release.clone());
        let is_newer = before.as_ref() != Some(&newest);
        let mut refreshed = Refreshed {
            name: record.found.name.clone(),
            before: before.map(|release| release.to_string()),
            newest: newest.to_string(),
            is_newer,
            area: None,
        };
        if is_newer && !self.check {
            let mut planned = areas.plan(&record.source, &record.found).await?;
            areas.plan_extras(&mut planned, record.extras, EXTRAS_PATIENCE).await;
            let options = LoadOptions { may_shrink: self.allow_shrink, accepts_license: self.yes };
            refreshed.area = Some(load(context, areas, (record.found, planned), options, output).await?);
        }
        Ok(refreshed)
    }
}

async fn load(
    context: &Installation,
    areas: &Arc<Areas>,
    (found, planned): (FoundArea, AreaPlan),
    options: LoadOptions,
    output: Output,
) -> Result<AreaRecord, OperatorError> {
    let watch = Arc::new(LoadWatch::default());
    let bar = output.shows_progress().then(|| LoadBar::new(planned.bytes()));
    let loading = areas.load(found, planned, options, watch.clone(), context.clock.as_ref());
    let mut loading = std::pin::pin!(loading);
    let mut stop = std::pin::pin!(tokio::signal::ctrl_c());
    let mut is_stopping = false;
    loop {
        tokio::select! {
            done = &mut loading => {
                if let Some(bar) = &bar {
                    bar.0.finish_and_clear();
                }
                return Ok(done?);
            }
            told = &mut stop, if !is_stopping => {
                is_stopping = true;
                if told.is_ok() {
                    watch.stop();
                }
            }
            () = tokio::time::sleep(Duration::from_millis(200)), if bar.is_some() => {
                if let Some(bar) = &bar {
                    bar.show(&watch);
                }
            }
        }
    }
}

/// A progress bar by bytes, then by the import's name.
struct LoadBar(ProgressBar);

impl LoadBar {
    fn new(bytes: u64) -> Self {
        let bar = ProgressBar::new(bytes);
        let style = ProgressStyle::with_template("{bar:30} {bytes} of {total_bytes}  {msg}  {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }

    fn show(&self, watch: &LoadWatch) {
        match watch.phase() {
            Phase::Loading => {
                self.0.set_position(watch.bytes());
                self.0.set_message(format!("{} rows", HumanCount(watch.progress.rows())));
            }
            Phase::Importing => {
                let style = ProgressStyle::with_template("{spinner} importing {msg}");
                self.0.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
                self.0.tick();
            }
        }
    }
}

fn loaded_text(record: &AreaRecord) -> String {
    let mut lines = vec![show_text(record)];
    if let Some(load) = record.current.as_ref().filter(|load| !load.homes.is_empty()) {
        lines.push("try:".to_owned());
        lines.extend(load.homes.iter().map(|home| format!("  shingle lookup \"{home}\"")));
    }
    lines.join("\n")
}

fn stage_text(record: &AreaRecord) -> String {
    match (&record.stage, &record.current) {
        (AreaStage::Ready, _) => "ready".to_owned(),
        (AreaStage::Working, None) => "loading, or cut off: start it again".to_owned(),
        (AreaStage::Working, Some(_)) => "refreshing, or cut off: start it again".to_owned(),
        (AreaStage::Failed { said }, None) => format!("not loaded: {said}"),
        (AreaStage::Failed { said }, Some(_)) => format!("kept as it was: {said}"),
    }
}

fn monthly_text(monthly: bool) -> &'static str {
    match monthly {
        true => "Areas are refreshed once a month while the server runs.",
        false => "Areas are refreshed when you say so. Switch it with `shingle area monthly on`.",
    }
}

fn list_text(list: &[AreaRecord], monthly: bool) -> String {
    if list.is_empty() {
        return "There are no areas yet: shingle area add ZIP --miles N".to_owned();
    }
    let row = |record: &AreaRecord| {
        let of = |value: fn(&AreaLoad) -> String| record.current.as_ref().map(value).unwrap_or_default();
        [
            record.found.name.clone(),
            record.found.title.clone(),
            of(|load| load.release.to_string()),
            of(|load| HumanCount(load.rows.places).to_string()),
            of(|load| HumanBytes(load.disk_bytes).to_string()),
            of(|load| load.survey.as_ref().map(measured_in_short).unwrap_or_default()),
            of(|load| load.photos.as_ref().map(photos_in_short).unwrap_or_default()),
            stage_text(record),
        ]
    };
    let rows: Vec<[String; 8]> = list.iter().map(row).collect();
    let table = table(["AREA", "WHERE", "RELEASE", "HOMES", "ON DISK", "ROOFS MEASURED", "PHOTOS", "STATE"], &rows);
    format!("{table}\n{}", monthly_text(monthly))
}

/// `412 of 430`
fn measured_in_short(survey: &AreaSurvey) -> String {
    match survey.failed {
        Some(_) => "none".to_owned(),
        None => format!("{} of {}", HumanCount(survey.roofs), HumanCount(survey.outlines)),
    }
}

/// `2023-07, 2021`
fn photos_in_short(photos: &AreaPhotos) -> String {
    match photos.failed {
        Some(_) => "none".to_owned(),
        None => photos.taken.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn photos_text(photos: &AreaPhotos) -> Vec<String> {
    if let Some(why) = &photos.failed {
        return vec![format!("photos not loaded: {why}")];
    }
    let mut lines = vec![format!(
        "photos from the air of {}: {} files, {}",
        photos_in_short(photos),
        HumanCount(photos.pictures),
        HumanBytes(photos.bytes)
    )];
    let left_out = [
        (photos.blank, "show nothing"),
        (photos.missing, "did not come"),
        (photos.undated, "have no photo of one date"),
        (photos.beyond, "are beyond the megabytes of an area (most_megabytes in sources/usgs-naip.toml)"),
        (photos.too_far, "lie too far off the outlines and are not shown"),
    ];
    let named = left_out.into_iter().filter(|(count, _)| *count > 0);
    lines.extend(named.map(|(count, why)| format!("  {} {why}", HumanCount(count))));
    lines
}

fn survey_text(survey: &AreaSurvey) -> Vec<String> {
    if let Some(why) = &survey.failed {
        return vec![format!("roofs not measured: {why}")];
    }
    let name = named(survey.name.as_deref().unwrap_or_default(), survey.year);
    let mut lines = vec![format!("roofs measured from the survey {name}: {}", measured_in_short(survey))];
    lines.extend(survey.reasons.iter().map(|(why, count)| format!("  {}: {why}", HumanCount(*count))));
    if survey.missing > 0 {
        lines.push(format!("  the survey lacks {} of its files here: some roofs have fewer points", survey.missing));
    }
    lines
}

fn show_text(record: &AreaRecord) -> String {
    let mut lines = vec![
        format!("{}: {}", record.found.name, record.found.title),
        format!("state: {}", stage_text(record)),
        format!("source: {}, license accepted {}: {}", record.source, record.accepted_at, record.license),
    ];
    if let Some(load) = &record.current {
        lines.push(format!("release {}, loaded {}", load.release, load.at));
        lines.push(format!(
            "{} in {} requests ({} repeated); {} on disk",
            HumanBytes(load.bytes),
            load.requests,
            load.repeated,
            HumanBytes(load.disk_bytes)
        ));
        lines.extend(load.survey.iter().flat_map(survey_text));
        lines.extend(load.photos.iter().flat_map(photos_text));
        if load.is_listed {
            lines.push("the source had no catalog: its folders were listed".to_owned());
        }
        for layer in &load.layers {
            lines.push(match &layer.changes {
                None => format!("{}: {} rows", layer.layer, HumanCount(layer.rows)),
                Some(c) => format!(
                    "{}: {} rows; {} new, {} gone, {} moved, {} changed",
                    layer.layer,
                    HumanCount(layer.rows),
                    HumanCount(c.new),
                    HumanCount(c.gone),
                    HumanCount(c.moved),
                    HumanCount(c.changed)
                ),
            });
        }
        let rows = &load.rows;
        lines.push(format!(
            "{} homes from {} rows; {} addresses have an outline; {} rejected, {} duplicates, {} skipped",
            HumanCount(rows.places),
            HumanCount(rows.read),
            HumanCount(rows.with_outline),
            HumanCount(rows.rejected),
            HumanCount(rows.duplicates),
            HumanCount(rows.skipped)
        ));
        lines.extend(rows.reasons.iter().map(|(reason, n)| format!("  {n:>9}  {reason}")));
        lines.extend(rows.notes.iter().map(|note| format!("note: {note}")));
    }
    if let Some(held) = &record.held {
        lines.push(held_text(held, &record.found.name));
    }
    if let Some(checked) = &record.checked {
        let failed = checked.failed.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        lines.push(format!("source last asked {}{failed}", checked.at));
    }
    if let Some(previous) = &record.previous {
        lines
            .push(format!("before: release {}, back with `shingle area undo {}`", previous.release, record.found.name));
    }
    lines.join("\n")
}

fn held_text(held: &HeldRelease, name: &str) -> String {
    let HeldRelease { release, why } = held;
    let flag = match why {
        HeldWhy::Shrinks { .. } => " --allow-shrink",
        HeldWhy::License { .. } => " --yes",
        HeldWhy::TakenBack => "",
    };
    format!("release {release} waits, because {why}; take it with `shingle area refresh {name}{flag}`")
}

fn refreshed_text(refreshed: &Refreshed) -> String {
    match (&refreshed.area, refreshed.is_newer) {
        (Some(record), _) => show_text(record),
        (None, true) => format!("{}: release {} is there", refreshed.name, refreshed.newest),
        (None, false) => format!("{}: release {} is the newest", refreshed.name, refreshed.newest),
    }
}
