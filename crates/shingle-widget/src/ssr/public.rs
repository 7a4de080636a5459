//! From the stored widget to what a visitor's browser may know of it.

use shingle_domain::public::{PublicImage, PublicWidget};
use shingle_domain::widget::{DEFAULT_BUTTON_TEXT, DEFAULT_FIRST_PAGE_TITLE, StoredImage, Widget, WidgetLinks};
use shingle_domain::{Language, WidgetSettings};

use crate::palette::Palette;
use crate::ssr::page::PageWords;

/// In one language: as its owner says it there, else as the record says it; but a text of ours is said in that language.
pub fn public_widget(
    widget: &Widget,
    settings: &WidgetSettings,
    language: Language,
    links: &WidgetLinks<'_>,
) -> PublicWidget {
    let storage_url = links.storage_url.trim_end_matches('/');
    let own = settings.texts(language);
    let said = |own: &Option<String>, record: &str, default: &str, ours: &str| match own {
        Some(text) => text.clone(),
        None if record == default => ours.to_owned(),
        None => record.to_owned(),
    };
    let ours = PageWords::of(language);
    let picture = |image: &StoredImage| PublicImage {
        url: format!("{storage_url}/{}", image.path),
        width: image.width,
        height: image.height,
        tones: image.tones,
    };
    PublicWidget {
        id: widget.link_id(),
        base_url: links.base_url.trim_end_matches('/').to_owned(),
        element_type: widget.element_type(),
        element_size: widget.element_size(),
        element_location: widget.element_location(),
        button_text: said(&own.button_text, widget.button_text(), DEFAULT_BUTTON_TEXT, &ours.button_text),
        banner_text: own.banner_text.clone().or_else(|| widget.banner_text.clone()),
        first_page_title: said(
            &own.first_page_title,
            &widget.first_page_title,
            DEFAULT_FIRST_PAGE_TITLE,
            &ours.first_page_title,
        ),
        company_name: widget.company_name.clone(),
        company_phone: widget.company_phone.as_str().to_owned(),
        company_phone_dial: widget.company_phone.dialled(),
        company_email: widget.company_email.as_str().to_owned(),
        company_address: widget.company_address.clone(),
        company_url: if widget.has_site() { widget.company_url.as_str().to_owned() } else { String::new() },
        footer_company_name: widget.footer_company_name.clone(),
        privacy_link: widget.privacy_policy(links).as_str().to_owned(),
        terms_link: widget.footer_terms_of_use_link.as_ref().map(|l| l.as_str().to_owned()),
        header_logo: picture(&widget.header_logo),
        footer_logo: widget.footer_logo.as_ref().map(picture),
        palette: Palette::of(widget).properties,
    }
}
