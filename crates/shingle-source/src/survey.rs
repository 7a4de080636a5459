//! A national laser survey: which surveys there are, and which of them covers an area best.
//!
//! # What is known, and from where
//!
//! Nothing here was tried on the real servers. The list was read in a stored copy of the repository that publishes it (1,270
//! surveys, 4 MB): `FeatureCollection`, for each survey `name`, `id`, `count` and `url` (which ends in `NAME/ept.json`), and
//! its boundary as a `MultiPolygon` in degrees. Of 1,079 names four hold no year, and 659 hold two: that of the flight and
//! that of the delivery (`USGS_LPC_AL_MorganCo_2012_LAS_2018`), or the years of a flight of several. That octrees are in Web
//! Mercator and lie in an open bucket is what its pages say.

use shingle_domain::cold_sort::ColdSort as _;
use std::path::Path;

use serde::Deserialize;
use url::Url;

use crate::area::Area;
use crate::client::Client;
use crate::description::{text_of, wrong};
use crate::error::SourceError;
use crate::ground_plan::GroundPlan;

/// A list that is larger is not honest.
const MOST_LIST: usize = 64 << 20;
const MOST_SURVEYS: usize = 50_000;
const MOST_NAME: usize = 120;
/// Surveys that cover less of an area are left alone.
const LEAST_SHARE: f64 = 0.02;
/// A survey that covers so much of what the best one does is as good.
const AS_GOOD: f64 = 0.9;

/// Where the list and the octrees are. A file in `assets/sources`, or one of the operator's in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurveySource {
    pub name: String,
    pub title: String,
    list: Url,
    /// A folder: its last sign is a slash.
    data: Url,
    /// Of the points of an area.
    pub most_bytes: u64,
    pub license: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    list: String,
    data: String,
    most_megabytes: u32,
    license: String,
}

const BUILT_IN: [(&str, &str); 1] = [("usgs-lidar", include_str!("../../../assets/sources/usgs-lidar.toml"))];

/// A survey of an area.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    pub name: String,
    /// Of the flight, as its name says.
    pub year: Option<u16>,
    /// The folder of its octree.
    pub folder: Url,
    /// Of the area, as the boundaries say.
    pub share: f64,
    points: u64,
}

impl SurveySource {
    /// The one that is used for areas.
    pub const NATIONAL: &str = "usgs-lidar";

    /// The source of this name: the operator's description in this folder, else the one that comes with the program.
    pub fn open(name: &str, folder: &Path) -> Result<Self, SourceError> {
        Self::from_toml(name, &text_of(name, folder, &BUILT_IN)?)
    }

    pub fn from_toml(name: &str, text: &str) -> Result<Self, SourceError> {
        let file: File = toml::from_str(text).map_err(|e| wrong(name, e.to_string()))?;
        let url = |key: &str, text: &str| match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "https" | "http" | "file") => Ok(url),
            Ok(url) => Err(wrong(name, format!("{url} is neither https:// nor file://"))),
            Err(e) => Err(wrong(name, format!("{key}: {e}"))),
        };
        let mut data = url("data", &file.data)?;
        if !data.path().ends_with('/') {
            data.set_path(&format!("{}/", data.path()));
        }
        Ok(Self {
            name: name.to_owned(),
            title: file.title,
            list: url("list", &file.list)?,
            data,
            most_bytes: u64::from(file.most_megabytes) * 1_000_000,
            license: file.license,
        })
    }

    /// The servers that are asked; none for a folder of this machine.
    pub fn hosts(&self) -> Vec<String> {
        let mut hosts: Vec<_> =
            [&self.list, &self.data].iter().filter_map(|u| u.host_str()).map(str::to_owned).collect();
        hosts.dedup();
        hosts
    }

    /// The surveys of an area, the best first: of those that cover most of it the newest.
    pub async fn surveys(&self, client: &Client, area: &Area) -> Result<Vec<Survey>, SourceError> {
        let text = client.whole(&self.list, MOST_LIST).await?;
        let list: List =
            serde_json::from_slice(&text).map_err(|e| SourceError::catalog(self.list.as_str(), e.to_string()))?;
        let spots = area.spots();
        let offers = list.features.into_iter().take(MOST_SURVEYS).filter_map(|feature| {
            let share = feature.geometry.as_ref()?.coordinates.share_of(&spots);
            (share >= LEAST_SHARE).then_some(())?;
            self.survey(feature.properties, share)
        });
        Ok(best_first(offers.collect()))
    }

    /// `None` for one whose octree has no folder of its own at this source.
    fn survey(&self, said: Properties, share: f64) -> Option<Survey> {
        let path = said.url?;
        let (folder, file) = path.rsplit_once('/')?;
        let folder = folder.rsplit('/').next()?;
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'+' | b' ');
        let is_name = file == "ept.json"
            && !folder.is_empty()
            && folder.len() <= MOST_NAME
            && !folder.starts_with('.')
            && folder.bytes().all(fits);
        is_name.then_some(())?;
        let name = said.name.filter(|name| name.len() <= MOST_NAME && name.bytes().all(fits));
        let name = name.unwrap_or_else(|| folder.to_owned());
        let folder = self.data.join(&format!("{folder}/")).ok()?;
        Some(Survey { year: year_of(&name), name, folder, share, points: said.count.unwrap_or_default() })
    }
}

/// The last year in the name, that of the delivery apart.
fn year_of(name: &str) -> Option<u16> {
    let flown = match name.rfind("_LAS_") {
        Some(at) if at > 0 => &name[..at],
        _ => name,
    };
    let numbers = flown.split(|c: char| !c.is_ascii_digit()).filter(|digits| digits.len() == 4);
    numbers.filter_map(|digits| digits.parse().ok()).rfind(|year| (1990..2100).contains(year))
}

fn best_first(mut surveys: Vec<Survey>) -> Vec<Survey> {
    let most = surveys.iter().map(|survey| survey.share).fold(0.0, f64::max);
    let rank = |survey: &Survey| match survey.share >= AS_GOOD * most {
        true => (1, survey.year),
        false => (0, None),
    };
    surveys.cold_sort_by(|a, b| {
        let by_share = b.share.total_cmp(&a.share);
        rank(b).cmp(&rank(a)).then(by_share).then(b.points.cmp(&a.points)).then_with(|| a.name.cmp(&b.name))
    });
    surveys
}

#[derive(Deserialize)]
struct List {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    #[serde(default)]
    properties: Properties,
    geometry: Option<Geometry>,
}

#[derive(Deserialize, Default)]
struct Properties {
    name: Option<String>,
    url: Option<String>,
    count: Option<u64>,
}

#[derive(Deserialize)]
struct Geometry {
    #[serde(default)]
    coordinates: GroundPlan,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> SurveySource {
        SurveySource::from_toml(SurveySource::NATIONAL, BUILT_IN[0].1).unwrap()
    }

    fn survey(name: &str, share: f64) -> Survey {
        let folder = Url::parse("https://data.example/").unwrap();
        Survey { name: name.to_owned(), year: year_of(name), folder, share, points: 1 }
    }

    #[test]
    fn the_year_is_that_of_the_flight() {
        for (name, year) in [
            ("USGS_LPC_AL_MorganCo_2012_LAS_2018", Some(2012)),
            ("FL_Elgin_2006-2008", Some(2008)),
            ("KS_Statewide_2018_A18", Some(2018)),
            ("AK_BrooksCamp_2012", Some(2012)),
            ("IA_FullState", None),
            ("XX_12345_1776_LAS_2019", None),
            ("_LAS_2019", Some(2019)),
        ] {
            assert_eq!(year_of(name), year, "{name}");
        }
    }

    #[test]
    fn of_those_that_cover_most_the_newest_is_best() {
        let names = |list: &[(&str, f64)]| {
            let surveys = best_first(list.iter().map(|(name, share)| survey(name, *share)).collect());
            surveys.into_iter().map(|survey| survey.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&[("A_2012", 1.0), ("B_2021", 0.95), ("C_2024", 0.5)]), ["B_2021", "A_2012", "C_2024"]);
        assert_eq!(names(&[("NoYear", 1.0), ("B_2008", 0.91)]), ["B_2008", "NoYear"]);
        assert_eq!(names(&[("B_2020", 0.92), ("A_2020", 0.93)]), ["A_2020", "B_2020"]);
        assert!(names(&[]).is_empty());
    }

    #[test]
    fn folders_are_taken_from_the_list_and_servers_are_not() {
        let source = source();
        let folder = |url: &str| {
            let said = Properties { name: Some("A_2020".to_owned()), url: Some(url.to_owned()), count: None };
            source.survey(said, 1.0).map(|survey| survey.folder.to_string())
        };
        let ours = "https://s3-us-west-2.amazonaws.com/usgs-lidar-public/A_2020/";
        assert_eq!(folder("https://elsewhere.example/x/A_2020/ept.json").as_deref(), Some(ours));
        for url in
            ["", "ept.json", "/ept.json", "a/../ept.json", "https://a.example/%2e%2e/ept.json", "A_2020/other.json"]
        {
            assert_eq!(folder(url), None, "{url}");
        }
    }

    #[test]
    fn a_wrong_description_is_an_error_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let text = BUILT_IN[0].1;
        for (from, to) in
            [("list = \"https", "list = \"ftp"), ("title =", "titel ="), ("data = \"https://", "data = \"no ")]
        {
            let wrong = SurveySource::from_toml("usgs-lidar", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(wrong.contains("the source usgs-lidar is described wrongly"), "{to}: {wrong}");
        }
        assert!(SurveySource::open("other", folder.path()).is_err());
        std::fs::write(
            folder.path().join("usgs-lidar.toml"),
            text.replace("https://s3-us-west-2.amazonaws.com", "file:///srv"),
        )
        .unwrap();
        let own = SurveySource::open("usgs-lidar", folder.path()).unwrap();
        assert_eq!((own.data.as_str(), own.hosts().len()), ("file:///srv/usgs-lidar-public/", 1));
    }
}
