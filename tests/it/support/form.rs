//! The multipart form of a widget.

use reqwest::multipart::{self, Part};

use super::images;

/// Fields and files by name. A test changes those that it is about.
#[derive(Clone)]
pub struct Form {
    pub texts: Vec<(String, String)>,
    pub files: Vec<(String, Vec<u8>)>,
}

impl Form {
    pub fn empty() -> Self {
        Self { texts: Vec::new(), files: Vec::new() }
    }

    /// One value under this name, in place of an earlier one.
    pub fn set(mut self, name: &str, value: &str) -> Self {
        self.texts.retain(|(n, _)| n != name);
        self.texts.push((name.into(), value.into()));
        self
    }

    /// One more value.
    pub fn add(mut self, name: &str, value: &str) -> Self {
        self.texts.push((name.into(), value.into()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.texts.retain(|(n, _)| n != name);
        self.files.retain(|(n, _)| n != name);
        self
    }

    pub fn file(mut self, name: &str, bytes: Vec<u8>) -> Self {
        self.files.push((name.into(), bytes));
        self
    }

    pub fn build(&self) -> multipart::Form {
        let form = multipart::Form::new();
        let form = self.texts.iter().cloned().fold(form, |form, (name, value)| form.text(name, value));
        self.files.iter().cloned().fold(form, |form, (name, bytes)| {
            form.part(name, Part::bytes(bytes).file_name("logo.png").mime_str("image/png").unwrap())
        })
    }
}

/// A complete new widget.
pub fn widget() -> Form {
    let texts = [
        ("referenceId", super::WIDGET),
        ("primaryColor", "#0b3d91"),
        ("secondaryColor", "#2f4858"),
        ("backgroundColor", "#f5f7fa"),
        ("cardBackgroundColor", "#ffffff"),
        ("textColor", "#1c2733"),
        ("linkColor", "#0b57d0"),
        ("footerCompanyName", "Oak Roofing"),
        ("footerPirvacyPolicyLink", "https://oak.example.com/privacy"),
        ("status", "active"),
        ("companyName", "Oak Roofing"),
        ("companyPhone", "(757) 555-0134"),
        ("companyEmail", "hello@oak.example.com"),
        ("companyAddress", "1 Main St"),
        ("companyUrl", "https://oak.example.com"),
        ("firstPageTitle", "What would a new roof cost?"),
    ];
    let texts = texts.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    Form { texts, files: Vec::new() }.file("headerLogo", images::png(300, 150))
}
