//! Who gets new leads: rules by town and ZIP code, and people in turn.

use shingle_domain::Language;
use shingle_store::{PlaceProblem, PlaceRule};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::connection_form::{TypedFields, field, hint, input};
use crate::element::{Tone, button, card, div, el, hidden, link, note, once, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;

/// One rule, as it was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleLine {
    pub places: String,
    /// The id of a person, or nothing.
    pub to: String,
}

pub struct LeadRulesView<'v> {
    pub lines: &'v [RuleLine],
    /// The place of the one that makes a new rule.
    pub new_line: Option<usize>,
    /// Ids of those who get the others, in turn.
    pub in_turn: &'v [String],
    /// Ids and names of the company's people.
    pub people: &'v [(String, String)],
    /// Stands for the rules as they are stored.
    pub mark: &'v str,
    pub typed: &'v TypedFields,
    /// Whether the reader may change them.
    pub may_change: bool,
}

pub fn place_problem(language: Language, problem: &PlaceProblem) -> Text {
    match problem {
        PlaceProblem::None => "Please type a town or a ZIP code.".into(),
        PlaceProblem::TooMany => "A rule has 100 places at most. Make another rule for the others.".into(),
        PlaceProblem::Unknown(place) => {
            let said = "“{place}” is neither a ZIP code nor a town. Type ZIP codes with five digits.";
            phrase(language, said, &[("place", place)]).into()
        }
    }
}

pub fn lead_rules_page(signed: &Signed<'_>, view: &LeadRulesView<'_>) -> String {
    let back = soft("").child(link("/portal/settings", "Settings"));
    let about = soft(
        "Each new lead that comes in goes to one person, who gets an email. Leads you add by hand or from a file go to whom you choose there.",
    );
    let known = |id: &str| view.people.iter().any(|(person, _)| person == id);
    let has_left = view.lines.iter().map(|line| line.to.as_str()).chain(view.in_turn.iter().map(String::as_str));
    let has_left = has_left.filter(|id| !id.is_empty()).any(|id| !known(id));
    let left = has_left.then(|| {
        note(Tone::Look, "Someone in these rules has left the team. We pass over them. Choose someone else and save.")
    });
    let rules = view.lines.iter().enumerate().map(|(number, line)| rule(view, number, line));
    let places = card("By town or ZIP")
        .child(soft("The first rule that fits decides. Clear a line to remove its rule."))
        .child(Node::classed("ol", "rows").children(rules.map(|rule| el("li").child(rule))));
    let ticks = view.people.iter().map(|(id, name)| {
        let tick = el("input").set("type", "checkbox").set("name", "turn").set("value", id.clone());
        let tick = if view.in_turn.contains(id) { tick.set("checked", "") } else { tick };
        Node::classed("label", "tick").child(tick).child(el("span").text(name.clone()))
    });
    let turn = card("All others").child(
        el("fieldset")
            .child(el("legend").text("In turn to"))
            .child(div("ticks").children(ticks))
            .child(soft("Select nobody to leave the others unassigned.")),
    );
    let save = match view.may_change {
        true => div("pair").child(button("btn ink", "Save")),
        false => soft("Only an owner can change this."),
    };
    let form = post("/portal/settings/leads")
        .child(once(signed))
        .child(hidden("seen", view.mark.to_owned()))
        .child(hidden("lines", view.lines.len().to_string()))
        .children(view.new_line.map(|number| hidden("new", number.to_string())))
        .child(places)
        .child(turn)
        .child(save);
    let mut inside = vec![back, about];
    inside.extend(left);
    inside.push(form);
    shell(signed, Place::Settings, "New leads go to", Vec::new(), inside)
}

fn rule(view: &LeadRulesView<'_>, number: usize, line: &RuleLine) -> Node {
    let (places, to) = (format!("places-{number}"), format!("to-{number}"));
    let most = PlaceRule::MAX_PLACES * 12;
    let text = input("text", &line.places).set("maxlength", most.to_string());
    let text = field(
        places.clone(),
        "Towns and ZIP codes",
        text,
        hint("With commas: Saco, 04101, 04102"),
        view.typed.wrong(&places),
    );
    let mut people: Vec<(String, Text)> = vec![(String::new(), "Choose a person".into())];
    if !line.to.is_empty() && !view.people.iter().any(|(id, _)| *id == line.to) {
        people.push((line.to.clone(), "Someone who has left".into()));
    }
    people.extend(view.people.iter().map(|(id, name)| (id.clone(), Text::from(name.clone()))));
    let options = people.into_iter().map(|(id, name)| {
        let option = el("option").set("value", id.clone());
        let option = if id == line.to { option.set("selected", "") } else { option };
        option.text(name)
    });
    let chosen = Node::classed("select", "in").children(options);
    let chosen = field(to.clone(), "Go to", chosen, None, view.typed.wrong(&to));
    div("pair").child(text).child(chosen)
}
