//! A consent certificate as a printable page.

use shingle_consent::{CertifiedConsent, ConsentCertificate};
use shingle_widget::ssr::{RecordPage, RecordSection, record_page};

/// One file, without any request.
/// `back`: the page that it was opened from; none in a file.
pub fn consent_page(certificate: &ConsentCertificate, back: Option<String>) -> String {
    let ConsentCertificate { account_name, account_id, issued_at, consents, head, key, signature, .. } = certificate;
    let mut sections: Vec<_> = consents.iter().map(section).collect();
    sections.push(RecordSection {
        title: "Proof".to_owned(),
        rows: vec![
            ("Account", format!("{account_name} ({account_id})")),
            ("Certificate made", issued_at.to_string()),
            ("Consents recorded by the account", head.sequence.to_string()),
            ("Link of the last one", head.link.to_string()),
            ("Public key (Ed25519)", key.to_string()),
            ("Signature", signature.clone()),
        ],
    });
    record_page(&RecordPage {
        title: format!("Certificate of consent · {account_name}"),
        about: "What a homeowner was shown and answered, as it was recorded at that time. The certificate as a file (JSON) \
                holds the same with the digests of every field; the command shingle consent verify checks it without a network \
                and names whatever was changed."
            .to_owned(),
        sections,
        back,
    })
}

fn section(consent: &CertifiedConsent) -> RecordSection {
    let (of, place) = (&consent.evidence, &consent.place);
    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "not recorded".to_owned());
    let name = [&of.first_name, &of.last_name].map(|part| part.as_deref().unwrap_or_default()).join(" ");
    let name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
    RecordSection {
        title: if of.given { "Consent given" } else { "Consent not given" }.to_owned(),
        rows: vec![
            ("When", of.at.to_string()),
            ("Text beside the box", of.text.clone()),
            ("Box", if of.given { "ticked" } else { "not ticked" }.to_owned()),
            ("Name", known(&name)),
            ("E-mail address", known(&of.email)),
            ("Telephone number", known(&of.phone)),
            ("Address of the roof", known(&of.address)),
            ("Page", known(&of.page_url)),
            ("Network address", known(&of.ip)),
            ("Browser", known(&of.user_agent)),
            ("Environment", of.environment.to_string()),
            ("Lead", of.lead_id.to_string()),
            ("Widget", of.widget_id.to_string()),
            ("Number in the account's chain", place.sequence.to_string()),
            ("Link", place.link.to_string()),
        ],
    }
}
