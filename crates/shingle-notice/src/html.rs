//! A letter as HTML for mail programs: tables and inline styles in one column, a dark palette by media query. What a
//! program drops must not take a fact with it.

use crate::letter::{Amount, Block, Button, Letter, Row, Span};
use crate::skin::{Colors, Skin};

const FONT: &str = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const TABLE: &str = r#"<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0""#;

pub fn render(letter: &Letter) -> String {
    let mut page = Page { out: String::with_capacity(16_384), skin: &letter.skin };
    page.head(letter);
    for block in &letter.blocks {
        page.block(block);
    }
    page.foot(&letter.footer);
    page.out
}

struct Page<'a> {
    out: String,
    skin: &'a Skin,
}

/// Escaped for text and for attributes in double quotes.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\u{a0}' => safe.push_str("&nbsp;"),
            c => safe.push(c),
        }
    }
    safe
}

/// A link that a mail program may follow: nothing but web, mail and phone.
fn safe_href(href: &str) -> Option<String> {
    ["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| href.starts_with(scheme)).then(|| escape(href))
}

fn rules(colors: &Colors) -> String {
    let Colors { page, card, text, muted, title, line, fill, on_fill, outline, link } = colors;
    format!(
        ".pg{{background:{page}!important}}.cd{{background:{card}!important}}.tx{{color:{text}!important}}\
         .mu{{color:{muted}!important}}.ti{{color:{title}!important}}.ln{{border-color:{line}!important}}\
         .nb{{border-color:{title}!important}}.bp{{background:{fill}!important;border-color:{fill}!important;\
         color:{on_fill}!important}}.bs{{background:{card}!important;border-color:{outline}!important;\
         color:{outline}!important}}.li{{color:{link}!important}}"
    )
}

impl Page<'_> {
    fn add(&mut self, parts: &[&str]) {
        parts.iter().for_each(|part| self.out.push_str(part));
    }

    fn light(&self) -> &Colors {
        &self.skin.light
    }

    fn head(&mut self, letter: &Letter) {
        let (tag, subject, preview) = (letter.language.tag(), escape(&letter.subject), escape(&letter.preview));
        let page = self.light().page.clone();
        let card = self.light().card.clone();
        let style = format!(
            ":root{{color-scheme:light dark;supported-color-schemes:light dark}}\
             @media (max-width:480px){{.bt{{display:block!important;margin:0 0 8px!important}}.pd{{padding:20px 18px!important}}\
             .ou{{padding:12px!important}}.lb{{width:92px!important}}}}\
             @media (prefers-color-scheme:dark){{{}}}",
            rules(&self.skin.dark)
        );
        self.add(&[
            "<!doctype html>\n<html lang=\"",
            tag,
            "\">\n<head>\n<meta charset=\"utf-8\">\n",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
            "<meta name=\"color-scheme\" content=\"light dark\">\n",
            "<meta name=\"supported-color-schemes\" content=\"light dark\">\n",
            "<meta name=\"format-detection\" content=\"telephone=no, date=no, address=no, email=no\">\n",
            "<title>",
            &subject,
            "</title>\n<style>",
            &style,
            "</style>\n</head>\n",
            "<body class=\"pg\" style=\"margin:0;padding:0;background:",
            &page,
            "\">\n",
            // The blanks keep programs from showing the mail's first words behind the preview.
            "<div style=\"display:none;max-height:0;overflow:hidden;mso-hide:all\">",
            &preview,
            &"&#8199;&#65279;&#847; ".repeat(40),
            "</div>\n",
            TABLE,
            " class=\"pg\" lang=\"",
            tag,
            "\" style=\"border-collapse:collapse;background:",
            &page,
            "\">",
            "<tr><td class=\"ou\" align=\"center\" style=\"padding:24px\">",
            "<table role=\"presentation\" width=\"600\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" ",
            "style=\"border-collapse:separate;width:100%;max-width:600px;text-align:left\">",
            "<tr><td class=\"cd pd\" style=\"padding:28px 32px;background:",
            &card,
            ";border-radius:12px\">\n",
        ]);
    }

    fn foot(&mut self, footer: &[Span]) {
        self.out.push_str("</td></tr><tr><td style=\"padding:14px 8px 0\">");
        self.paragraph("400 12px/18px", "mu", "", footer);
        self.out.push_str("</td></tr></table></td></tr></table>\n</body>\n</html>\n");
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Kicker { what, when } => {
                let text = if when.is_empty() { what.clone() } else { [what, " · ", when].concat() };
                self.paragraph("400 13px/18px", "mu", "", &[Span::Plain(text)]);
            }
            Block::Title(text) => {
                let style = "letter-spacing:-.018em;margin:6px 0 2px;";
                self.element("h1", "700 26px/30px", "ti", style, &[Span::plain(text)]);
            }
            Block::Line(text) => self.paragraph("400 16px/24px", "tx", "", &[Span::plain(text)]),
            Block::Notice(text) => self.notice(text),
            Block::Amount(amount) => self.amount(amount),
            Block::Buttons(buttons) => self.buttons(buttons),
            Block::Small(spans) => self.paragraph("400 13px/19px", "mu", "margin:2px 0 14px;", spans),
            Block::Picture { content_id, alt } => self.picture(content_id, alt),
            Block::Command(line) => {
                let style = "margin:0;font:400 13px/20px ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap";
                let color = self.color("tx").to_owned();
                self.add(&["<pre class=\"tx\" style=\"", style, ";overflow-wrap:anywhere;color:", &color, "\">"]);
                self.add(&[&escape(line), "</pre>"]);
            }
            Block::Heading(text) => {
                self.element("h2", "600 16px/22px", "tx", "margin:20px 0 8px;", &[Span::plain(text)]);
            }
            Block::Rows(rows) => self.rows(rows),
            Block::Steps(steps) => self.steps(steps),
            Block::Card { title, lines } => self.card(title, lines),
        }
        self.out.push('\n');
    }

    fn color(&self, class: &str) -> &str {
        let colors = self.light();
        match class {
            "tx" => &colors.text,
            "mu" => &colors.muted,
            "ti" => &colors.title,
            _ => &colors.link,
        }
    }

    fn paragraph(&mut self, font: &str, class: &str, style: &str, spans: &[Span]) {
        self.element("p", font, class, &["margin:0;", style].concat(), spans);
    }

    fn element(&mut self, name: &str, font: &str, class: &str, style: &str, spans: &[Span]) {
        let color = self.color(class).to_owned();
        self.add(&["<", name, " class=\"", class, "\" style=\"", style, "font:", font, " ", FONT, ";color:", &color]);
        self.out.push_str(";overflow-wrap:anywhere;word-break:break-word\">");
        self.spans(spans);
        self.add(&["</", name, ">"]);
    }

    fn spans(&mut self, spans: &[Span]) {
        for span in spans {
            match span {
                Span::Plain(text) => self.out.push_str(&escape(text)),
                Span::Strong(text) => self.add(&["<b style=\"font-weight:600\">", &escape(text), "</b>"]),
                Span::Link { label, href } => match safe_href(href) {
                    Some(href) => {
                        let color = self.light().link.clone();
                        self.add(&["<a class=\"li\" href=\"", &href, "\" style=\"color:", &color, "\">"]);
                        self.add(&[&escape(label), "</a>"]);
                    }
                    None => self.out.push_str(&escape(label)),
                },
            }
        }
    }

    fn notice(&mut self, text: &str) {
        let title = self.light().title.clone();
        self.add(&[
            TABLE,
            " style=\"border-collapse:separate;margin:10px 0 14px\"><tr><td class=\"nb\" style=\"padding:10px 14px;",
        ]);
        self.add(&["border:1.5px solid ", &title, ";border-radius:10px\">"]);
        self.paragraph("600 14px/20px", "tx", "", &[Span::plain(text)]);
        self.out.push_str("</td></tr></table>");
    }

    fn amount(&mut self, amount: &Amount) {
        let (font, class) = if amount.proud { ("700 44px/46px", "ti") } else { ("700 34px/36px", "tx") };
        self.add(&[TABLE, " style=\"border-collapse:collapse\"><tr><td style=\"padding:14px 0 4px\">"]);
        self.paragraph(font, class, "letter-spacing:-.03em;", &[Span::plain(&amount.sum)]);
        if let Some(strong) = &amount.strong {
            self.paragraph("600 16px/24px", "tx", "", &[Span::plain(strong)]);
        }
        for detail in &amount.details {
            self.paragraph("400 14px/20px", "mu", "", &[Span::plain(detail)]);
        }
        self.out.push_str("</td></tr></table>");
    }

    fn buttons(&mut self, buttons: &[Button]) {
        self.out.push_str("<div style=\"margin:12px 0 0\">");
        for button in buttons {
            let Some(href) = safe_href(&button.href) else { continue };
            let colors = self.light();
            let (class, fill, edge, label) = if button.primary {
                ("bt bp", &colors.fill, &colors.fill, &colors.on_fill)
            } else {
                ("bt bs", &colors.card, &colors.outline, &colors.outline)
            };
            let style = format!(
                "background:{fill};color:{label};border:1.5px solid {edge};border-radius:10px;display:inline-block;\
                 box-sizing:border-box;padding:13px 20px;margin:0 8px 8px 0;font:600 16px/20px {FONT};\
                 text-align:center;text-decoration:none"
            );
            let label = escape(&button.label);
            self.add(&["<a class=\"", class, "\" href=\"", &href, "\" style=\"", &style, "\">", &label, "</a> "]);
        }
        self.out.push_str("</div>");
    }

    fn picture(&mut self, content_id: &str, alt: &str) {
        let colors = self.light();
        // The alternative text is read on the drawing's light ground, in dark mode too.
        let style = format!(
            "display:block;box-sizing:border-box;margin:12px 0 14px;width:100%;max-width:536px;height:auto;border:1px solid {};border-radius:10px;background:#ffffff;\
             color:{};font:400 14px/20px {FONT}",
            colors.line, colors.muted
        );
        let (id, alt) = (escape(content_id), escape(alt));
        self.add(&["<img class=\"ln\" src=\"cid:", &id, "\" width=\"536\" alt=\"", &alt, "\" style=\"", &style, "\">"]);
    }

    fn rows(&mut self, rows: &[Row]) {
        let line = self.light().line.clone();
        self.add(&[TABLE, " style=\"border-collapse:collapse\">"]);
        for row in rows {
            let cell = ["border-top:1px solid ", &line, "\">"].concat();
            self.add(&["<tr><td class=\"ln lb\" valign=\"top\" width=\"112\" style=\"padding:9px 12px 9px 0;", &cell]);
            self.paragraph("400 14px/20px", "mu", "", &[Span::plain(&row.label)]);
            self.add(&["</td><td class=\"ln\" valign=\"top\" style=\"padding:9px 0;", &cell]);
            for line in &row.lines {
                self.paragraph("400 14px/20px", "tx", "", line);
            }
            self.out.push_str("</td></tr>");
        }
        self.out.push_str("</table>");
    }

    fn steps(&mut self, steps: &[[String; 2]]) {
        let title = self.light().title.clone();
        self.add(&[TABLE, " style=\"border-collapse:collapse\">"]);
        for (at, [step, more]) in steps.iter().enumerate() {
            let number = (at + 1).to_string();
            self.add(&[
                "<tr><td valign=\"top\" width=\"40\" style=\"padding:0 0 14px\"><div class=\"nb ti\" style=\"width:26px;height:26px;",
                "border:1.5px solid ", &title, ";border-radius:50%;font:600 13px/26px ", FONT,
                ";text-align:center;color:", &title, "\">", &number, "</div></td>",
                "<td valign=\"top\" style=\"padding:2px 0 14px\">",
            ]);
            self.paragraph("600 16px/22px", "tx", "", &[Span::plain(step)]);
            self.paragraph("400 14px/20px", "mu", "", &[Span::plain(more)]);
            self.out.push_str("</td></tr>");
        }
        self.out.push_str("</table>");
    }

    fn card(&mut self, title: &str, lines: &[Vec<Span>]) {
        let line = self.light().line.clone();
        self.add(&[
            TABLE,
            " style=\"border-collapse:separate;margin:0 0 14px\"><tr><td class=\"ln\" style=\"padding:14px 16px;border:1px solid ",
        ]);
        self.add(&[&line, ";border-radius:10px\">"]);
        self.paragraph("600 16px/22px", "tx", "", &[Span::plain(title)]);
        for line in lines {
            self.paragraph("400 14px/22px", "tx", "", line);
        }
        self.out.push_str("</td></tr></table>");
    }
}
