//! The estimate as a page of its own, which fits one sheet of paper. It shows nothing of the person: anyone who has its
//! link sees the address, the drawing and the price.
//!
//! # Decision
//!
//! The linked estimate and the paper sheet are one page, whose drawing takes the remaining height. Of more than
//! twelve facets the twelve largest are listed and the rest summed, so any roof fits one sheet; only a long list of
//! what is included continues on a second. Turned down: a table of all facets on a second sheet, which nobody keeps;
//! separate pages for screen and paper.

use shingle_domain::Language;
use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::{PublicWidget, RoofFound, ShownStep};
use shingle_domain::settings::WidgetSettings;

use super::facet_list::facet_list;
use super::frame::{document, favicon, meta};
use super::hatches::hatches;
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::ssr::part::{long_day, monthly_terms};
use crate::view::block::picture;
use crate::view::frame::say;
use crate::view::photo::beside;
use crate::view::plan::{Picked, found};
use crate::view::roof::{source, source_name};
use crate::view::{Markup, Text, estimate as view};
use crate::words::{Word, Words, complexity, dollars, flow_words, material, squares, tenths, thousands, w};

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
    /// The inspection that is booked, in words, and the address of its page.
    pub inspection: Option<[&'a str; 2]>,
    /// From the page to where its style is: `../` for each step up.
    pub up: &'static str,
}

/// Characters of a line in a column of three.
const IN_COLUMN: usize = 30;
/// Lines of a column that fit beside the others at no cost.
const USUAL_LINES: usize = 4;
/// What the price includes goes to the next page if it is longer.
const MOST_LINES: usize = 16;
/// What a note under the columns takes, in lines; and the list of the largest facets.
const LINES_OF_NOTE: usize = 3;
const LINES_OF_FACETS: usize = 6;
/// From the highest drawing to the lowest, each this many lines lower, so that all of it stays on one page.
const DRAWING_HEIGHTS: [&str; 7] = ["draw", "draw h-1", "draw h-2", "draw h-3", "draw h-4", "draw h-5", "draw h-6"];
const LINES_OF_STEP: usize = 3;
/// What a sheet holds beside the lowest drawing.
const MOST_EXTRA: usize = LINES_OF_STEP * (DRAWING_HEIGHTS.len() - 1);

fn lines_of(text: &str, characters: usize) -> usize {
    text.chars().count().div_ceil(characters)
}

pub fn sheet_page(of: &Sheet<'_>) -> String {
    let words = flow_words(of.language);
    let title = words.fill(w::SHEET_TITLE, &[("address", of.address)]);
    let print = Node::classed("button", "s-print").set("type", "button").set("hidden", "").text(w::SHEET_PRINT);
    let inspection =
        of.inspection.map(|[said, href]| Node::new("a").set("href", href.to_owned()).text(said.to_owned()));
    let bar = Node::classed("p", "s-bar").child(print).children(inspection).child(home_link(
        of.widget,
        of.language,
        w::SHEET_HOME,
    ));
    let flags = view::flags::<Node>(&of.shown.sheet);
    // The flags' heading is a line.
    let headings = usize::from(!flags.is_empty());
    let notes = view::assumed::<Node>(words, &of.shown.sheet).into_iter().chain(flags);
    let notes: Vec<Node> = notes.chain(monthly(words, of)).collect();
    let lines_of_notes = (notes.len() - headings) * LINES_OF_NOTE + headings;
    let facets = of.shown.roof.as_ref().and_then(|roof| facet_list(words, roof, of.shown.chosen));
    let extra = lines_of_notes + facets.as_ref().map_or(0, |_| LINES_OF_FACETS);
    let (includes, lines) = includes(words, of).unzip();
    let lines = lines.unwrap_or_default();
    let longer = lines.max(USUAL_LINES + lines_of_size(words, of)).saturating_sub(USUAL_LINES);
    let fits = lines <= MOST_LINES && extra + longer <= MOST_EXTRA;
    let (column, later, extra) =
        if fits { (includes, None, extra + longer) } else { (Some(elsewhere()), includes, extra) };
    let height = extra.div_ceil(LINES_OF_STEP).min(DRAWING_HEIGHTS.len() - 1);
    let drawn = Node::classed("div", DRAWING_HEIGHTS[height]);
    let photo = of.shown.roof.as_ref().and_then(|roof| Some(beside::<Node>(words, roof, roof.photo.as_ref()?)));
    let article = Node::classed("article", "sheet")
        .child(top(of))
        .child(Node::new("h1").text(title.clone()))
        .child(Node::new("p").text(made(words, of)))
        .child(price(words, of))
        .child(Node::classed("div", "drawn").child(drawn.children(drawing(words, of))).children(photo))
        .children(facets)
        .child(columns(words, of, column))
        .children(notes)
        .child(fine(words, of));
    let next = later.map(|includes| Node::classed("section", "sheet next").child(includes));
    let main = Node::new("main").child(article).children(next);
    frame(of.widget, of.language, of.up, title, vec![bar, main])
}

/// The page of a link that is too old, switched off, or of a lead that was erased. It says nothing about what existed.
pub fn ended_page(widget: &PublicWidget, language: Language, up: &'static str) -> String {
    let words = flow_words(language);
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
    document(Node::new("html").set("lang", language.tag()).child(head).child(body), flow_words(language))
}

fn top(of: &Sheet<'_>) -> Node {
    let widget = of.widget;
    let logo = picture("s-logo", &widget.header_logo, widget.company_name.clone(), [255; 3]);
    let mut company = Node::new("p")
        .child(Node::new("b").text(widget.company_name.clone()))
        .child(Node::new("br"))
        .children(address_line(widget))
        .text([&widget.company_phone, " · ", &widget.company_email].concat());
    if let Some(license) = of.settings.license(of.language) {
        let license = flow_words(of.language).fill(w::LICENSE, &[("license", license)]);
        company = company.child(Node::new("br")).text(license);
    }
    Node::classed("header", "top").child(logo).child(company)
}

/// With its end, if the company gave an address.
fn address_line(widget: &PublicWidget) -> Vec<Node> {
    if widget.company_address.is_empty() {
        return Vec::new();
    }
    vec![Node::new("span").text(widget.company_address.clone()), Node::new("br")]
}

fn made(words: Words, of: &Sheet<'_>) -> String {
    words.fill(w::SHEET_MADE, &[("date", &long_day(words, of.made)), ("reference", of.reference)])
}

fn price(words: Words, of: &Sheet<'_>) -> Node {
    let between = words.fill(w::SHEET_BETWEEN, &[("low", &dollars(of.price.low)), ("high", &dollars(of.price.high))]);
    let sum = view::sum_on_paper::<Node>(words, &of.shown.sheet, of.price);
    let lines = Node::classed("div", "sum").child(Node::classed("p", "rg").text(between)).child(sum);
    Node::classed("div", "pr").child(Node::new("b").text(dollars(of.price.cost))).child(lines)
}

fn drawing(words: Words, of: &Sheet<'_>) -> Vec<Node> {
    let chosen = Some(of.shown.chosen);
    let picked = of.shown.roof.as_ref().map(|roof| Picked { roof, chosen, priced: true, unit: None });
    let hatches = of.shown.roof.as_ref().and_then(|roof| hatches(words, roof, of.shown.chosen));
    hatches.into_iter().chain(found(words, picked, Detail::Paper, None)).collect()
}

fn area(words: Words, of: &Sheet<'_>) -> String {
    [&thousands(of.shown.sheet.roof_area.into()), " ", words.text(w::SQUARE_FEET)].concat()
}

/// By how many lines the size with its unit is longer than one line.
fn lines_of_size(words: Words, of: &Sheet<'_>) -> usize {
    lines_of(&[words.text(w::FACTS.at(0)), " ", &area(words, of)].concat(), IN_COLUMN).saturating_sub(1)
}

fn columns(words: Words, of: &Sheet<'_>, includes: Option<Node>) -> Node {
    let sheet = &of.shown.sheet;
    let row = |name: Text, value: Node| [Node::new("dt").text(name), value];
    let value = |text: String| Node::new("dd").text(text);
    let beside = |text: String, small: String| value(text).text(" ").child(Node::new("small").text(small));
    let rise = tenths(i64::from(sheet.rise_halves) * 5);
    let plain = words.fill(w::RISE_PLAIN, &[("rise", &rise)]);
    let pitch = if sheet.assumed_pitch.is_some() { w::PITCH_ASSUMED } else { w::FACTS.at(2) };
    let area = value(area(words, of));
    let mut facts = Node::new("dl")
        .children(row(w::FACTS.at(0).into(), area))
        .children(row(w::FACTS.at(1).into(), value(squares(sheet.roof_area.into()))))
        .children(row(pitch.into(), beside([&rise, "/12"].concat(), plain)));
    if sheet.complexity.is_some() {
        let facets = sheet.facets.map(|n| words.number(w::FACETS, n as usize)).unwrap_or_default();
        let named = words.text(complexity(sheet.complexity)).to_owned();
        facts = facts.children(row(w::FACTS.at(3).into(), beside(named, facets)));
    }
    let mut columns = vec![Node::new("div").child(Node::new("h2").text(w::MEASURED)).child(facts)];
    let others = sheet.prices.iter().filter(|other| other.material != of.price.material);
    let others: Vec<_> =
        others.flat_map(|other| row(material(other.material).into(), value(dollars(other.cost)))).collect();
    if !others.is_empty() {
        let list = Node::new("dl").children(others);
        columns.push(Node::new("div").child(Node::new("h2").text(w::SHEET_OTHERS)).child(list));
    }
    columns.extend(includes);
    Node::classed("div", "cols").children(columns)
}

/// What the price includes, if its owner has said, and how many lines of the column that fills.
fn includes(words: Words, of: &Sheet<'_>) -> Option<(Node, usize)> {
    let language = of.language;
    let included = of.settings.price_includes(language).iter().cloned();
    let excluded = of.settings.price_excludes(language).iter().map(|what| words.fill(w::TERMS_NOT, &[("what", what)]));
    let texts = included.map(|text| ("+ ", text)).chain(excluded.map(|text| ("− ", text)));
    let (lines, rows): (Vec<_>, Vec<_>) =
        texts.map(|(sign, text)| (lines_of(&text, IN_COLUMN), Node::new("li").text(sign).text(text))).unzip();
    let column = Node::new("div").child(Node::new("h2").text(w::TERMS_INCLUDES));
    (!rows.is_empty()).then(|| (column.child(Node::new("ul").children(rows)), lines.into_iter().sum()))
}

/// Where the company gives an example: APR, term, payments and total in one block.
fn monthly(words: Words, of: &Sheet<'_>) -> Option<Node> {
    let text = monthly_terms(words, of.settings, of.price.cost)?;
    Some(Node::classed("p", "monthly").child(Node::new("b").text(w::MONTHLY_TITLE)).text(": ").text(text))
}

fn elsewhere() -> Node {
    Node::new("div").child(Node::new("h2").text(w::TERMS_INCLUDES)).child(Node::new("p").text(w::SHEET_INCLUDES_NEXT))
}

/// What the drawing was made of.
fn origin(words: Words, roof: &RoofFound) -> Node {
    let name = source_name(words, roof).map(|name| [name.as_str(), " "].concat());
    Node::new("span").text(source(words, roof)).text(" ").text(name.unwrap_or_default())
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
        .children(of.shown.roof.as_ref().map(|roof| origin(words, roof)))
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
