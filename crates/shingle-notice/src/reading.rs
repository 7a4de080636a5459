//! A mail as its reader sees it, for tests.

/// The text with every run of blanks as one.
pub fn flowed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a mail program shows of the HTML.
pub fn shown(html: &str) -> String {
    let body = html.split_once("</head>").unwrap().1;
    let text: String =
        body.split('<').skip(1).map(|part| part.split_once('>').unwrap().1).collect::<Vec<_>>().join(" ");
    let pairs = [("&nbsp;", " "), ("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    flowed(&pairs.iter().fold(text, |text, (from, to)| text.replace(from, to)))
}

/// The first tag that closes another element than the last one that was opened.
pub fn unbalanced(html: &str) -> Option<&str> {
    let mut open = Vec::new();
    for tag in html.split('<').skip(2).map(|part| part.split_once('>').unwrap().0) {
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return Some(tag);
            }
        } else if !["meta", "img"].contains(&name) {
            open.push(name);
        }
    }
    open.pop()
}

#[test]
fn an_element_that_is_not_closed_is_found() {
    assert_eq!(unbalanced("<!doctype html><p><img a=\"b\"><b>x</b></p>"), None);
    assert_eq!(unbalanced("<!doctype html><p><b>x</p>"), Some("/p"));
    assert_eq!(unbalanced("<!doctype html><p>x</p><td>"), Some("td"));
}
