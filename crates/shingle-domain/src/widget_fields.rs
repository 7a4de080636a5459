//! The fields of a widget that a form sets. One table says of each its name at the contract's edge, what it holds, how it is
//! read and whether a new widget needs it. The stored widget, its change, the rules of its form and the description of the
//! form are made from it.

/// Gives the table to the macro `$make`: name here, name at the edge, how it is read, how it is held, type. Held as:
///
/// - `needed`: a new widget has it.
/// - `kept`: without it the default counts; a change cannot take it away.
/// - `removable`: the same, and an empty text takes it away.
/// - `listed`: without it the list is empty.
macro_rules! widget_fields {
    ($make:ident) => {
        $make! {
            element_type "elementType" Word kept: ElementType,
            element_size "elementSize" Word kept: ElementSize,
            element_location "elementLocation" Word kept: ElementLocation,
            /// An empty text goes back to the default.
            button_text "buttonText" FreeText removable: String,
            button_text_color "buttonTextColor" Color kept: HexColor,
            button_background_color "buttonBackgroundColor" Color kept: HexColor,
            /// An empty text removes it.
            banner_text "bannerText" FreeText removable: String,
            banner_background_color "bannerBackgroundColor" Color kept: HexColor,
            primary_color "primaryColor" Color needed: HexColor,
            secondary_color "secondaryColor" Color needed: HexColor,
            background_color "backgroundColor" Color needed: HexColor,
            card_background_color "cardBackgroundColor" Color needed: HexColor,
            text_color "textColor" Color needed: HexColor,
            link_color "linkColor" Color needed: HexColor,
            footer_company_name "footerCompanyName" Line needed: String,
            footer_pirvacy_policy_link "footerPirvacyPolicyLink" Link needed: SafeUrl,
            footer_terms_of_use_link "footerTermsOfUseLink" Link kept: SafeUrl,
            status "status" Word needed: WidgetStatus,
            company_name "companyName" Line needed: String,
            company_phone "companyPhone" Phone needed: Phone,
            company_email "companyEmail" Email needed: Email,
            company_address "companyAddress" Block needed: String,
            company_url "companyUrl" Link needed: SafeUrl,
            /// An empty list goes back to the host of the company's site.
            domains "domains" Domains listed: Vec<String>,
            first_page_title "firstPageTitle" Line needed: String,
            installed_price "installedPrice" Price kept: Usd,
        }
    };
}

/// As what a widget holds a value.
macro_rules! held_type {
    (needed, $type:ty) => {
        $type
    };
    (listed, $type:ty) => {
        $type
    };
    ($other:ident, $type:ty) => {
        Option<$type>
    };
}
