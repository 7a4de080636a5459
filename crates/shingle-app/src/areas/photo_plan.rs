//! Which photographs from the air there are of an area, and about how many requests and megabytes its homes need.

use std::time::Duration;

use shingle_domain::aerial::PhotoDate;
use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;
use shingle_source::{Area, Client, Footprint, Grid, ImagerySource, SourceError};

messages! {
    /// Why an area has no photographs from the air, or not all of them.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum PhotoFault {
        NoImagery => "the service has no photos here",
        NoDates => "the service does not say when its photos here were taken, so none is shown",
        NoneOfOneDate => "no photo shows all of a place here with one date",
        Unusable { title: String, why: Message } => "{title} could not be read: {why}",
        NotAPicture => "what came is not a JPEG picture",
        NotWhole => "a picture was cut off",
        OtherSize { wide: u32, high: u32 } => "a picture of another size came ({wide} × {high}) than was asked for",
        OnlyBlank => "its pictures of this area show nothing",
        NothingAllowed => "most_megabytes in sources/usgs-naip.toml allows no picture",
        NoHomes => "no home here has an outline that a photo could lie under",
        Slow { seconds: u64 } => "the service of photos did not answer within {seconds} {seconds|second|seconds}",
        TooSlow { minutes: u64 } => "the photos did not come within {minutes} {minutes|minute|minutes}",
        LittleRoom { needed: u64, free: u64 } =>
            "the photos need about {needed} MB of free disk and {free} MB are free",
        NotWritten { why: String } => "the photos could not be written: {why}",
        NotShown { why: Message } => "the photos could not be loaded: {why}",
        Broke => "the work broke off before the photos were loaded; add the area again and they are",
    }
}

/// Bytes of a pixel in a JPEG picture of a town, rather more than less.
const BYTES_OF_PIXEL: f64 = 0.3;

/// The photographs of an area, before any of them is loaded.
#[derive(Debug)]
pub struct PhotoPlan {
    pub title: String,
    /// Of the newest that shows the middle of the area.
    pub taken: PhotoDate,
    /// At most.
    pub requests: u64,
    /// About so many, at most.
    pub bytes: u64,
    pub(super) source: ImagerySource,
    pub(super) grid: Grid,
    pub(super) footprints: Vec<Footprint>,
}

/// A person's switch: `None` is off.
pub type PhotoOutlook = Option<Result<PhotoPlan, Message>>;

impl PhotoPlan {
    /// `buildings`: about so many are in the area. A service that is slow is not waited for.
    pub(super) async fn make(
        source: ImagerySource,
        client: &Client,
        area: &Area,
        buildings: u64,
        patience: Duration,
    ) -> Result<Self, Message> {
        match tokio::time::timeout(patience, Self::of_area(source, client, area, buildings)).await {
            Ok(planned) => planned,
            Err(_) => Err(PhotoFault::Slow { seconds: patience.as_secs() }.into()),
        }
    }

    async fn of_area(source: ImagerySource, client: &Client, area: &Area, buildings: u64) -> Result<Self, Message> {
        let footprints = source.footprints(client, area).await.map_err(|e| unusable(&source, e))?;
        if footprints.is_empty() {
            return Err(PhotoFault::NoImagery.into());
        }
        let circles = area.circles();
        let count = circles.len().max(1) as f64;
        let latitude = circles.iter().map(|circle| circle.latitude).sum::<f64>() / count;
        let newest = |held: &dyn Fn(&Footprint) -> bool| {
            footprints.iter().filter(|one| held(one)).filter_map(Footprint::taken).max()
        };
        let in_middle = |one: &Footprint| circles.iter().any(|circle| one.holds(circle.longitude, circle.latitude));
        let taken = newest(&in_middle).or_else(|| newest(&|_| true)).ok_or(PhotoFault::NoDates)?;
        let grid = Grid::at(latitude, source.meters_per_pixel, source.most_pixels);
        let requests = cells(area, grid.cell_meters(source.meters_per_pixel)).min(buildings.max(1));
        let pixels = u64::from(source.most_pixels).pow(2);
        let bytes = (requests as f64 * pixels as f64 * BYTES_OF_PIXEL) as u64;
        Ok(Self {
            title: source.title.clone(),
            taken,
            requests,
            bytes: bytes.min(source.most_bytes),
            source,
            grid,
            footprints,
        })
    }

    pub(super) fn failed(&self, error: SourceError) -> Message {
        unusable(&self.source, error)
    }
}

/// Cells of the grid in an area, with those at its edge.
fn cells(area: &Area, meters: f64) -> u64 {
    const METERS_OF_MILE: f64 = 1_609.344;
    let of_circle = |miles: f64| {
        let reach = miles * METERS_OF_MILE / meters + 1.0;
        std::f64::consts::PI * reach * reach
    };
    area.circles().iter().map(|circle| of_circle(circle.miles)).sum::<f64>().ceil() as u64
}

/// The address of a request is long and says nothing to a person.
fn unusable(source: &ImagerySource, error: SourceError) -> Message {
    let why = match error {
        SourceError::Unanswered { why, .. } | SourceError::Catalog { why, .. } => why,
        SourceError::NotThere { .. } => SourceError::NotThere { url: source.hosts().concat() }.to_message(),
        SourceError::Refused { .. } => SourceError::Refused { url: source.hosts().concat() }.to_message(),
        SourceError::TooLarge { what, .. } => SourceError::TooLarge { url: source.hosts().concat(), what }.to_message(),
        error => error.to_message(),
    };
    PhotoFault::Unusable { title: source.title.clone(), why }.into()
}

#[cfg(test)]
mod tests {
    use shingle_source::Circle;

    use super::*;

    #[test]
    fn an_area_has_as_many_cells_as_fit_and_those_at_its_edge() {
        let of = |miles: f64| cells(&Area::new(vec![Circle { latitude: 40.0, longitude: -105.0, miles }]), 480.0);
        assert!((370..400).contains(&of(3.0)), "{}", of(3.0));
        assert_eq!(of(0.0), 4);
        assert_eq!(cells(&Area::new(Vec::new()), 480.0), 0);
    }
}
