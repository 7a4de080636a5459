//! Areas of the installation: add one, and what is loaded.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::area_list::{AreaRow, areas_card};
use crate::area_map::{AreaMapView, area_map};
use crate::area_plan::{AreaFormView, AreaPlace, area_form, load_form, other_ways};
use crate::element::{button, card, div, el, hidden, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::time::Hours;

pub struct AreasView<'v> {
    pub form: AreaFormView<'v>,
    pub rows: &'v [AreaRow],
    /// Of all that is loaded.
    pub map: Option<&'v AreaMapView>,
    /// Whether new data is loaded each month.
    pub monthly: bool,
    pub hours: &'v Hours,
}

pub fn areas_page(signed: &Signed<'_>, view: &AreasView<'_>) -> String {
    let language = signed.language;
    let mut page = vec![soft("Homes around a ZIP or town, from a free national source.")];
    page.extend(area_form(language, &view.form));
    page.extend(load_form(&view.form).map(|form| div("ways").child(form)));
    if !view.rows.is_empty() {
        let titles = view.rows.iter().map(|row| &*row.title).collect::<Vec<_>>().join("; ");
        page.push(areas_card(language, view.rows, view.hours, AreaPlace::Areas));
        page.extend(view.map.filter(|_| view.form.plan.is_none()).map(|map| area_map(language, &titles, map)));
        page.push(monthly_card(view.monthly));
    }
    page.push(other_ways());
    shell(signed, Place::Imports, "Areas", Vec::new(), page)
}

/// A switch that needs no script.
fn monthly_card(is_on: bool) -> Node {
    let (state, next, label) = match is_on {
        true => ("We check each month and load what changed.", "0", "Stop refreshing monthly"),
        false => ("New data loads only when you press “Load changes”.", "1", "Refresh monthly"),
    };
    card("Refresh monthly")
        .child(el("p").text(state))
        .child(soft("The data you have stays until the new one is complete, and can come back."))
        .child(post("/portal/operator/areas/monthly").child(hidden("on", next)).child(button("btn", label)))
}
