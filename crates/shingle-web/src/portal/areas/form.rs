//! What somebody typed for where they work: understood, refused, or with what it takes.

use std::sync::Arc;

use shingle_app::areas::{
    AreaError, AreaExtras, AreaMap, AreaRefusal, AreaRequest, Cover, FoundArea, PhotoFigures, PlanFigures,
    SurveyFigures,
};
use shingle_domain::message::{Message, ToMessage as _};
use shingle_domain::{Language, State};
use shingle_portal::{
    AreaFormView, AreaMapView, AreaPlace, AreaPlanView, MapCover, PhotoPlanView, SurveyPlanView, area_title,
};

use crate::portal::form::PortalForm;
use crate::state::Web;

/// How far around, unless somebody says otherwise.
const USUAL_MILES: &str = "15";
const MAX_PLACE: usize = 400;

/// A place as it was typed.
#[derive(Debug, Clone, Default)]
pub struct TypedArea {
    pub place: String,
    pub miles: String,
    /// What is to be loaded beside the homes.
    pub extras: AreaExtras,
}

impl TypedArea {
    /// Where somebody may work.
    pub fn around(zip: &str) -> Self {
        Self { place: zip.to_owned(), miles: USUAL_MILES.to_owned(), extras: AreaExtras::default() }
    }

    pub fn of(form: &PortalForm) -> Self {
        let place = form.text("place").chars().take(MAX_PLACE).collect();
        // A link with a place alone means that place and no more around it.
        let miles = if form.has("place") { form.text("miles") } else { USUAL_MILES };
        let is_ticked = |name: &str| form.text(name) == "1";
        let extras = AreaExtras { survey: is_ticked("survey"), photos: is_ticked("photos") };
        Self { place, miles: miles.chars().take(MAX_PLACE).collect(), extras }
    }

    pub fn find(&self, web: &Web) -> Result<FoundArea, AreaError> {
        let miles = match self.miles.as_str() {
            "" => None,
            // What is no number is no distance.
            typed => Some(typed.parse().unwrap_or(f64::NAN)),
        };
        web.area_loads.areas().find_place(&AreaRequest { places: vec![self.place.clone()], miles })
    }
}

/// What becomes of it.
#[derive(Default)]
pub struct AreaAnswer {
    pub typed: TypedArea,
    wrong: Option<Message>,
    which: Vec<String>,
    plan: Option<(String, PlanFigures, Option<AreaMapView>)>,
}

impl AreaAnswer {
    /// The source is asked only for a place that there is.
    pub async fn asked(web: &Arc<Web>, language: Language, typed: TypedArea) -> Self {
        let answered = async {
            let found = typed.find(web)?;
            let figures = web.area_loads.plan(&found, typed.extras).await?;
            Ok::<_, AreaError>((found, figures))
        };
        match answered.await {
            Ok((found, figures)) => {
                let map = web.area_loads.areas().map([&found]).map(map_view);
                let title = title(language, &found);
                Self { typed, plan: Some((title, figures, map)), ..Self::default() }
            }
            Err(error) => Self::refused(typed, &error),
        }
    }

    /// Filled in, and not asked yet.
    pub fn proposed(typed: TypedArea) -> Self {
        Self { typed, ..Self::default() }
    }

    pub fn refused(typed: TypedArea, error: &AreaError) -> Self {
        let which = match error {
            AreaError::Area(AreaRefusal::ManyTowns { name, states, .. }) => {
                let states = states.iter().filter(|state| State::parse(state).is_some());
                states.map(|state| format!("{name}, {state}")).collect()
            }
            _ => Vec::new(),
        };
        Self { typed, wrong: Some(error.to_message()), which, plan: None }
    }

    pub fn is_refused(&self) -> bool {
        self.wrong.is_some()
    }

    pub fn view(&self, web: &Web, at: AreaPlace) -> AreaFormView<'_> {
        let plan = self.plan.as_ref().map(|(title, figures, map)| AreaPlanView {
            title,
            addresses: figures.addresses,
            buildings: figures.buildings,
            survey: figures.survey.as_ref().map(|survey| survey.as_ref().map(survey_view)),
            photos: figures.photos.as_ref().map(|photos| photos.as_ref().map(photos_view)),
            download: figures.download,
            disk: figures.disk,
            source: &figures.source,
            release: figures.release.as_str(),
            license: &figures.license.name,
            license_url: &figures.license.url,
            attribution: &figures.license.attribution,
            terms: &figures.license.terms,
            map: map.as_ref(),
        });
        AreaFormView {
            at,
            place: &self.typed.place,
            miles: &self.typed.miles,
            survey: self.typed.extras.survey,
            photos: self.typed.extras.photos,
            most_miles: web.area_loads.areas().most_miles(),
            wrong: self.wrong.as_ref(),
            which: &self.which,
            plan,
        }
    }
}

fn survey_view(survey: &SurveyFigures) -> SurveyPlanView<'_> {
    SurveyPlanView { name: &survey.name, year: survey.year, download: survey.download }
}

fn photos_view(photos: &PhotoFigures) -> PhotoPlanView<'_> {
    PhotoPlanView { title: &photos.title, taken: photos.taken, requests: photos.requests, download: photos.download }
}

/// As the reader calls it.
pub fn title(language: Language, found: &FoundArea) -> String {
    area_title(language, &found.places, found.miles)
}

pub fn map_view(map: AreaMap) -> AreaMapView {
    let cover = |cover| match cover {
        Cover::Whole => MapCover::Whole,
        Cover::Part => MapCover::Part,
        Cover::None => MapCover::None,
    };
    AreaMapView {
        size: map.size,
        cells: map.cells.into_iter().map(|cell| (cover(cell.cover), cell.corners)).collect(),
        rings: map.rings,
        names: map.names.into_iter().map(|name| (name.name, name.at)).collect(),
        scale: map.scale,
    }
}
