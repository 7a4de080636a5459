//! Certificates are genuine, or the change is named.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use shingle_consent::{
    CertificateSigner, ConsentCertificate, Digest, Draft, Evidence, Fault, Head, Place, RecordedConsent, Salt,
};
use shingle_domain::{AccountId, ConsentId, Environment, LeadId, Timestamp, WidgetId};
use uuid::Uuid;

fn recorded(number: u128) -> RecordedConsent {
    let evidence = Evidence {
        id: ConsentId(Uuid::from_u128(number)),
        account_id: AccountId(Uuid::from_u128(7)),
        environment: Environment::Production,
        lead_id: LeadId(Uuid::from_u128(8)),
        widget_id: WidgetId(Uuid::from_u128(9)),
        first_name: Some("Zoë".into()),
        last_name: Some("Sample \"Bo\"".into()),
        email: Some("zoe@example.com".into()),
        phone: Some("(207) 555-0143".into()),
        address: Some("14 Alder Court, Portland, ME 04103".into()),
        given: true,
        text: "Oak Roofing may call me.".into(),
        text_hash: "d749".into(),
        at: Timestamp::parse_iso("2026-03-10T12:00:00Z").unwrap(),
        page_url: None,
        ip: Some("192.0.2.7".into()),
        user_agent: None,
    };
    RecordedConsent { evidence, salt: Salt(Digest([u8::try_from(number).unwrap(); 32])) }
}

fn signer(seed: u8) -> CertificateSigner {
    CertificateSigner::from_seed(&[seed; 32]).unwrap()
}

fn certificate() -> ConsentCertificate {
    certificate_of(&[2, 3, 5])
}

fn certificate_of(numbers: &[u128]) -> ConsentCertificate {
    let mut chain = vec![Place { sequence: 0, previous: Digest::ZERO, link: Digest::ZERO }];
    for sequence in 1..=6 {
        let previous = chain.last().unwrap().link;
        chain.push(Place::new(sequence, previous, recorded(u128::from(sequence)).digest()));
    }
    let draft = Draft {
        account_id: AccountId(Uuid::from_u128(7)),
        account_name: "Oak Roofing".into(),
        issued_at: Timestamp::parse_iso("2026-03-11T12:00:00Z").unwrap(),
        consents: numbers.iter().map(|number| (recorded(*number), chain[usize::try_from(*number).unwrap()])).collect(),
        head: Head { sequence: 6, link: chain[6].link },
    };
    ConsentCertificate::sign(draft, &signer(1))
}

#[test]
fn a_genuine_certificate_has_no_fault_and_reads_back() {
    let certificate = certificate();
    assert_eq!(certificate.faults(Some(signer(1).key())), []);
    let json = serde_json::to_vec(&certificate).unwrap();
    assert_eq!(ConsentCertificate::parse(&json).unwrap(), certificate);
    assert_eq!(certificate.faults(Some(signer(2).key())), [Fault::OtherKey]);
}

/// Each bit of each byte: the file is refused, or its faults are named.
#[test]
fn each_changed_bit_is_found() {
    let mut json = serde_json::to_vec(&certificate_of(&[5])).unwrap();
    let mut told = std::collections::BTreeSet::new();
    for at in 0..json.len() {
        for bit in 0..8 {
            json[at] ^= 1 << bit;
            if let Ok(changed) = ConsentCertificate::parse(&json) {
                let faults = changed.faults(None);
                assert!(!faults.is_empty(), "bit {bit} of byte {at}: {}", String::from_utf8_lossy(&json));
                told.extend(faults.into_iter().map(|fault| match fault {
                    Fault::Field { field, .. } => field,
                    other => other.to_string().split('`').nth(1).unwrap_or("order").to_owned(),
                }));
            }
            json[at] ^= 1 << bit;
        }
    }
    for field in ["id", "leadId", "firstName", "lastName", "phone", "address", "text", "textHash", "at", "ip", "salt"] {
        assert!(told.contains(field), "{field} of {told:?}");
    }
}

#[test]
fn what_was_changed_is_named() {
    type Change = fn(&mut ConsentCertificate);
    let changes: [(&str, Change, Vec<Fault>); 9] = [
        ("a field", |c| c.consents[1].evidence.phone = None, vec![Fault::Field { sequence: 3, field: "phone".into() }]),
        (
            "whether",
            |c| c.consents[0].evidence.given = false,
            vec![Fault::Field { sequence: 2, field: "given".into() }],
        ),
        ("a salt", |c| c.consents[2].salt = Salt(Digest([9; 32])), vec![Fault::Salt { sequence: 5 }]),
        ("a name", |c| c.account_name = "Elm Roofing".into(), vec![Fault::Signature]),
        ("the end", |c| c.head.sequence = 5, vec![Fault::Head, Fault::Signature]),
        (
            "a field with its digest",
            |c| {
                c.consents[0].evidence.ip = None;
                let own = &c.consents[0];
                let recorded = RecordedConsent { evidence: own.evidence.clone(), salt: own.salt };
                let place = Place::new(2, own.place.previous, recorded.digest());
                let draft = Draft {
                    account_id: c.account_id,
                    account_name: c.account_name.clone(),
                    issued_at: c.issued_at,
                    consents: vec![(recorded, place)],
                    head: c.head,
                };
                c.consents[0] = ConsentCertificate::sign(draft, &signer(3)).consents.remove(0);
            },
            vec![Fault::Order { sequence: 3 }, Fault::Signature],
        ),
        ("one left out", |c| drop(c.consents.remove(1)), vec![Fault::Signature]),
        (
            "another order",
            |c| c.consents.swap(0, 2),
            vec![Fault::Order { sequence: 3 }, Fault::Order { sequence: 2 }, Fault::Signature],
        ),
        (
            "a digest left out",
            |c| assert!(c.consents[0].digests.remove("ip").is_some()),
            vec![Fault::Digests { sequence: 2 }],
        ),
    ];
    for (what, change, faults) in changes {
        let mut changed = certificate();
        change(&mut changed);
        assert_eq!(changed.faults(None), faults, "{what}");
    }
}

#[test]
fn what_is_no_certificate_is_told_without_its_words() {
    for text in ["", "{}", "[1]", "{\"form\":\"shingle-consent-2\"}", "Ann Sample"] {
        let error = ConsentCertificate::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("it is no certificate of consent") && !error.contains("Ann"), "{error}");
    }
}
