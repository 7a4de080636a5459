//! The page with all companies of one person, and the one that says where else to look.

use shingle_store::OwnCompany;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::companies::{choose, is_here, told};
use crate::element::{div, el, pill, soft};
use crate::frame::{Place, Signed, shell};
use crate::menu::badge;
use crate::phrase::phrase;

/// From so many on, the page has a field that finds one.
const SEARCHED: usize = 10;

/// A company with its new leads.
pub struct CompanyRow<'c> {
    pub company: &'c OwnCompany,
    pub new_leads: u64,
}

pub fn companies_page(signed: &Signed<'_>, rows: &[CompanyRow<'_>]) -> String {
    let language = signed.language;
    let row = |CompanyRow { company, new_leads }: &CompanyRow<'_>| {
        let new = (*new_leads > 0).then(|| {
            let count = badge(*new_leads);
            pill("new", phrase(language, "{count} new", &[("count", &count)]))
        });
        let inside: Vec<Node> = told(company).into_iter().chain(new).collect();
        match is_here(signed, company) {
            true => el("li").child(div("co-pick").children(inside).child(pill("ok", "You’re here"))),
            false => el("li").child(choose(company, None, inside)),
        }
    };
    let list = Node::classed("ul", "co-list").children(rows.iter().map(row));
    let find = (rows.len() >= SEARCHED).then(|| {
        let field =
            el("input").set("class", "in").set("id", "co-find").set("type", "search").set("autocomplete", "off");
        // It finds by a script alone.
        let label = el("label").set("for", "co-find").text("Find a company");
        div("field").set("id", "co-finder").set("hidden", "").child(label).child(field)
    });
    let card = Node::classed("section", "card").set("aria-label", "Your companies").children(find).child(list);
    let about = soft("You sign in once, and work in each of these companies with the role you have there.");
    shell(signed, Place::More, "Your companies", Vec::new(), vec![about, card])
}

/// To a person who opened what this company does not have: it may belong to another one of theirs.
pub fn perhaps_elsewhere_page(signed: &Signed<'_>, path: &str) -> String {
    let others = signed.companies.iter().filter(|company| !is_here(signed, company));
    let list = Node::classed("ul", "co-list")
        .children(others.map(|company| el("li").child(choose(company, Some(path), told(company)))));
    let company = signed.company.unwrap_or_default();
    let said = phrase(
        signed.language,
        "{company} doesn’t have this page. It may have been erased, or it belongs to another one of your companies. Choose one to look there.",
        &[("company", company)],
    );
    let card = Node::classed("section", "card").set("aria-label", "Your companies").child(list);
    shell(signed, Place::More, "Nothing here", Vec::new(), vec![soft(said), card])
}
