//! An agency's own name, color and picture on the portal: the form, and the style of the color.

use shingle_domain::HexColor;
use shingle_domain::color::contrast;
use shingle_store::Brand;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::connection_form::check;
use crate::element::{Field, button, card, color_input, div, el, form_fault, link, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::logo_field::{logo_hint, logo_input, undrawn};
use crate::own_domain::{OwnDomainView, domain_card};

/// Characters of a name.
pub const MAX_BRAND_NAME: usize = 40;
/// Ours.
const COLOR: &str = "#2b5ba6";
/// What text needs on its ground.
const READABLE: f64 = 4.5;

pub struct BrandForm<'v> {
    pub brand: &'v Brand,
    /// What is wrong with the name, or with the picture.
    pub wrong_name: Option<&'static str>,
    pub wrong_logo: Option<String>,
    pub domain: OwnDomainView<'v>,
}

pub fn brand_page(signed: &Signed<'_>, view: &BrandForm<'_>) -> String {
    let name = Field {
        label: "Name",
        name: "brandName",
        kind: "text",
        autocomplete: "off",
        value: &view.brand.name,
        hint: Some(
            "In place of ours on top of every page, and as the sender of emails to your people. Leave blank for ours.",
        ),
        wrong: view.wrong_name,
    };
    let color = view.brand.color.as_ref().map_or(COLOR, HexColor::as_str);
    let color = div("field")
        .child(el("label").set("for", "brandColor").text("Color"))
        .child(color_input("brandColor", color.get(..7).unwrap_or(COLOR)))
        .child(
            Node::classed("p", "hint")
                .text("Of links and of what is selected. We darken or lighten it until it is easy to read."),
        );
    let shown = view
        .brand
        .logo
        .as_ref()
        .map(|path| el("img").set("class", "brand-logo").set("src", format!("/storage/{path}")).set("alt", ""));
    let logo = div("field")
        .child(el("label").set("for", "headerLogo").text("Logo"))
        .children(shown)
        .child(logo_input("headerLogo"))
        .child(logo_hint(None))
        .child(undrawn())
        .children(view.brand.logo.is_some().then(|| check("removeLogo".to_owned(), "yes", "Remove the logo", false)));
    let form = post("/portal/settings/brand")
        .set("enctype", "multipart/form-data")
        .set("novalidate", "")
        .child(name.node())
        .child(color)
        .child(logo)
        .child(button("btn ink", "Save"));
    let mut inside = vec![Node::classed("p", "").child(link("/portal/settings", "Settings"))];
    inside.extend(view.wrong_logo.clone().map(|said| form_fault(Text::from(said))));
    inside.push(
        card("How the portal looks")
            .child(soft("For everyone of your company, your clients included. Homeowners see each widget’s own look."))
            .child(form),
    );
    inside.push(domain_card(signed.language, &view.domain));
    shell(signed, Place::Settings, "How the portal looks", Vec::new(), inside)
}

fn mix(a: [u8; 3], b: [u8; 3], share: u16) -> [u8; 3] {
    let part = |n: usize| {
        let sum = u16::from(a[n]) * (100 - share) + u16::from(b[n]) * share;
        u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
    };
    [part(0), part(1), part(2)]
}

/// The nearest shade of it, towards black or white, that is readable on these grounds.
fn readable(color: [u8; 3], towards: [u8; 3], grounds: &[[u8; 3]]) -> [u8; 3] {
    let shades = (0..=100).map(|share| mix(color, towards, share));
    let is_readable = |shade: &[u8; 3]| grounds.iter().all(|ground| contrast(*shade, *ground) >= READABLE);
    shades.into_iter().find(is_readable).unwrap_or(towards)
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The colors of `portal.css` that follow the brand, on its light and its dark grounds.
pub fn brand_css(color: &HexColor) -> String {
    let [r, g, b, _] = color.rgba();
    let own = [r, g, b];
    let of = |ground: [u8; 3], paper: [u8; 3], towards: [u8; 3], wash_share: u16| {
        let wash = mix(paper, own, wash_share);
        let accent = readable(own, towards, &[ground, paper, wash]);
        format!("--accent: {}; --wash: {};", hex(accent), hex(wash))
    };
    let light = of([0xf7, 0xf7, 0xf5], [0xff; 3], [0; 3], 9);
    let dark = of([0x10, 0x14, 0x18], [0x18, 0x1d, 0x22], [0xff; 3], 18);
    format!(":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colors(css: &str, name: &str) -> Vec<[u8; 3]> {
        let beginning = format!("{name}: ");
        let after = css.split(&beginning).skip(1);
        after.map(|rest| HexColor::parse(&rest[..7]).unwrap().rgba()).map(|[r, g, b, _]| [r, g, b]).collect()
    }

    #[test]
    fn any_color_is_readable_on_light_and_dark_pages() {
        for text in ["#2b5ba6", "#ffff00", "#ffffff", "#000000", "#ff0000", "#808080", "#00ff7f"] {
            let css = brand_css(&HexColor::parse(text).unwrap());
            let (accents, washes) = (colors(&css, "--accent"), colors(&css, "--wash"));
            let grounds = [[[0xff; 3], [0xf7, 0xf7, 0xf5]], [[0x10, 0x14, 0x18], [0x18, 0x1d, 0x22]]];
            assert_eq!((accents.len(), washes.len()), (2, 2), "{css}");
            for ((accent, wash), grounds) in accents.iter().zip(washes).zip(grounds) {
                for ground in grounds.into_iter().chain([wash]) {
                    assert!(contrast(*accent, ground) >= READABLE, "{text}: {css}");
                }
            }
        }
        let ours = brand_css(&HexColor::parse("#2b5ba6").unwrap());
        assert!(ours.contains("--accent: #2b5ba6"), "what is readable stays: {ours}");
    }
}
