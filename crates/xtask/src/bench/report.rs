//! Samples of `bench widget` as tables and verdicts.

use std::fmt;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::median;

/// The columns, in this order; ours first, as it is when nothing is fetched before intent.
const COLUMNS: [(&str, &str); 6] = [
    ("nothing", "page alone"),
    (COLD, "shingle"),
    (WARMED, "sh. warmed"),
    (YARDSTICK, "typebot"),
    ("cal", "cal.com"),
    ("typeform", "typeform"),
];
const COLD: &str = "shingle";
const WARMED: &str = "shingle-warmed";
/// Everything is compared with this one's launcher.
const YARDSTICK: &str = "typebot";

/// Our dialog, from tap to a focused field, as a share of the time the yardstick needs for its launcher: by the clock
/// for a visitor whose browser has used an idle moment, by the processor for one who saves data too. What the latter
/// waits for beyond that is the connection, which is reported and not judged.
const SHARE: f64 = 0.45;
const LOADER_BYTES: f64 = 3_500.0;
/// Files fetched after intent, all side by side.
const FILES: f64 = 3.0;

/// One page load, as `tests/browser/bench/page-load.js` writes it; times in milliseconds.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    candidate: String,
    problems: Vec<String>,
    lcp: f64,
    shift: f64,
    blocking: f64,
    own_blocking: f64,
    before: Traffic,
    #[serde(flatten)]
    shown: Option<Shown>,
}

/// What only a page with an embed has.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    launcher: f64,
    launcher_used: f64,
    launcher_since_start: f64,
    usable: f64,
    usable_used: f64,
    first_frame: f64,
    delay: f64,
    shift_at_opening: f64,
    at_opening: Blocking,
    opened: Traffic,
}

#[derive(Debug, Clone, Deserialize)]
struct Blocking {
    count: f64,
    excess: f64,
}

#[derive(Debug, Clone, Deserialize)]
struct Traffic {
    requests: f64,
    bytes: f64,
    away: f64,
    #[serde(default)]
    files: f64,
    #[serde(default)]
    stages: f64,
}

#[derive(Debug, Serialize)]
pub struct Verdict {
    pub what: String,
    pub kept: bool,
}

/// What a row of the table shows of a sample, and what its ratios are of.
struct Row {
    name: &'static str,
    unit: Unit,
    of: fn(&Sample) -> Option<f64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Count,
    Bytes,
    Shift,
    Ms,
    /// Processor time.
    Work,
    /// What the page does on its own too.
    Host,
}

const fn row(name: &'static str, unit: Unit, of: fn(&Sample) -> Option<f64>) -> Row {
    Row { name, unit, of }
}

/// A figure of the part that the page alone lacks.
macro_rules! shown {
    ($($field:ident).+) => {
        |s| s.shown.as_ref().map(|shown| shown.$($field).+)
    };
}

const ROWS: [Row; 19] = [
    row("before intent: requests", Unit::Count, |s| Some(s.before.requests)),
    row("before intent: bytes", Unit::Bytes, |s| Some(s.before.bytes)),
    row("before intent: blocking", Unit::Work, |s| Some(s.blocking)),
    row("  of it the embed's", Unit::Work, |s| Some(s.own_blocking)),
    row("layout shift", Unit::Shift, |s| Some(s.shift)),
    row("host's largest paint", Unit::Host, |s| Some(s.lcp)),
    row("launcher painted", Unit::Ms, shown!(launcher)),
    row("  main thread, by processor", Unit::Work, shown!(launcher_used)),
    row("  since navigation", Unit::Ms, shown!(launcher_since_start)),
    row("tap to first frame", Unit::Ms, shown!(first_frame)),
    row("interaction delay (as INP)", Unit::Ms, shown!(delay)),
    row("tap to usable dialog", Unit::Ms, shown!(usable)),
    row("  main thread, by processor", Unit::Work, shown!(usable_used)),
    row("at opening: requests", Unit::Count, shown!(opened.requests)),
    row("at opening: bytes", Unit::Bytes, shown!(opened.bytes)),
    row("at opening: long tasks", Unit::Count, shown!(at_opening.count)),
    row("at opening: blocking", Unit::Work, shown!(at_opening.excess)),
    row("at opening: layout shift", Unit::Shift, shown!(shift_at_opening)),
    row("whole: bytes", Unit::Bytes, |s| s.shown.as_ref().map(|shown| s.before.bytes + shown.opened.bytes)),
];

pub struct Report<'a> {
    samples: &'a [Sample],
}

impl<'a> Report<'a> {
    pub fn of(samples: &'a [Sample]) -> Result<Self> {
        for (name, _) in COLUMNS {
            let mut of = samples.iter().filter(|s| s.candidate == name).peekable();
            ensure!(of.peek().is_some(), "{name} was not measured");
            ensure!(name == "nothing" || of.all(|s| s.shown.is_some()), "{name} showed nothing");
        }
        Ok(Self { samples })
    }

    fn all(&self, candidate: &str, of: impl Fn(&Sample) -> Option<f64>) -> Vec<f64> {
        self.samples.iter().filter(|s| s.candidate == candidate).filter_map(of).collect()
    }

    fn median(&self, candidate: &str, of: impl Fn(&Sample) -> Option<f64>) -> Option<f64> {
        let all = self.all(candidate, of);
        (!all.is_empty()).then(|| median(all))
    }

    fn most(&self, of: impl Fn(&Sample) -> Option<f64>) -> f64 {
        [COLD, WARMED].iter().flat_map(|ours| self.all(ours, &of)).fold(0.0, f64::max)
    }

    /// What ratios of this unit are of.
    fn yardstick(&self, unit: Unit) -> Option<f64> {
        match unit {
            Unit::Ms => self.median(YARDSTICK, shown!(launcher)),
            Unit::Work => self.median(YARDSTICK, shown!(launcher_used)),
            Unit::Host => self.median("nothing", |s| Some(s.lcp)),
            Unit::Bytes => self.median(YARDSTICK, |s| Some(s.before.bytes)),
            Unit::Count | Unit::Shift => None,
        }
    }

    /// Against the budgets. What has to be nothing at all has to be so in every round.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let verdict = |what: String, kept| Verdict { what, kept };
        let shift = self.most(|s| Some(s.shift + s.shown.as_ref()?.shift_at_opening));
        let blocking = [COLD, WARMED].map(|ours| self.median(ours, |s| Some(s.own_blocking)).unwrap_or(f64::INFINITY));
        let launcher = self.median(YARDSTICK, shown!(launcher)).unwrap_or_default();
        let [cold, warmed] = [COLD, WARMED].map(|ours| self.median(ours, shown!(usable)).unwrap_or(f64::INFINITY));
        let worked = self.median(COLD, shown!(usable_used)).unwrap_or(f64::INFINITY);
        let yard = self.median(YARDSTICK, shown!(launcher_used)).unwrap_or_default();
        // What only follows on what is seen to do so in every round; on a busy machine some that need not do it too.
        let files = self.most(shown!(opened.files));
        let stages = self.all(COLD, shown!(opened.stages)).into_iter().fold(f64::INFINITY, f64::min);
        let first = |of: fn(&Sample) -> Option<f64>| self.all(COLD, of).into_iter().fold(0.0, f64::max);
        let (loader, requests) = (first(|s| Some(s.before.bytes)), first(|s| Some(s.before.requests)));
        let away = self.most(|s| Some(s.before.away + s.shown.as_ref()?.opened.away));
        let problems: Vec<&str> = [COLD, WARMED]
            .iter()
            .flat_map(|ours| self.samples.iter().filter(move |s| s.candidate == **ours))
            .flat_map(|s| s.problems.iter().map(String::as_str))
            .collect();
        vec![
            verdict(format!("layout shift {shift}, at opening too; budget 0"), shift == 0.0),
            verdict(
                format!("blocking before intent {:.0} ms, warmed {:.0} ms; budget 0", blocking[0], blocking[1]),
                blocking.iter().all(|ms| *ms == 0.0),
            ),
            verdict(
                format!(
                    "tap to usable dialog {warmed:.0} ms, {:.2} x typebot's launcher ({launcher:.0} ms); budget {SHARE}",
                    warmed / launcher
                ),
                warmed <= SHARE * launcher,
            ),
            verdict(
                format!(
                    "with a data saver {:.2} x by processor; budget {SHARE}; by the clock {cold:.0} ms, {:.2} x",
                    worked / yard,
                    cold / launcher
                ),
                worked <= SHARE * yard,
            ),
            verdict(
                format!("{files} files after intent, in {stages} step(s); budget {FILES} side by side"),
                files <= FILES && stages <= 1.0,
            ),
            verdict(
                format!("loader with launcher {loader} bytes in {requests} request(s); budget {LOADER_BYTES} in 1"),
                loader <= LOADER_BYTES && requests <= 1.0,
            ),
            verdict(format!("{away} requests to others; budget 0"), away == 0.0),
            verdict(format!("errors on our pages: {problems:?}"), problems.is_empty()),
        ]
    }

    pub fn keeps_budgets(&self) -> bool {
        self.verdicts().iter().all(|verdict| verdict.kept)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = |f: &mut fmt::Formatter<'_>, title: &str| {
            write!(f, "{title:<32}")?;
            COLUMNS.iter().try_for_each(|(_, name)| write!(f, "{name:>12}"))?;
            writeln!(f)
        };
        head(f, "medians")?;
        for row in &ROWS {
            write!(f, "{:<32}", row.name)?;
            for (candidate, _) in COLUMNS {
                match self.median(candidate, row.of) {
                    Some(figure) => write!(f, "{:>12}", row.unit.shown(figure))?,
                    None => write!(f, "{:>12}", "")?,
                }
            }
            writeln!(f)?;
        }
        writeln!(f)?;
        head(f, "as shares of typebot's launcher")?;
        for row in &ROWS {
            let Some(whole) = self.yardstick(row.unit) else { continue };
            write!(f, "{:<32}", row.name)?;
            for (candidate, _) in COLUMNS {
                match self.median(candidate, row.of) {
                    Some(figure) => write!(f, "{:>12.3}", figure / whole)?,
                    None => write!(f, "{:>12}", "")?,
                }
            }
            writeln!(f)?;
        }
        writeln!(f, "\n{NOTES}\n")?;
        for Verdict { what, kept } in self.verdicts() {
            writeln!(f, "{:<6}{what}", if kept { "ok" } else { "OVER" })?;
        }
        Ok(())
    }
}

const NOTES: &str = "\
Phone of 390 x 844, processor slowed down 4 times, empty cache, no network: times are for ratios only.
shingle: a visitor with a data saver, nothing fetched before the tap. sh. warmed: the runtime came after ten seconds of dwelling.
Usable: shingle, the address field has the focus and takes a letter; typebot, its text field is painted, answered by a
stand-in server without delay; cal.com and typeform, a frame with one field is painted in place of an application that
cannot be had, so their opening is a floor in time and bytes.
Bytes are bodies as sent, brotli. Blocking: what tasks of the main thread take beyond 50 ms, by processor time.
Launcher painted: since the embed's first request. Shares: times of typebot's launcher, processor times of its
processor time, bytes of its bytes; the host's largest paint is compared with the page alone.";

impl Unit {
    fn shown(self, figure: f64) -> String {
        match self {
            Self::Count => format!("{figure:.0}"),
            Self::Bytes => format!("{figure:.0} B"),
            Self::Shift => format!("{figure:.4}"),
            Self::Ms | Self::Work | Self::Host => format!("{figure:.0} ms"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A run of one round that keeps every budget, ours with these changes.
    fn run(changes: serde_json::Value) -> Vec<Sample> {
        let sample = |(name, _): &(&str, &str)| {
            let mut sample = json!({
                "candidate": name, "problems": [], "lcp": 100, "shift": 0, "blocking": 0, "ownBlocking": 0,
                "before": { "requests": 1, "bytes": 3_500, "away": 0 },
                "launcher": 200, "launcherUsed": 100, "launcherSinceStart": 300, "usable": 90, "usableUsed": 45,
                "firstFrame": 20, "delay": 16, "shiftAtOpening": 0, "atOpening": { "count": 0, "excess": 0 },
                "opened": { "requests": 5, "bytes": 70_000, "away": 0, "files": 3, "stages": 1 },
            });
            if [COLD, WARMED].contains(name) {
                for (field, value) in changes.as_object().unwrap() {
                    sample[field] = value.clone();
                }
            }
            serde_json::from_value(sample).unwrap()
        };
        COLUMNS.iter().map(sample).collect()
    }

    #[test]
    fn a_run_at_the_edge_of_every_budget_keeps_them() {
        let samples = run(json!({}));
        let report = Report::of(&samples).unwrap();
        assert!(report.keeps_budgets(), "{report}");
        assert!(report.to_string().contains("0.450"), "{report}");
    }

    #[test]
    fn each_budget_that_is_missed_is_named() {
        let opened =
            |files, stages, away| json!({ "requests": 5, "bytes": 9, "away": away, "files": files, "stages": stages });
        for (changes, named) in [
            (json!({ "shift": 0.001 }), "layout shift"),
            (json!({ "shiftAtOpening": 0.001 }), "layout shift"),
            (json!({ "ownBlocking": 1 }), "blocking"),
            (json!({ "usable": 91 }), "usable dialog"),
            (json!({ "usableUsed": 46 }), "data saver"),
            (json!({ "opened": opened(4, 1, 0) }), "files after intent"),
            (json!({ "opened": opened(3, 2, 0) }), "files after intent"),
            (json!({ "opened": opened(3, 1, 1) }), "requests to others"),
            (json!({ "before": { "requests": 1, "bytes": 3_501, "away": 0 } }), "loader"),
            (json!({ "before": { "requests": 2, "bytes": 3_000, "away": 0 } }), "loader"),
            (json!({ "problems": ["TypeError"] }), "errors"),
        ] {
            let samples = run(changes.clone());
            let verdicts = Report::of(&samples).unwrap().verdicts();
            let missed: Vec<_> = verdicts.iter().filter(|v| !v.kept).collect();
            assert!(missed.len() == 1 && missed[0].what.contains(named), "{changes}: {missed:?}");
        }
    }

    #[test]
    fn a_run_without_one_of_the_candidates_is_none() {
        let samples: Vec<_> = run(json!({})).into_iter().filter(|s| s.candidate != YARDSTICK).collect();
        assert!(Report::of(&samples).is_err());
    }
}
