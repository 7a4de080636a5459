//! A widget as an editor of the company sees it.

use std::sync::Arc;

use shingle_domain::roof::RoofMaterial;
use shingle_domain::settings::OwnPrices;
use shingle_domain::widget::Widget;
use shingle_domain::{Environment, Usd, WidgetId, WidgetSettings};
use shingle_estimate::roof::PriceTerms;
use shingle_store::{SavedDraft, SeenWidget, StoredWidget};
use shingle_widget::words::{cents, dollars};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// Of a roof whose price is shown as an example.
const EXAMPLE_SQUARES: i64 = 20;

/// A widget of the company, and what of it is not published.
pub struct Opened {
    pub stored: Arc<StoredWidget>,
    pub draft: Option<SavedDraft>,
}

impl Opened {
    pub async fn find(web: &Web, signed: &Signed, id: &str) -> ApiResult<Self> {
        let id: WidgetId = id.parse().map_err(|_| ApiError::NotFound)?;
        let tenant = signed.tenant(Environment::Production);
        let stored = web.store.widgets().find(&tenant, id).await?.ok_or(ApiError::NotFound)?;
        Ok(Self { draft: web.store.widgets().find_draft(&tenant, id).await?, stored })
    }

    pub fn id(&self) -> WidgetId {
        self.stored.widget.reference_id
    }

    pub fn path(&self) -> String {
        format!("/portal/widgets/{}", self.id())
    }

    /// The draft, or else what visitors see.
    pub fn current(&self) -> (&Widget, &WidgetSettings) {
        match &self.draft {
            Some(draft) => (&draft.widget, &draft.settings),
            None => (&self.stored.widget, &self.stored.settings),
        }
    }

    pub fn seen(&self) -> SeenWidget {
        SeenWidget { version: self.stored.version, mark: self.draft.as_ref().map_or(0, |draft| draft.mark) }
    }

    /// As forms show it.
    pub fn seen_text(&self) -> String {
        let SeenWidget { version, mark } = self.seen();
        format!("{version}.{mark}")
    }
}

/// What somebody had in front of them who sent a form. One that does not say so has seen nothing.
pub fn seen_by(query: Option<&str>) -> Option<SeenWidget> {
    let query = PortalForm::of_query(query);
    let (version, mark) = query.text("seen").split_once('.')?;
    Some(SeenWidget { version: version.parse().ok()?, mark: mark.parse().ok()? })
}

/// Cents only where there are some.
fn money(amount: Usd) -> String {
    if amount.cents() % 100 == 0 { dollars(amount) } else { cents(amount) }
}

/// A price as its field shows it: `650`, `612.50`.
pub fn in_field(price: Usd) -> String {
    if price.cents() % 100 == 0 { (price.cents() / 100).to_string() } else { price.to_string() }
}

/// What a roof of some squares costs, by material: the prices that visitors are shown.
pub fn sums(web: &Web, widget: &Widget, own: OwnPrices) -> Vec<(&'static str, String, String)> {
    let terms = PriceTerms { table: web.prices(), asphalt_override: widget.installed_price, own };
    let offered = [
        (RoofMaterial::AsphaltShingle, "Asphalt shingle"),
        (RoofMaterial::Metal, "Metal"),
        (RoofMaterial::Tile, "Tile"),
        (RoofMaterial::Slate, "Slate"),
    ];
    let row = |(material, name): (RoofMaterial, &'static str)| {
        let square = terms.price(material);
        let sum = Usd::from_cents(square.cents().saturating_mul(EXAMPLE_SQUARES));
        (name, money(square), money(own.minimum.map_or(sum, |minimum| sum.max(minimum))))
    };
    offered.into_iter().map(row).collect()
}
