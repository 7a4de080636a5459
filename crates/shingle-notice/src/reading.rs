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
