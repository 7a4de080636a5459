//! API keys: made, replaced, revoked; each is shown once.

use shingle_domain::WidgetId;
use shingle_domain::lookup::Product;
use shingle_store::{ApiKey, KeyState};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::connection_form::{TypedFields, check, field, hint, input, ticks};
use crate::element::{Tone, button, card, div, el, link, note, once, pill, post, select, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;
use crate::product_words::{listed, product_in_words};
use crate::time::Hours;

pub struct KeysView<'v> {
    pub keys: &'v [(ApiKey, KeyState)],
    /// The one that was just made: it is shown once.
    pub made: Option<&'v str>,
    pub typed: &'v TypedFields,
    /// Ids and names.
    pub widgets: &'v [(String, String)],
    pub hours: &'v Hours,
}

pub fn keys_page(signed: &Signed<'_>, view: &KeysView<'_>) -> String {
    let mut inside = vec![soft("").child(link("/portal/usage", "Usage and billing"))];
    if let Some(key) = view.made {
        inside.push(
            el("section")
                .set("class", "card")
                .set("aria-label", "The new key")
                .child(note(Tone::Look, "Copy it now. You won’t see it again."))
                .child(el("p").set("class", "mono").set("id", "key").text(key.to_owned()))
                .child(button("btn", "Copy").set("type", "button").set("data-copy", "key").set("hidden", "")),
        );
    }
    let (live, ended): (Vec<_>, Vec<_>) = view.keys.iter().partition(|(_, state)| *state == KeyState::Live);
    let keys = card("Keys");
    inside.push(if live.is_empty() {
        keys.child(soft("No keys yet. Widgets and this portal don’t need one; programs that use the API do."))
    } else {
        keys.child(
            el("ul").set("class", "rows").children(live.iter().map(|(key, state)| row(signed, view, key, *state))),
        )
    });
    inside.push(form(signed, view));
    if !ended.is_empty() {
        let rows = ended.iter().map(|(key, state)| row(signed, view, key, *state));
        let list = el("ul").set("class", "rows").children(rows);
        inside.push(card("No longer valid").child(list));
    }
    shell(signed, Place::Usage, "API keys", Vec::new(), inside)
}

fn row(signed: &Signed<'_>, view: &KeysView<'_>, key: &ApiKey, state: KeyState) -> Node {
    let language = signed.language;
    let title = if key.terms.name.is_empty() { key.id.to_string() } else { key.terms.name.clone() };
    let products = listed(language, &key.terms.products);
    let networks: Vec<String> = key.terms.networks.iter().map(ToString::to_string).collect();
    let mut may = el("span").set("class", "soft");
    let leads = key.terms.sees.ids().map(|ids| {
        let name = |id: &WidgetId| view.widgets.iter().find(|(known, _)| *known == id.to_string());
        let names: Vec<&str> = ids.iter().filter_map(name).map(|(_, name)| name.as_str()).collect();
        phrase(language, "leads of {widgets}", &[("widgets", &names.join(", "))])
    });
    let does: Vec<String> =
        [Some(products).filter(|products| !products.is_empty()), leads].into_iter().flatten().collect();
    may = if does.is_empty() { may.child(el("span").text("Does everything")) } else { may.text(does.join(", ")) };
    if !networks.is_empty() {
        may = may.text(phrase(language, ", from {networks} only", &[("networks", &networks.join(", "))]));
    }
    let mut about = div("who2")
        .child(el("b").text(title.clone()))
        .child(el("span").set("class", "mono").text(format!("{}_{}…", key.tenant.environment, key.id)))
        .child(may);
    about = match key.last_used_at {
        Some(at) => {
            about.child(el("span").set("class", "soft").child(el("span").text("Last used ")).child(view.hours.aged(at)))
        }
        None => about.child(el("span").set("class", "soft").text("Never used")),
    };
    if let Some(end) = key.terms.expires_at.filter(|_| state == KeyState::Live) {
        let until = view.hours.full(end);
        let said = if key.successor.is_some() { "Replaced; works until {time}" } else { "Until {time}" };
        about = about.child(pill("pill warn", phrase(language, said, &[("time", &until)])));
    }
    let row = el("li").child(about);
    match state {
        KeyState::Revoked => row.child(pill("pill", "Revoked")),
        KeyState::Expired => row.child(pill("pill", "Expired")),
        KeyState::Live => {
            let to = |action: &str| format!("/portal/keys/{}/{action}", key.id);
            let replace = post(to("rotate")).child(
                button("btn", "Replace").set("aria-label", phrase(language, "Replace {name}", &[("name", &title)])),
            );
            let sure = post(to("revoke")).child(soft("Programs that use it lose access at once.")).child(
                button("btn bad", "Revoke").set("aria-label", phrase(language, "Revoke {name}", &[("name", &title)])),
            );
            let revoke = Node::classed("details", "ask")
                .child(el("summary").set("class", "btn bad").text("Revoke…"))
                .child(sure);
            let row = if key.successor.is_none() { row.child(replace) } else { row };
            row.child(revoke)
        }
    }
}

fn form(signed: &Signed<'_>, view: &KeysView<'_>) -> Node {
    let typed = view.typed;
    let options =
        [("production".to_owned(), "Real leads and look-ups"), ("sandbox".to_owned(), "Tests, with invented homes")];
    let data = div("field").child(el("label").set("for", "data").text("For")).child(select(
        "data",
        "data",
        options,
        typed.get("data"),
    ));
    let products = Product::ALL.map(|product| {
        check(
            "product".to_owned(),
            product.as_str(),
            product_in_words(product),
            !typed.get(&format!("product {}", product.as_str())).is_empty(),
        )
    });
    let products = ticks("Only for these look-ups", products).child(
        el("p")
            .set("class", "hint")
            .text("Tick nothing here and below, and it can do everything: leads, widgets and webhooks too."),
    );
    let widgets = view
        .widgets
        .iter()
        .map(|(id, name)| check("widget".to_owned(), id, name.clone(), !typed.get(&format!("widget {id}")).is_empty()));
    let widgets =
        ticks("Only the leads of these widgets", widgets).child(el("p").set("class", "hint").text(
            "It reads, changes and erases their leads and does nothing else, besides the look-ups ticked above.",
        ));
    let widgets = (!view.widgets.is_empty()).then_some(widgets);
    let form = post("/portal/keys")
        .set("novalidate", "")
        .child(once(signed))
        .child(field(
            "name".into(),
            "Name",
            input("text", typed.get("name")).set("maxlength", "100"),
            hint("What will use it, such as Website."),
            typed.wrong("name"),
        ))
        .child(data)
        .child(products)
        .children(widgets)
        .child(field(
            "networks".into(),
            "Only from these networks",
            input("text", typed.get("networks")),
            hint("Such as 203.0.113.0/24, separated by spaces. Leave blank for anywhere."),
            typed.wrong("networks"),
        ))
        .child(field(
            "expires".into(),
            "The last day on which it works",
            input("date", typed.get("expires")),
            hint("In UTC. Leave blank to keep it until you revoke it."),
            typed.wrong("expires"),
        ))
        .child(button("btn ink", "Create a key"));
    card("New key").child(form)
}
