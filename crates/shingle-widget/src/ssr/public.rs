//! From the stored widget to what a visitor's browser may know of it.

use shingle_domain::public::{PublicImage, PublicWidget};
use shingle_domain::widget::{StoredImage, Widget};

use crate::palette::Palette;

/// `base_url` and `storage_url`: origin and path prefix, with or without a slash at the end.
pub fn public_widget(widget: &Widget, base_url: &str, storage_url: &str) -> PublicWidget {
    let storage_url = storage_url.trim_end_matches('/');
    let picture = |image: &StoredImage| PublicImage {
        url: format!("{storage_url}/{}", image.path),
        width: image.width,
        height: image.height,
    };
    PublicWidget {
        id: widget.reference_id,
        base_url: base_url.trim_end_matches('/').to_owned(),
        element_type: widget.element_type(),
        element_size: widget.element_size(),
        element_location: widget.element_location(),
        button_text: widget.button_text().to_owned(),
        banner_text: widget.banner_text.clone(),
        first_page_title: widget.first_page_title.clone(),
        company_name: widget.company_name.clone(),
        company_phone: widget.company_phone.as_str().to_owned(),
        company_phone_dial: widget.company_phone.dialled(),
        company_email: widget.company_email.as_str().to_owned(),
        company_address: widget.company_address.clone(),
        company_url: widget.company_url.as_str().to_owned(),
        footer_company_name: widget.footer_company_name.clone(),
        privacy_link: widget.footer_pirvacy_policy_link.as_str().to_owned(),
        terms_link: widget.footer_terms_of_use_link.as_ref().map(|l| l.as_str().to_owned()),
        header_logo: picture(&widget.header_logo),
        footer_logo: widget.footer_logo.as_ref().map(picture),
        palette: Palette::of(widget).properties,
    }
}
