//! A whole page: head, search, text, and the list of pages.

use crate::book::{FIRST, Page, pages};
use crate::search::{Excerpt, Hit, search};

/// `/manual.css`
pub fn style() -> &'static str {
    include_str!("../../../www/manual.css")
}

/// A page by its name; `index` is the first.
pub fn manual_page(name: &str) -> Option<String> {
    let at = pages().iter().position(|page| page.name == name)?;
    let page = &pages()[at];
    let mut text = contents(page).map_or_else(
        || page.html.clone(),
        |contents| match page.html.split_once("</h1>") {
            Some((title, rest)) => format!("{title}</h1>\n{contents}{rest}"),
            None => page.html.clone(),
        },
    );
    let beside = |at: Option<usize>, rel: &str, word: &str| {
        let page = at.and_then(|at| pages().get(at))?;
        let (path, title) = (page.path(), escaped(&page.title));
        Some(format!("<a rel=\"{rel}\" href=\"{path}\"><span>{word}</span> {title}</a>"))
    };
    let before = beside(at.checked_sub(1), "prev", "Previous:").unwrap_or_default();
    let after = beside(Some(at + 1), "next", "Next:").unwrap_or_default();
    text += &format!("<nav class=\"beside\" aria-label=\"Previous and next page\">{before}{after}</nav>");
    Some(document(&page.title, name, "", &text))
}

/// What was found for a query.
pub fn search_page(query: &str) -> String {
    let query = query.trim();
    let hits = search(query);
    let mut text = "<h1>Search</h1>".to_owned();
    text += &match (query.is_empty(), hits.len()) {
        (true, _) => "<p>Type words, or a message as the program showed it.</p>".to_owned(),
        (false, 0) => format!(
            "<p>Nothing in the manual has the words <q>{}</q>. Try fewer, or a setting's name.</p>",
            escaped(query)
        ),
        (false, 1) => format!("<p>One section for <q>{}</q>:</p>", escaped(query)),
        (false, found) => format!("<p>{found} sections for <q>{}</q>, the best first:</p>", escaped(query)),
    };
    text += "<ol class=\"hits\">";
    for hit in &hits {
        text += &line(hit);
    }
    text += "</ol>";
    document("Search", "", query, &text)
}

fn line(hit: &Hit) -> String {
    let (path, anchor, heading) = (hit.page.path(), &hit.section.anchor, escaped(&hit.section.heading));
    let of =
        if hit.section.heading == hit.page.title { String::new() } else { format!("{}: ", escaped(&hit.page.title)) };
    format!("<li><a href=\"{path}#{anchor}\">{of}{heading}</a><p>{}</p></li>", shown(&hit.excerpt))
}

fn shown(excerpt: &Excerpt) -> String {
    let mut text = String::new();
    if excerpt.is_cut_before {
        text += "… ";
    }
    for (at, part) in excerpt.parts.iter().enumerate() {
        match (at % 2 == 1, part.is_empty()) {
            (true, false) => text += &format!("<mark>{}</mark>", escaped(part)),
            _ => text += &escaped(part),
        }
    }
    if excerpt.is_cut_after {
        text += " …";
    }
    text
}

/// The headings of a longer page.
fn contents(page: &Page) -> Option<String> {
    let headings: Vec<_> = page.sections.iter().skip(1).collect();
    if headings.len() < 3 || page.name == FIRST {
        return None;
    }
    let lines: String = headings
        .iter()
        .filter(|section| page.html.contains(&format!("<h2 id=\"{}\">", section.anchor)))
        .map(|section| format!("<li><a href=\"#{}\">{}</a></li>", section.anchor, escaped(&section.heading)))
        .collect();
    Some(format!("<nav class=\"contents\" aria-label=\"On this page\"><ul>{lines}</ul></nav>\n"))
}

/// All pages, with the open one marked.
fn list(open: &str) -> String {
    let mut text = "<ul>".to_owned();
    let mut part = "";
    for page in pages() {
        if page.part != part {
            part = &page.part;
            text += &format!("</ul><h2>{}</h2><ul>", escaped(part));
        }
        let current = if page.name == open { " aria-current=\"page\"" } else { "" };
        text += &format!("<li><a href=\"{}\"{current}>{}</a></li>", page.path(), escaped(&page.title));
    }
    text + "</ul>"
}

fn document(title: &str, open: &str, query: &str, text: &str) -> String {
    let name =
        if open == FIRST { "Shingle manual".to_owned() } else { format!("{} · Shingle manual", escaped(title)) };
    let (query, version, pages) = (escaped(query), env!("CARGO_PKG_VERSION"), list(open));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1, viewport-fit=cover\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{name}</title>\
         <link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/manual.css\"></head>\n<body>\
         <a class=\"skip\" href=\"#text\">Skip to the text</a>\
         <header><a class=\"mark\" href=\"/manual\">Shingle manual</a><a class=\"to-pages\" href=\"#pages\">All pages</a>\
         <form role=\"search\" action=\"/manual/search\"><label for=\"q\">Search the manual</label>\
         <input id=\"q\" name=\"q\" type=\"search\" value=\"{query}\" maxlength=\"400\" placeholder=\"Words or a message\">\
         <button>Search</button></form></header>\n\
         <main id=\"text\" tabindex=\"-1\">{text}</main>\n\
         <nav id=\"pages\" aria-label=\"Pages of the manual\">{pages}<p>For Shingle {version}</p></nav>\
         </body></html>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_text_and_no_markup() {
        let page = search_page("\"><script>alert(1)</script> & backup");
        assert!(!page.contains("<script"));
        assert!(page.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; backup\""));
    }

    #[test]
    fn a_page_is_in_the_list_and_names_its_neighbors() {
        let names: Vec<&str> = crate::book::names().collect();
        for name in &names {
            let page = manual_page(name).unwrap_or_default();
            assert_eq!(page.matches("aria-current").count(), 1, "{name}");
            assert_eq!(page.contains("rel=\"prev\""), *name != names[0], "{name}");
            assert_eq!(page.contains("rel=\"next\""), Some(name) != names.last(), "{name}");
        }
        assert!(manual_page("elsewhere").is_none());
    }
}
