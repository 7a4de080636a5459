//! The page of a quote, behind the link that its homeowner has: what is offered, and one form to accept it, one to decline.
//! Opening it changes nothing. Without any script, in the widget's colors.

use shingle_domain::Language;
use shingle_domain::public::PublicWidget;

use super::mail_link::CONFIRMATION;
use super::node::Node;
use super::page::{document, favicon, meta};
use crate::view::Markup;
use crate::view::block::picture;
use crate::words::flow_words;

pub struct QuotePage<'a> {
    pub title: String,
    /// What has become of it: a heading and what it means.
    pub state: Option<[String; 2]>,
    /// To whom, where, until when.
    pub about: &'a [String],
    /// What the company writes, a line each.
    pub message: &'a [String],
    pub choices: &'a [QuoteOffer],
    /// A heading and its lines.
    pub terms: Option<(String, Vec<String>)>,
    pub answer: Option<QuoteForms<'a>>,
    /// Labels and addresses.
    pub ways: &'a [(String, String)],
    /// In small letters at the end.
    pub small: Option<String>,
}

/// What can be chosen.
pub struct QuoteOffer {
    pub title: String,
    pub total: String,
    pub material: String,
    /// Its label and what it lists.
    pub includes: (String, Vec<String>),
    pub items: Vec<[String; 2]>,
    pub sums: Vec<[String; 2]>,
    pub deposit: Option<[String; 2]>,
    /// Said of the one that was accepted.
    pub mark: Option<String>,
}

/// The forms, with what was typed and what is wrong with it.
pub struct QuoteForms<'a> {
    pub seen: &'a str,
    /// The number of the choice.
    pub chosen: Option<usize>,
    pub name: &'a str,
    pub reason: &'a str,
    pub words: QuoteFormWords<'a>,
    /// Of choice, name, tick and reason.
    pub wrong: [Option<&'a str>; 4],
}

pub struct QuoteFormWords<'a> {
    pub choose: &'a str,
    pub your_choice: &'a str,
    pub name: &'a str,
    pub name_hint: &'a str,
    pub agree: &'a str,
    pub accept: &'a str,
    pub decline_title: &'a str,
    pub reason: &'a str,
    pub decline: &'a str,
}

/// `up`: from the page to where its style is.
pub fn quote_page(widget: &PublicWidget, language: Language, up: &str, of: &QuotePage<'_>) -> String {
    let style = |file: &str| Node::new("link").set("rel", "stylesheet").set("href", [up, file].concat());
    let head = Node::new("head").children([
        Node::new("meta").set("charset", "utf-8"),
        meta("viewport", "width=device-width, initial-scale=1, viewport-fit=cover"),
        meta("robots", "noindex"),
        Node::new("title").text(format!("{} · {}", of.title, widget.company_name)),
        favicon(widget),
        style("theme.css"),
        style("check.css"),
    ]);
    let logo = picture("c-logo", &widget.header_logo, widget.company_name.clone(), widget.color("--bg"));
    let top = Node::classed("header", "c-top c-wide-top").child(logo);
    let mut main = Node::classed("main", "c-card c-wide").child(Node::new("h1").text(of.title.clone()));
    if let Some([title, said]) = &of.state {
        let state = Node::classed("div", "c-when").set("role", "status");
        let said = (!said.is_empty()).then(|| Node::new("p").text(said.clone()));
        main = main.child(state.child(Node::new("h2").text(title.clone())).children(said));
    }
    let line = |class: &'static str| move |text: &String| Node::classed("p", class).text(text.clone());
    main = main.child(Node::classed("div", "q-about").children(of.about.iter().map(line("c-lead"))));
    main = main.children((!of.message.is_empty()).then(|| {
        Node::classed("div", "q-message").children(of.message.iter().map(|text| Node::new("p").text(text.clone())))
    }));
    let terms = of.terms.as_ref().map(|(title, lines)| {
        let lines = lines.iter().map(|text| Node::new("p").text(text.clone()));
        Node::classed("section", "q-terms").child(Node::new("h2").text(title.clone())).children(lines)
    });
    match &of.answer {
        None => main = main.child(offers(of, None)).children(terms),
        Some(forms) => {
            let accept = form("q-form", forms.seen, "accept")
                .child(offers(of, Some(forms)))
                .children(terms)
                .child(signature(forms));
            main = main.child(accept).child(decline(forms));
        }
    }
    if !of.ways.is_empty() {
        let way = |(label, href): &(String, String)| {
            Node::new("li").child(Node::new("a").set("href", href.clone()).set("rel", "noreferrer").text(label.clone()))
        };
        main = main.child(Node::classed("ul", "c-ways").children(of.ways.iter().map(way)));
    }
    main = main.children(of.small.as_ref().map(|text| Node::classed("p", "q-small").text(text.clone())));
    let body = Node::classed("body", "check").children([top, main]);
    document(Node::new("html").set("lang", language.tag()).child(head).child(body), flow_words(language))
}

fn form(class: &'static str, seen: &str, answer: &'static str) -> Node {
    let hidden = |name: &'static str, value: String| {
        Node::new("input").set("type", "hidden").set("name", name).set("value", value)
    };
    let [name, value] = CONFIRMATION;
    // Ours say what is wrong, in the page's language.
    let form = Node::new("form").set("method", "post").set("class", class).set("novalidate", "");
    form.child(hidden(name, value.to_owned()))
        .child(hidden("answer", answer.to_owned()))
        .child(hidden("seen", seen.to_owned()))
}

fn trouble(id: &'static str, text: &str) -> Node {
    Node::classed("p", "c-trouble").set("id", id).set("role", "alert").text(text.to_owned())
}

/// Beside each other, or one under another on a phone; with a form, one of them is chosen.
fn offers(of: &QuotePage<'_>, forms: Option<&QuoteForms<'_>>) -> Node {
    let cards = of.choices.iter().enumerate().map(|(n, choice)| offer(n, choice, forms, of.choices.len()));
    let grid = Node::classed("div", "q-offers").children(cards);
    let Some(forms) = forms else { return grid };
    let [wrong, ..] = forms.wrong;
    let set = Node::classed("fieldset", "q-choose").child(Node::new("legend").text(forms.words.choose.to_owned()));
    let set = match wrong {
        Some(wrong) => set.set("aria-describedby", "choice-said").child(trouble("choice-said", wrong)),
        None => set,
    };
    set.child(grid)
}

fn rows(class: &'static str, rows: &[[String; 2]]) -> Option<Node> {
    let rows: Vec<Node> = rows
        .iter()
        .flat_map(|[name, sum]| [Node::new("dt").text(name.clone()), Node::new("dd").text(sum.clone())])
        .collect();
    (!rows.is_empty()).then(|| Node::classed("dl", class).children(rows))
}

fn offer(n: usize, choice: &QuoteOffer, forms: Option<&QuoteForms<'_>>, count: usize) -> Node {
    let title = Node::new("h2").text(choice.title.clone());
    let total = Node::classed("p", "q-total").set("id", format!("offer-{n}")).text(choice.total.clone());
    let (label, lines) = &choice.includes;
    let includes = (!lines.is_empty()).then(|| {
        let lines = lines.iter().map(|line| Node::new("li").text(line.clone()));
        Node::new("div").child(Node::classed("p", "q-label").text(label.clone())).child(Node::new("ul").children(lines))
    });
    let mut card = Node::classed("div", "q-offer")
        .child(title)
        .child(total)
        .children((!choice.material.is_empty()).then(|| Node::new("p").text(choice.material.clone())))
        .children(includes)
        .children(rows("q-rows", &choice.items))
        .children((choice.sums.len() > 1).then(|| rows("q-rows q-sums", &choice.sums)).flatten())
        .children(choice.deposit.as_ref().and_then(|deposit| rows("q-rows", std::slice::from_ref(deposit))))
        .children(choice.mark.as_ref().map(|mark| Node::classed("p", "q-mark").text(mark.clone())));
    if let Some(forms) = forms {
        let radio = Node::new("input")
            .set("type", "radio")
            .set("name", "choice")
            .set("id", format!("choice-{n}"))
            .set("value", n.to_string())
            .set("aria-describedby", format!("offer-{n}"));
        // One offer needs no choice.
        let radio = if forms.chosen == Some(n) || count == 1 { radio.set("checked", "") } else { radio };
        let said = format!("{}: {}", forms.words.your_choice, choice.title);
        card = card.child(Node::classed("label", "q-pick").child(radio).child(Node::new("span").text(said)));
    }
    card
}

fn signature(forms: &QuoteForms<'_>) -> Node {
    let [_, name_wrong, tick_wrong, _] = forms.wrong;
    let words = &forms.words;
    let name = Node::new("input")
        .set("id", "name")
        .set("name", "name")
        .set("autocomplete", "name")
        .set("maxlength", "100")
        .set("required", "")
        .set("value", forms.name.to_owned());
    let name = match name_wrong {
        Some(_) => name.set("aria-invalid", "true").set("aria-describedby", "name-said name-hint"),
        None => name.set("aria-describedby", "name-hint"),
    };
    let tick = Node::new("input").set("type", "checkbox").set("name", "agree").set("value", "yes").set("required", "");
    let tick = match tick_wrong {
        Some(_) => tick.set("aria-invalid", "true").set("aria-describedby", "agree-said"),
        None => tick,
    };
    Node::classed("div", "q-sign")
        .child(Node::new("label").set("for", "name").text(words.name.to_owned()))
        .child(name)
        .child(Node::classed("p", "q-hint").set("id", "name-hint").text(words.name_hint.to_owned()))
        .children(name_wrong.map(|wrong| trouble("name-said", wrong)))
        .child(Node::classed("label", "q-tick").child(tick).child(Node::new("span").text(words.agree.to_owned())))
        .children(tick_wrong.map(|wrong| trouble("agree-said", wrong)))
        .child(Node::new("button").set("type", "submit").text(words.accept.to_owned()))
}

/// Folded up, so that nobody declines by mistake.
fn decline(forms: &QuoteForms<'_>) -> Node {
    let [.., wrong] = forms.wrong;
    let words = &forms.words;
    let reason = Node::new("textarea")
        .set("id", "reason")
        .set("name", "reason")
        .set("rows", "3")
        .set("maxlength", "1000")
        .text(forms.reason.to_owned());
    let reason = match wrong {
        Some(_) => reason.set("aria-invalid", "true").set("aria-describedby", "reason-said"),
        None => reason,
    };
    let inside = form("q-form quiet", forms.seen, "decline")
        .child(Node::new("label").set("for", "reason").text(words.reason.to_owned()))
        .child(reason)
        .children(wrong.map(|wrong| trouble("reason-said", wrong)))
        .child(Node::new("button").set("type", "submit").text(words.decline.to_owned()));
    let fold = Node::classed("details", "q-decline").child(Node::new("summary").text(words.decline_title.to_owned()));
    let fold = if wrong.is_some() { fold.set("open", "") } else { fold };
    fold.child(inside)
}
