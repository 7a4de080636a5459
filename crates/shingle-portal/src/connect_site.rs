//! A website asks for widgets: who asks, what it gets, and which.

use shingle_domain::widget::{ElementType, WidgetStatus};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::companies::{choose, is_here, told};
use crate::connection_form::check;
use crate::element::{button, card, div, el, hidden, link, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::{phrase, translated};
use crate::share::shown;

/// A widget that a website may have.
#[derive(Debug, Clone)]
pub struct OfferedWidget {
    pub id: String,
    pub name: String,
    pub kind: ElementType,
    pub status: WidgetStatus,
    pub is_chosen: bool,
}

pub struct ConnectSiteView<'v> {
    /// Who gets the code.
    pub host: &'v str,
    pub widgets: &'v [OfferedWidget],
    /// Hosts that some of these widgets do not allow yet.
    pub missing: &'v [String],
    /// The request, for the form.
    pub fields: &'v [(&'static str, String)],
    /// Back to the website without anything.
    pub denied: &'v str,
    /// This page, for a person who has other companies.
    pub path: &'v str,
}

fn kind(of: ElementType) -> &'static str {
    match of {
        ElementType::Button => "A button",
        ElementType::Banner => "A banner",
        ElementType::Custom => "Your own button or link",
    }
}

/// Other companies of this person.
fn companies(signed: &Signed<'_>, path: &str) -> Option<Node> {
    let others: Vec<_> = signed.companies.iter().filter(|one| one.account.is_some() && !is_here(signed, one)).collect();
    let here = signed.company.filter(|_| !others.is_empty())?;
    let said = phrase(signed.language, "These are widgets of {company}. You also have:", &[("company", here)]);
    let rows = others.into_iter().map(|company| el("li").child(choose(company, Some(path), told(company))));
    Some(card("Company").child(soft(said)).child(el("ul").set("class", "rows").children(rows)))
}

pub fn connect_site_page(signed: &Signed<'_>, view: &ConnectSiteView<'_>) -> String {
    let language = signed.language;
    let asks = phrase(language, "{host} would like to show your widgets.", &[("host", view.host)]);
    let gets = soft(
        "It gets the names and the scripts of the widgets you choose, nothing else. It can’t see leads or change anything here.",
    );
    let who = card("This website").child(el("p").child(el("b").text(asks))).child(gets);
    let cancel = link(view.denied.to_owned(), "Cancel").set("class", "btn");
    let mut inside = vec![who];
    inside.extend(companies(signed, view.path));
    if view.widgets.is_empty() {
        let make = link("/portal/widgets/new", "New widget").set("class", "btn ink");
        let none = soft("You have no widget yet. Create one, then connect again from your website.");
        inside.push(card("Widgets").child(none).child(div("pair").child(make).child(cancel)));
        return shell(signed, Place::Connections, "Connect a website", Vec::new(), inside);
    }
    let tick = |widget: &OfferedWidget| {
        let mut label = vec![widget.name.as_str(), translated(language, kind(widget.kind))];
        if widget.status == WidgetStatus::Inactive {
            label.push(translated(language, "Off"));
        }
        check("widget".to_owned(), &widget.id, label.join(" · "), widget.is_chosen)
    };
    let ticks = el("fieldset").set("class", "ticks").child(el("legend").text("Show these there"));
    let mut form = post("/portal/connect")
        .children(view.fields.iter().map(|(name, value)| hidden(name, value.clone())))
        .child(ticks.children(view.widgets.iter().map(tick)));
    if !view.missing.is_empty() {
        let hosts = view.missing.join(", ");
        let label = phrase(language, "Allow them to run on {hosts}", &[("hosts", &hosts)]);
        let hint = soft("Widgets only run on websites that they allow. Leave it ticked if this is your website.");
        form = form.child(check("allow".to_owned(), "yes", label, true)).child(hint);
    }
    let send = phrase(language, "Connect {host}", &[("host", view.host)]);
    form = form.child(div("pair").child(button("btn ink", send)).child(cancel));
    inside.push(card("Widgets").child(form));
    shell(signed, Place::Connections, "Connect a website", Vec::new(), inside)
}

pub struct ConnectGuideView<'v> {
    /// The address of this server.
    pub server: &'v str,
    /// Websites of the company: hosts, and the plugin's settings there.
    pub sites: &'v [(String, String)],
}

pub fn connect_guide_page(signed: &Signed<'_>, view: &ConnectGuideView<'_>) -> String {
    let steps = [
        "In WordPress, open Plugins, Add New, Upload Plugin. Choose the file of the Shingle plugin, install and activate it.",
        "Open Settings, Roof estimates.",
        "Paste the address below and press Connect. You come back here and choose what the website may show.",
    ];
    let steps = Node::classed("ol", "steps").children(steps.map(|step| el("li").text(step)));
    let site = |(host, to): &(String, String)| {
        let said = phrase(signed.language, "Open the plugin on {host}", &[("host", host)]);
        el("p").child(link(to.clone(), said).set("class", "btn").set("target", "_blank").set("rel", "noopener"))
    };
    let wordpress = card("WordPress")
        .child(steps)
        .child(shown("server", "Address of this portal", view.server))
        .children(
            (!view.sites.is_empty())
                .then(|| soft("If the plugin is there already, open it with the address filled in:")),
        )
        .children(view.sites.iter().map(site));
    let others = card("Other websites").child(
        soft("Paste the script of a widget: it’s on the widget’s page. ").child(link("/portal/widgets", "Widgets")),
    );
    shell(signed, Place::Connections, "Connect a website", Vec::new(), vec![wordpress, others])
}
