//! Quotes: the list on a lead's page, the form of a draft, and what became of one that was sent.

use shingle_domain::lead::Lead;
use shingle_domain::quote::{
    MAX_CHOICES, Quote, QuoteChoice, QuoteContent, QuoteField, QuoteProblem, QuoteStanding, QuoteState, items_text,
    percent_text,
};
use shingle_domain::{Environment, Language, QuoteId, Usd};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::money;

use crate::connection_form::{TypedFields, check, field, hint, input};
use crate::days::day_of_year;
use crate::element::{Tone, button, card, copied, div, el, hidden, link, note, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::inbox_view::full_name;
use crate::phrase::{phrase, translated};
use crate::time::Hours;

pub struct QuoteView<'v> {
    pub lead: &'v Lead,
    pub environment: Environment,
    /// Of a new one, the id that its form brings.
    pub id: QuoteId,
    /// `None`: it is not saved yet.
    pub quote: Option<&'v Quote>,
    pub standing: QuoteStanding,
    /// The revision that it replaces, or that a new one would.
    pub replaces: Option<&'v Quote>,
    /// The one that took its place.
    pub newer: Option<&'v Quote>,
    pub typed: &'v TypedFields,
    /// Stands for the draft that the form shows.
    pub seen: &'v str,
    /// The homeowner's page, while there is one.
    pub page: Option<&'v str>,
    /// Whether an email to the homeowner can be sent.
    pub mails: bool,
    pub hours: &'v Hours,
}

/// The name of a field in the form; the first choice is 1 there.
pub fn quote_field(field: QuoteField) -> String {
    match field {
        QuoteField::Title(n) => format!("title{}", n + 1),
        QuoteField::Material(n) => format!("material{}", n + 1),
        QuoteField::Includes(n) => format!("includes{}", n + 1),
        QuoteField::Items(n) => format!("items{}", n + 1),
        QuoteField::Price(n) => format!("price{}", n + 1),
        QuoteField::Tax => "tax".to_owned(),
        QuoteField::Deposit => "deposit".to_owned(),
        QuoteField::ValidUntil => "until".to_owned(),
        QuoteField::Message => "message".to_owned(),
        QuoteField::Terms => "terms".to_owned(),
    }
}

/// Whether a choice is offered.
pub fn offer_field(n: usize) -> String {
    format!("offer{}", n + 1)
}

/// What a form of this content holds.
pub fn quote_fields(content: &QuoteContent) -> TypedFields {
    let mut typed = TypedFields::default();
    for (n, choice) in content.choices.iter().enumerate().take(MAX_CHOICES) {
        typed.set(&offer_field(n), "yes");
        let price = if choice.items.is_empty() { amount(choice.price_cents) } else { String::new() };
        for (field, value) in [
            (QuoteField::Title(n), choice.title.clone()),
            (QuoteField::Material(n), choice.material.clone()),
            (QuoteField::Includes(n), choice.includes.clone()),
            (QuoteField::Items(n), items_text(&choice.items)),
            (QuoteField::Price(n), price),
        ] {
            typed.set(&quote_field(field), value);
        }
    }
    let tax = if content.tax == 0 { String::new() } else { percent_text(content.tax) };
    typed.set("tax", tax);
    typed.set("deposit", content.deposit.map(|deposit| deposit.text()).unwrap_or_default());
    typed.set("until", content.valid_until.to_string());
    typed.set("message", content.message.clone());
    typed.set("terms", content.terms.clone());
    typed
}

/// `14200`, `14200.50`
fn amount(cents: i64) -> String {
    let text = Usd::from_cents(cents).to_string();
    text.strip_suffix(".00").map_or_else(|| text.clone(), str::to_owned)
}

pub fn quote_problem(language: Language, problem: &QuoteProblem) -> Text {
    match problem {
        QuoteProblem::NoChoice => "Tick at least one choice.".into(),
        QuoteProblem::NoTitle => "Please type a title, like “Better”.".into(),
        QuoteProblem::NoPrice => "Please type an amount of dollars, like 14,200.".into(),
        QuoteProblem::NoAmount(line) => {
            let said = "This line has no amount at its end: “{line}”. Type it like “Tear-off 2,400”.";
            phrase(language, said, &[("line", line)]).into()
        }
        QuoteProblem::SignApart(line) => {
            let said = "Is the amount added or taken off? “{line}”. Type it like “Discount -500” or “Gutters 500”.";
            phrase(language, said, &[("line", line)]).into()
        }
        QuoteProblem::TooManyItems => "A choice has 20 items at most.".into(),
        QuoteProblem::ItemsSum => "The items add up to nothing or too much.".into(),
        QuoteProblem::OtherSum(cents) => {
            let said = "The items add up to {sum}. Leave the price blank, or correct one of them.";
            phrase(language, said, &[("sum", &money(Usd::from_cents(*cents)))]).into()
        }
        QuoteProblem::NoPercent => "Please type a percentage, like 8.875, or leave it blank.".into(),
        QuoteProblem::NoDeposit => "Please type a percentage or an amount, like 30% or 2,500.".into(),
        QuoteProblem::LargeDeposit => "The deposit is more than the cheapest choice costs.".into(),
        QuoteProblem::NoDay => "Please choose a day.".into(),
        QuoteProblem::PastDay => "That day has passed. Choose a later one.".into(),
        QuoteProblem::FarDay => "Choose a day within a year.".into(),
        QuoteProblem::Long => "That’s too long. Please shorten it.".into(),
        QuoteProblem::Unclean => "It contains an invisible character. Please remove it.".into(),
    }
}

fn standing_pill(standing: QuoteStanding) -> Node {
    let (kind, said) = match standing {
        QuoteStanding::Draft => ("pill", "Draft"),
        QuoteStanding::Open => ("pill new", "Sent"),
        QuoteStanding::Expired => ("pill warn", "Expired"),
        QuoteStanding::Accepted => ("pill ok", "Accepted"),
        QuoteStanding::Declined => ("pill bad", "Declined"),
        QuoteStanding::Withdrawn => ("pill", "Withdrawn"),
        QuoteStanding::Replaced => ("pill", "Replaced"),
    };
    pill(kind, said)
}

/// In the address too: it leads back to the same data.
fn data(environment: Environment) -> &'static str {
    match environment {
        Environment::Production => "",
        Environment::Sandbox => "?data=sandbox",
    }
}

fn quotes_path(lead: &Lead) -> String {
    format!("/portal/leads/{}/quotes", lead.id)
}

fn quote_title(language: Language, quote: &Quote) -> String {
    let name = quote.name();
    match name.is_empty() {
        true => translated(language, "Draft of a quote").to_owned(),
        false => phrase(language, "Quote {number}", &[("number", &name)]),
    }
}

/// `$16,100 to $29,760`
fn prices(language: Language, content: &QuoteContent) -> String {
    let totals = content.choices.iter().map(|choice| content.sums(choice).total);
    let (least, most) = (totals.clone().min().unwrap_or_default(), totals.max().unwrap_or_default());
    match least == most {
        true => money(least),
        false => phrase(language, "{from} to {to}", &[("from", &money(least)), ("to", &money(most))]),
    }
}

/// Those of a lead, on its page.
pub(crate) fn quotes_card(
    language: Language,
    lead: &Lead,
    environment: Environment,
    quotes: &[(Quote, QuoteStanding)],
) -> Node {
    let rows = quotes.iter().map(|(quote, standing)| {
        let path = format!("{}/{}{}", quotes_path(lead), quote.id, data(environment));
        let sum = match quote.accepted() {
            Some(choice) => format!("{}, {}", choice.title, money(quote.content().sums(choice).total)),
            None => prices(language, quote.content()),
        };
        let about = Node::classed("span", "soft").text(sum);
        let who = div("who2").child(link(path, quote_title(language, quote))).child(about);
        el("li").child(who).child(standing_pill(*standing))
    });
    let list = (!quotes.is_empty()).then(|| Node::classed("ul", "rows").children(rows));
    let new = format!("{}/new{}", quotes_path(lead), data(environment));
    let make = link(new, "Make a quote").set("class", "btn");
    card("Quotes").set("id", "quotes").children(list).child(div("pair").child(make))
}

pub fn quote_page(signed: &Signed<'_>, view: &QuoteView<'_>) -> String {
    let language = signed.language;
    let back = format!("/portal/leads/{}{}#quotes", view.lead.id, data(view.environment));
    let name = full_name(language, view.lead);
    let beside = el("nav").set("class", "beside").set("aria-label", "Lead").child(link(back, name));
    let mut inside = vec![beside];
    inside.extend(view.typed.whole());
    let is_draft = view.standing == QuoteStanding::Draft;
    let title: Text = match view.quote {
        None => "New quote".into(),
        Some(quote) => quote_title(language, quote).into(),
    };
    if let Some(old) = view.replaces.filter(|_| is_draft) {
        let said = "When you send this, it replaces quote {number}. Its link then says so.";
        inside.push(note(Tone::Look, phrase(language, said, &[("number", &old.name())])));
    }
    match (view.quote, is_draft) {
        (Some(quote), false) => inside.extend(sent(language, view, quote)),
        _ => inside.push(form(language, view)),
    }
    if let Some(quote) = view.quote.filter(|_| is_draft) {
        let path = format!("{}/{}/delete{}", quotes_path(view.lead), quote.id, data(view.environment));
        let delete = post(path).child(hidden("data", view.environment.as_str()));
        inside.push(delete.child(button("btn bad", "Delete draft")));
    }
    let marks = match view.quote {
        Some(_) => vec![standing_pill(view.standing)],
        None => Vec::new(),
    };
    shell(signed, Place::Leads, title, marks, inside)
}

fn pdf_link(view: &QuoteView<'_>, quote: &Quote, said: &'static str) -> Node {
    let data = view.environment.as_str();
    link(format!("{}/{}/quote.pdf?data={data}", quotes_path(view.lead), quote.id), said)
        .set("class", "btn")
        .set("target", "_blank")
        .set("rel", "noopener")
}

fn form(language: Language, view: &QuoteView<'_>) -> Node {
    let typed = view.typed;
    let text = |of: QuoteField, label: &'static str, most: usize, said: Option<Node>| {
        let name = quote_field(of);
        let input = input("text", typed.get(&name)).set("maxlength", most.to_string());
        let wrong = typed.wrong(&name).cloned();
        field(name, label, input, said, wrong.as_ref())
    };
    let block = |of: QuoteField, label: &'static str, rows: &'static str, most: usize, said: Option<Node>| {
        let name = quote_field(of);
        let area = el("textarea").set("class", "in").set("rows", rows).set("maxlength", most.to_string());
        let wrong = typed.wrong(&name).cloned();
        let area = area.text(typed.get(&name).to_owned());
        field(name, label, area, said, wrong.as_ref())
    };
    let price = |n: usize| {
        let name = quote_field(QuoteField::Price(n));
        let input = input("text", typed.get(&name)).set("inputmode", "decimal").set("maxlength", "16");
        let wrong = typed.wrong(&name).cloned();
        field(name, "Price in dollars, before tax", input, hint("Leave blank where items add up."), wrong.as_ref())
    };
    let choice = |n: usize| {
        let title = ["Choice 1", "Choice 2", "Choice 3"][n];
        let offered = !typed.get(&offer_field(n)).is_empty();
        card(title)
            .child(check(offer_field(n), "yes", "Offer this choice", offered))
            .child(text(QuoteField::Title(n), "Title", QuoteContent::MAX_TITLE, None))
            .child(text(QuoteField::Material(n), "Material", QuoteContent::MAX_MATERIAL, None))
            .child(block(
                QuoteField::Includes(n),
                "What is included",
                "5",
                QuoteContent::MAX_INCLUDES,
                hint("One line each."),
            ))
            .child(block(
                QuoteField::Items(n),
                "Items with amounts",
                "4",
                4_000,
                hint("One line each with the amount last, like “Tear-off 2,400”. A discount is “Discount -500”."),
            ))
            .child(price(n))
    };
    let until = input("date", typed.get("until"));
    let tax = input("text", typed.get("tax")).set("inputmode", "decimal").set("maxlength", "8");
    let deposit = input("text", typed.get("deposit")).set("maxlength", "16");
    let all = card("For every choice")
        .child(field("tax".into(), "Tax in percent", tax, hint("Leave blank for none."), typed.wrong("tax")))
        .child(field(
            "deposit".into(),
            "Deposit",
            deposit,
            hint("A percentage or an amount, like 30% or 2,500. Leave blank for none."),
            typed.wrong("deposit"),
        ))
        .child(field("until".into(), "Valid through", until, None, typed.wrong("until")))
        .child(block(QuoteField::Message, "Message to the homeowner", "4", QuoteContent::MAX_MESSAGE, None))
        .child(block(
            QuoteField::Terms,
            "Terms",
            "8",
            QuoteContent::MAX_TERMS,
            hint("Terms, tax and deposit of the last quote you sent fill in the next one."),
        ));
    let choices = div("quote-choices").children((0..MAX_CHOICES).map(choice));
    let mut buttons = div("pair").child(button("btn", "Save draft").set("name", "do").set("value", "save"));
    buttons = buttons.children(view.quote.map(|quote| pdf_link(view, quote, "Preview the saved PDF")));
    buttons = buttons.child(button("btn ink", "Save and send").set("name", "do").set("value", "send"));
    let to = match (&view.lead.email, view.mails) {
        (Some(email), true) => {
            let said = "Sending emails it to {email} with a link and the PDF.";
            phrase(language, said, &[("email", email.as_str())]).into()
        }
        _ => Text::from("Sending gives you a link for the homeowner: no email can be sent."),
    };
    let path = format!("{}/{}{}", quotes_path(view.lead), view.id, data(view.environment));
    post(path)
        .set("class", "quote-form")
        .child(hidden("data", view.environment.as_str()))
        .child(hidden("seen", view.seen.to_owned()))
        .children(view.replaces.map(|old| hidden("replaces", old.id.to_string())))
        .child(choices)
        .child(all)
        .child(soft(to))
        .child(buttons)
}

/// What was sent, and what can be done about it.
fn sent(language: Language, view: &QuoteView<'_>, quote: &Quote) -> Vec<Node> {
    let act = |action: &str| {
        let path = format!("{}/{}/{action}{}", quotes_path(view.lead), quote.id, data(view.environment));
        post(path).child(hidden("data", view.environment.as_str()))
    };
    let say = |english: &str, with: &[(&str, &str)]| phrase(language, english, with);
    let mut state = card("Status");
    let until = day_of_year(language, quote.content().valid_until.0);
    state = state.child(soft(match view.standing {
        QuoteStanding::Open => say("The homeowner can accept it through {until}.", &[("until", &until)]),
        QuoteStanding::Expired => say("It could be accepted through {until}.", &[("until", &until)]),
        QuoteStanding::Accepted => accepted(language, quote),
        QuoteStanding::Declined => say("The homeowner declined it.", &[]),
        QuoteStanding::Withdrawn => say("It was withdrawn. The homeowner can’t accept it.", &[]),
        _ => say("A newer quote took its place.", &[]),
    }));
    let reason = quote.answer.as_ref().map(|answer| answer.reason.as_str()).filter(|reason| !reason.is_empty());
    state = state.children(reason.map(|reason| Node::classed("blockquote", "said").text(reason.to_owned())));
    let mut facts = Vec::new();
    facts.extend(quote.sent_at.map(|at| ("Sent", format!("{}, {}", view.hours.age(at), quote.author))));
    facts.extend(quote.answered_at.map(|at| ("Answered", view.hours.age(at))));
    let facts = facts.into_iter().flat_map(|(name, value)| [el("dt").text(name), el("dd").text(value)]);
    state = state.child(Node::classed("dl", "facts").children(facts));
    if quote.state == QuoteState::Accepted {
        let said = say("Fingerprint of what was accepted: {digest}", &[("digest", &quote.digest)]);
        state = state.child(Node::classed("p", "hint quote-digest").text(said));
    }
    if let Some(newer) = view.newer {
        let path = format!("{}/{}{}", quotes_path(view.lead), newer.id, data(view.environment));
        state = state.child(div("pair").child(link(path, quote_title(language, newer)).set("class", "btn")));
    }
    if let Some(page) = view.page.filter(|_| view.standing != QuoteStanding::Replaced) {
        let address = el("code").set("id", "quote-link").text(page.to_owned());
        state = state
            .child(el("h3").text("The homeowner’s page"))
            .child(Node::classed("p", "quote-digest").child(address))
            .child(div("pair").child(copied("quote-link")));
    }
    let mut ways = div("pair").child(pdf_link(view, quote, "Open the PDF"));
    let can_change = matches!(
        view.standing,
        QuoteStanding::Open | QuoteStanding::Expired | QuoteStanding::Declined | QuoteStanding::Withdrawn
    );
    if can_change {
        let join = if view.environment == Environment::Sandbox { "&data=sandbox" } else { "" };
        let path = format!("{}/new?replaces={}{join}", quotes_path(view.lead), quote.id);
        ways = ways.child(link(path, "Change it").set("class", "btn"));
    }
    if view.standing == QuoteStanding::Open {
        if view.mails {
            ways = ways.child(act("again").child(button("btn", "Email it again")));
        }
        ways = ways.child(act("withdraw").child(button("btn bad", "Withdraw it")));
    }
    let mut all = vec![state.child(ways)];
    let choices = quote.content().choices.iter().map(|choice| shown(language, quote, choice));
    all.push(card("What was offered").child(div("quote-choices").children(choices)));
    if matches!(view.standing, QuoteStanding::Open | QuoteStanding::Expired) {
        let choices = quote.content().choices.iter().enumerate().map(|(n, choice)| {
            let radio = el("input").set("type", "radio").set("name", "choice").set("value", n.to_string());
            let radio = if n == 0 { radio.set("checked", "") } else { radio };
            let said = format!("{}, {}", choice.title, money(quote.content().sums(choice).total));
            Node::classed("label", "tick").child(radio).child(el("span").text(said))
        });
        let set = el("fieldset").child(el("legend").text("What was accepted")).child(div("ticks").children(choices));
        let enter = card("Accepted on paper or by phone?")
            .child(soft("Enter it here. The lead is then won for this price, as if the homeowner had accepted online."))
            .child(act("accept").child(set).child(div("pair").child(button("btn", "Enter the acceptance"))));
        all.push(enter);
    }
    all
}

fn accepted(language: Language, quote: &Quote) -> String {
    let (Some(choice), Some(answer)) = (quote.accepted(), &quote.answer) else { return String::new() };
    let sum = money(quote.content().sums(choice).total);
    let with = [("name", answer.name.as_str()), ("choice", &choice.title), ("sum", &sum)];
    let said = match answer.by_company {
        true => "{name} entered that “{choice}” was accepted for {sum}.",
        false => "Accepted online, signed “{name}”: “{choice}” for {sum}.",
    };
    phrase(language, said, &with)
}

fn shown(language: Language, quote: &Quote, choice: &QuoteChoice) -> Node {
    let content = quote.content();
    let sums = content.sums(choice);
    let mut rows: Vec<(Text, Usd)> =
        choice.items.iter().map(|item| (item.text.clone().into(), Usd::from_cents(item.cents))).collect();
    if let Some(tax) = sums.tax {
        let percent = percent_text(content.tax);
        rows.push(("Price".into(), sums.price));
        rows.push((phrase(language, "Tax, {percent}%", &[("percent", &percent)]).into(), tax));
    }
    rows.push(("Total".into(), sums.total));
    rows.extend(sums.deposit.map(|deposit| ("Deposit".into(), deposit)));
    let rows = rows.into_iter().flat_map(|(name, sum)| [el("dt").text(name), el("dd").text(money(sum))]);
    let includes = choice.includes.lines().filter(|line| !line.trim().is_empty());
    div("quote-choice")
        .child(el("h3").text(choice.title.clone()))
        .children((quote.accepted() == Some(choice)).then(|| pill("pill ok", "Accepted")))
        .children((!choice.material.is_empty()).then(|| soft(choice.material.clone())))
        .child(el("ul").children(includes.map(|line| el("li").text(line.to_owned()))))
        .child(Node::classed("dl", "facts").children(rows))
}
