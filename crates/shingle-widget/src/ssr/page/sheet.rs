//! The estimate as a page of its own, which fits one sheet of paper. It shows nothing of the person: whoever has its link
//! sees the address, the drawing and the price.

use shingle_domain::Usd;
use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::{PublicWidget, ShownStep};
use shingle_domain::settings::WidgetSettings;

use super::frame::{document, favicon, meta};
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::ssr::part::long_day;
use crate::view::block::picture;
use crate::view::frame::say;
use crate::view::plan::{Picked, found};
use crate::view::{Markup, Text};
use crate::words::{Language, Word, Words, complexity, dollars, material, material_in_text, tenths, thousands, w};

/// What is on the sheet.
#[derive(Debug, Clone, Copy)]
pub struct Sheet<'a> {
    pub widget: &'a PublicWidget,
    pub settings: &'a WidgetSettings,
    pub language: Language,
    /// With its town.
    pub address: &'a str,
    pub reference: &'a str,
    pub shown: &'a ShownStep,
    pub price: &'a MaterialPrice,
    pub made: VisitDate,
    pub until: VisitDate,
    /// The whole address of this page.
    pub link: &'a str,
    /// From the page to where its style is: `../` for each step up.
    pub up: &'static str,
}

pub fn sheet_page(of: &Sheet<'_>) -> String {
    let words = of.language.words();
    let title = words.fill(w::SHEET_TITLE, &[("address", of.address)]);
    let print = Node::classed("button", "s-print").set("type", "button").set("hidden", "").text(w::SHEET_PRINT);
    let bar = Node::classed("p", "s-bar").child(print).child(home_link(of.widget, of.language, w::SHEET_HOME));
    let article = Node::classed("article", "sheet")
        .child(top(of))
        .child(Node::new("h1").text(title.clone()))
        .child(Node::new("p").text(made(words, of)))
        .child(price(words, of))
        .child(Node::classed("div", "draw").children(drawing(words, of)))
        .child(columns(words, of))
        .children(monthly(words, of))
        .child(fine(words, of));
    frame(of.widget, of.language, of.up, title, vec![bar, Node::new("main").child(article)])
}

/// The page of a link that is too old, switched off, or of a lead that was erased. It says nothing about what existed.
pub fn ended_page(widget: &PublicWidget, language: Language, up: &'static str) -> String {
    let words = language.words();
    let heading = words.text(w::SHEET_ENDED.at(0));
    let main = Node::classed("main", "sheet")
        .child(Node::new("h1").text(heading))
        .child(Node::new("p").text(say(words, widget, w::SHEET_ENDED.at(1), &[])))
        .child(Node::new("p").child(home_link(widget, language, w::SHEET_HOME)));
    frame(widget, language, up, heading.to_owned(), vec![main])
}

fn frame(widget: &PublicWidget, language: Language, up: &'static str, title: String, body: Vec<Node>) -> String {
    let at = |file: &str| [up, file].concat();
    let head = Node::new("head").children([
        Node::new("meta").set("charset", "utf-8"),
        meta("viewport", "width=device-width, initial-scale=1"),
        meta("robots", "noindex"),
        Node::new("title").text([&title, " · ", &widget.company_name].concat()),
        favicon(widget),
        Node::new("link").set("rel", "stylesheet").set("href", at("sheet.css")),
        Node::new("script").set("src", at("sheet.js")).set("defer", ""),
    ]);
    let body = Node::new("body").children(body);
    document(Node::new("html").set("lang", language.tag()).child(head).child(body), language.words())
}

fn top(of: &Sheet<'_>) -> Node {
    let widget = of.widget;
    let logo = picture(Node::new("img"), &widget.header_logo, widget.company_name.clone());
    let mut company = Node::new("p")
        .child(Node::new("b").text(widget.company_name.clone()))
        .child(Node::new("br"))
        .text(widget.company_address.clone())
        .child(Node::new("br"))
        .text([&widget.company_phone, " · ", &widget.company_email].concat());
    if let Some(license) = of.settings.license(of.language.into()) {
        company = company.child(Node::new("br")).text(license.to_owned());
    }
    Node::classed("header", "top").child(logo).child(company)
}

fn made(words: Words, of: &Sheet<'_>) -> String {
    words.fill(w::SHEET_MADE, &[("date", &long_day(words, of.made)), ("reference", of.reference)])
}

fn price(words: Words, of: &Sheet<'_>) -> Node {
    let (sheet, price) = (&of.shown.sheet, of.price);
    let between = words.fill(w::SHEET_BETWEEN, &[("low", &dollars(price.low)), ("high", &dollars(price.high))]);
    let with = [
        ("squares", &*tenths(sheet.squares_tenths.into())),
        ("price", &dollars(price.price_per_square)),
        ("material", &words[material_in_text(price.material)]),
    ];
    let lines = Node::new("span")
        .child(Node::classed("span", "rg").text(between))
        .child(Node::new("span").text(words.fill(w::SUM, &with)));
    Node::classed("div", "pr").child(Node::new("b").text(dollars(price.cost))).child(lines)
}

fn drawing(words: Words, of: &Sheet<'_>) -> Vec<Node> {
    let chosen = Some(of.shown.chosen);
    let picked = of.shown.roof.as_ref().map(|roof| Picked { roof, chosen, priced: true, unit: None });
    found(words, picked, Detail::Areas, None)
}

fn columns(words: Words, of: &Sheet<'_>) -> Node {
    let sheet = &of.shown.sheet;
    let row = |name: Text, value: String| [Node::new("dt").text(name), Node::new("dd").text(value)];
    let rise = [&tenths(i64::from(sheet.rise_halves) * 5), "/12 (", &tenths(sheet.pitch_tenths.into()), "°)"].concat();
    let mut facts = Node::new("dl")
        .children(row(
            w::FACTS.at(0).into(),
            [&thousands(sheet.roof_area.into()), " ", words.text(w::SQUARE_FEET)].concat(),
        ))
        .children(row(w::FACTS.at(1).into(), tenths(sheet.squares_tenths.into())))
        .children(row(w::FACTS.at(2).into(), rise));
    if sheet.complexity.is_some() {
        facts = facts.children(row(w::FACTS.at(3).into(), words.text(complexity(sheet.complexity)).to_owned()));
    }
    let mut columns = vec![Node::new("div").child(Node::new("h2").text(w::MEASURED)).child(facts)];
    let others = sheet.prices.iter().filter(|other| other.material != of.price.material);
    let others: Vec<_> = others.flat_map(|other| row(material(other.material).into(), dollars(other.cost))).collect();
    if !others.is_empty() {
        let list = Node::new("dl").children(others);
        columns.push(Node::new("div").child(Node::new("h2").text(w::SHEET_OTHERS)).child(list));
    }
    columns.push(includes(of));
    Node::classed("div", "cols").children(columns)
}

/// What the price includes, as its owner has said, or that it is not said.
fn includes(of: &Sheet<'_>) -> Node {
    let language = of.language.into();
    let line = |sign: &'static str| move |text: &String| Node::new("li").text(sign).text(text.clone());
    let included = of.settings.price_includes(language).iter().map(line("+ "));
    let excluded = of.settings.price_excludes(language).iter().map(line("− "));
    let lines: Vec<_> = included.chain(excluded).collect();
    let column = Node::new("div").child(Node::new("h2").text(w::SHEET_INCLUDES));
    if lines.is_empty() {
        column.child(Node::new("p").text(w::SHEET_NOT_SAID))
    } else {
        column.child(Node::new("ul").children(lines))
    }
}

/// Where the company gives an example: APR, term, payments and total in one block.
fn monthly(words: Words, of: &Sheet<'_>) -> Option<Node> {
    let payment = of.settings.monthly_payment.as_ref()?;
    let plan = payment.example(of.price.cost)?;
    let with = [
        ("price", dollars(of.price.cost)),
        ("apr", payment.apr_percent.to_string()),
        ("n", payment.months.to_string()),
        ("payment", exact(plan.each)),
        ("total", exact(plan.total)),
    ];
    let with = with.each_ref().map(|(name, value)| (*name, value.as_str()));
    let text = words.fill(w::SHEET_MONTHLY.at(1), &with);
    Some(Node::classed("p", "monthly").child(Node::new("b").text(w::SHEET_MONTHLY.at(0))).text(" ").text(text))
}

/// `$24,493.20`
fn exact(of: Usd) -> String {
    format!("${}.{:02}", thousands(of.cents() / 100), of.cents() % 100)
}

fn home_link(widget: &PublicWidget, language: Language, label: Word) -> Node {
    let href = [&widget.base_url, "/w/", &widget.id.to_string(), "?lang=", language.tag()].concat();
    Node::new("a").set("href", href).text(label)
}

fn fine(words: Words, of: &Sheet<'_>) -> Node {
    let note = Node::new("p")
        .child(Node::new("b").text(w::NOTE.at(0)))
        .text(" ")
        .text(say(words, of.widget, w::NOTE.at(1), &[]))
        .text(" ")
        .text(words.fill(w::SHEET_AS_OF, &[("date", &long_day(words, of.made))]));
    let link = Node::new("a").set("href", of.link.to_owned()).text(of.link.to_owned());
    let again = Node::classed("p", "again")
        .text(w::SHEET_AGAIN)
        .text(" ")
        .child(link)
        .text(" ")
        .text(words.fill(w::SHEET_UNTIL, &[("date", &long_day(words, of.until))]));
    Node::classed("footer", "fine").child(note).child(again)
}
