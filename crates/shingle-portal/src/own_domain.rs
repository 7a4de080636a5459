//! A company's own domain: what a check found there, and the operator's form.

use shingle_domain::Language;
use shingle_store::{DomainFault, OwnDomain};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{Field, Tone, button, card, note, post, soft};
use crate::phrase::phrase;

pub struct OwnDomainView<'v> {
    pub domain: Option<&'v OwnDomain>,
    /// The name of the installation, to which the DNS has to lead.
    pub server: &'v str,
}

impl OwnDomainView<'_> {
    /// Whether it works, or what is in the way.
    pub(crate) fn state(&self, language: Language) -> Option<Node> {
        let domain = self.domain?;
        let said = |english| phrase(language, english, &[("host", &domain.host), ("server", self.server)]);
        if domain.works_since.is_some() {
            return Some(note(Tone::Well, said("It works: links to pages and in emails use {host}.")));
        }
        Some(note(
            Tone::Look,
            said(match domain.fault {
                None => "We look for {host} within a minute.",
                Some(DomainFault::NoName) => {
                    "The DNS has no {host} yet. Create a CNAME record that leads from {host} to {server}."
                }
                Some(DomainFault::NotPublic) => "The address of {host} isn’t on the public internet.",
                Some(DomainFault::Silent) => "Nothing answers at {host}. Does its DNS record lead to {server}?",
                Some(DomainFault::Certificate) => {
                    "{host} has no certificate that browsers accept. If this server gets its own certificates, it has one within minutes. Otherwise add the name to your proxy."
                }
                Some(DomainFault::OtherServer) => {
                    "Another server answers at {host}. Does its DNS record lead to {server}?"
                }
                Some(DomainFault::OtherInstallation) => "Another installation of Shingle answers at {host}.",
                Some(DomainFault::NameLost) => {
                    "The proxy in front of {host} doesn’t pass the name on. Let it keep the Host header, as the manual shows."
                }
                Some(DomainFault::Plain) => {
                    "The proxy in front of {host} doesn’t say that visitors come over HTTPS. Set X-Forwarded-Proto there."
                }
            }),
        ))
    }
}

/// The operator's form.
pub(crate) fn domain_form(
    language: Language,
    view: &OwnDomainView<'_>,
    path: String,
    (typed, wrong): (&str, Option<&'static str>),
) -> Node {
    let name = Field {
        label: "Host name",
        name: "domain",
        kind: "text",
        autocomplete: "off",
        value: typed,
        hint: Some(
            "Like leads.agency.com. The company’s people and homeowners then see this name. Leave blank for none.",
        ),
        wrong,
    };
    card("Own domain")
        .children(view.state(language))
        .child(post(path).set("novalidate", "").child(name.node()).child(button("btn", "Save")))
}

/// What an owner sees of it.
pub(crate) fn domain_card(language: Language, view: &OwnDomainView<'_>) -> Node {
    let state = view.state(language);
    let none = state.is_none().then(|| {
        soft(phrase(
            language,
            "Your pages are at {server}. An administrator of this installation can give you a name of your own, like leads.agency.com.",
            &[("server", view.server)],
        ))
    });
    card("Own domain").children(state).children(none)
}
