//! How to add the script to a site, by the tool the site is made with.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::el;

const WAYS: [(&str, &[&str]); 5] = [
    (
        "WordPress",
        &[
            "Best with our plugin, without any code: Connections, Connect a website.",
            "Or by hand: install the plugin WPCode and activate it.",
            "Open Code Snippets, then Header & Footer.",
            "Paste the line into the box Footer and save.",
            "Empty the cache if your site has a cache plugin.",
        ],
    ),
    (
        "Wix",
        &[
            "Open Settings, then Custom Code under Advanced. It needs a plan with a domain of your own.",
            "Choose Add Custom Code and paste the line.",
            "Choose All pages, Load code once, and Body – end. Apply, then publish the site.",
        ],
    ),
    (
        "Squarespace",
        &[
            "Open Settings, Developer Tools, Code Injection. It needs a plan that has it.",
            "Paste the line into Footer and save.",
        ],
    ),
    (
        "Shopify",
        &[
            "Open Online Store, Themes, the menu beside your theme, Edit code.",
            "Open layout/theme.liquid.",
            "Paste the line above </body> and save.",
        ],
    ),
    ("Any other site", &["Paste the line into every page, above </body>, or into the template that all pages share."]),
];

/// The address in the tag.
fn source(script: &str) -> &str {
    script.split("src=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default()
}

pub(crate) fn ways(script: &str) -> Vec<Node> {
    let steps =
        |steps: &[&'static str]| Node::classed("ol", "steps").children(steps.iter().map(|step| el("li").text(*step)));
    let listed = WAYS.iter().map(|(name, all)| el("details").child(el("summary").text(*name)).child(steps(all)));
    let src = source(script);
    let tag = format!(
        "const tag = Object.assign(document.createElement(\"script\"), {{ src: \"{src}\", async: true }});\n  document.head.append(tag);"
    );
    let code = |name: &'static str, text: String| {
        el("details")
            .child(el("summary").text(name))
            .child(Node::classed("pre", "mono").set("tabindex", "0").text(text))
    };
    let react = format!("useEffect(() => {{\n  {tag}\n  return () => tag.remove();\n}}, []);");
    let vue = format!("onMounted(() => {{\n  {tag}\n}});");
    listed.chain([code("React", react), code("Vue", vue)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_of_a_framework_is_the_one_of_the_tag() {
        assert_eq!(
            source(r#"<script async src="https://roofs.example/w/1.js"></script>"#),
            "https://roofs.example/w/1.js"
        );
        assert_eq!(ways("").len(), WAYS.len() + 2);
    }
}
