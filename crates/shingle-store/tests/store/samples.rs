//! Sample accounts, widgets and leads.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use shingle_domain::widget::{StoredImage, Widget, WidgetRecord, WidgetStatus};
use shingle_domain::{Email, Environment, HexColor, Phone, Role, SafeUrl, Tenant, Usd, UserName, WidgetId};
use shingle_store::{InviteDraft, Store, User};
pub use shingle_store_fixture::sample_lead as draft;
use uuid::Uuid;

/// Where the calls of tests come from.
pub const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

pub async fn tenant(store: &Store) -> Tenant {
    let account = store.accounts().create("Acme Roofing").await.unwrap();
    Tenant { account: account.id, environment: Environment::Production }
}

/// A member, by the first part of an email.
pub async fn teammate(store: &Store, tenant: &Tenant, name: &str) -> User {
    let email = Email::parse(&format!("{}@oak.example.com", name.to_lowercase())).unwrap();
    let lifetime = Duration::from_secs(3_600);
    let draft = InviteDraft {
        account: Some(tenant.account),
        role: Role::Member,
        sees: shingle_domain::WidgetScope::All,
        email: None,
        by: None,
        lifetime,
    };
    let (_, token) = store.people().invite(&draft).await.unwrap();
    store.people().accept_invite(&token, &email, &UserName::parse(name).unwrap()).await.unwrap()
}

pub fn widget(number: u128) -> Widget {
    let color = |text| HexColor::parse(text).unwrap();
    Widget {
        reference_id: WidgetId(Uuid::from_u128(number)),
        link_id: None,
        element_type: None,
        element_size: None,
        element_location: None,
        button_text: None,
        button_text_color: None,
        button_background_color: None,
        banner_text: None,
        banner_background_color: None,
        primary_color: color("#1a5f3c"),
        secondary_color: color("#334455"),
        background_color: color("#ffffff"),
        card_background_color: color("#fafafa"),
        text_color: color("#111111"),
        link_color: color("#0044cc"),
        footer_company_name: "Acme Roofing".to_owned(),
        footer_pirvacy_policy_link: SafeUrl::parse("https://acme.example.com/privacy").unwrap(),
        footer_terms_of_use_link: None,
        footer_logo: None,
        header_logo: StoredImage { path: "logos/aa.png".to_owned(), width: 300, height: 150, tones: None },
        status: WidgetStatus::Active,
        company_name: "Acme Roofing".to_owned(),
        company_phone: Phone::parse("(207) 555-0101").unwrap(),
        company_email: Email::parse("office@acme.example.com").unwrap(),
        company_address: "1 Main Street, Portland, ME 04101".to_owned(),
        company_url: SafeUrl::parse("https://acme.example.com").unwrap(),
        domains: vec![],
        first_page_title: "What would a new roof cost?".to_owned(),
        installed_price: None,
    }
}

pub fn record(widget: &Widget) -> WidgetRecord {
    let link = |path: &str| format!("https://shingle.example.com/{path}/{}", widget.link_id());
    WidgetRecord {
        reference_id: widget.reference_id,
        element_type: widget.element_type(),
        element_size: widget.element_size(),
        element_location: widget.element_location(),
        button_text: widget.button_text().to_owned(),
        button_text_color: HexColor::parse("#ffffff").unwrap(),
        button_background_color: widget.button_background_color().clone(),
        banner_text: widget.banner_text.clone(),
        banner_background_color: widget.primary_color.clone(),
        primary_color: widget.primary_color.clone(),
        secondary_color: widget.secondary_color.clone(),
        background_color: widget.background_color.clone(),
        card_background_color: widget.card_background_color.clone(),
        text_color: widget.text_color.clone(),
        link_color: widget.link_color.clone(),
        footer_company_name: widget.footer_company_name.clone(),
        footer_pirvacy_policy_link: widget.footer_pirvacy_policy_link.clone(),
        footer_terms_of_use_link: None,
        footer_logo_url: None,
        remove_footer_logo: false,
        header_logo_url: link("storage"),
        status: widget.status,
        company_name: widget.company_name.clone(),
        company_phone: widget.company_phone.clone(),
        company_email: widget.company_email.clone(),
        company_address: widget.company_address.clone(),
        company_url: widget.company_url.clone(),
        domains: widget.domains.join(","),
        first_page_title: widget.first_page_title.clone(),
        installed_price: Usd::from_dollars(550),
        widget_script: link("w"),
        widget_qr_code: link("storage"),
        hosted_qr_code: link("storage"),
        widget_link: link("go"),
        hosted_page_link: link("w"),
    }
}

pub async fn stored_widget(store: &Store, tenant: &Tenant, number: u128) -> WidgetId {
    let widget = widget(number);
    store.widgets().create(tenant, &widget, record, None).await.unwrap();
    widget.reference_id
}
