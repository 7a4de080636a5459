//! The messages of every crate that has them as data.

/// Each key and its English.
pub fn all_messages() -> Vec<(&'static str, &'static str)> {
    let crates = [
        shingle_domain::MESSAGES,
        shingle_backup::MESSAGES,
        shingle_store::MESSAGES,
        shingle_deliver::MESSAGES,
        shingle_sitecheck::MESSAGES,
        shingle_property::MESSAGES,
        shingle_import::MESSAGES,
        shingle_source::MESSAGES,
        shingle_estimate::calibration::MESSAGES,
        shingle_tls::MESSAGES,
        shingle_app::MESSAGES,
    ];
    crates.concat().concat()
}
