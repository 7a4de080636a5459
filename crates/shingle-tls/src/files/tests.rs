use rcgen::{CertificateParams, KeyPair, date_time_ymd};

use super::*;

fn pair(name: &str) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new([name.to_owned()]).unwrap();
    (params.not_before, params.not_after) = (date_time_ymd(2026, 1, 1), date_time_ymd(2026, 4, 1));
    (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

#[test]
fn files_are_read_again_when_they_change_and_a_broken_pair_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = (folder.path().join("chain.pem"), folder.path().join("key.pem"));
    let put = |pair: &(String, String)| {
        std::fs::write(&certificate, &pair.0).unwrap();
        std::fs::write(&key, &pair.1).unwrap();
    };
    let mut files = CertificateFiles::new(&certificate, &key);
    assert!(files.reload().unwrap_err().to_string().contains("chain.pem"));
    let (first, second) = (pair("a.example.com"), pair("b.example.com"));
    put(&first);
    let Reload::Changed(read) = files.reload().unwrap() else { panic!("they are new") };
    assert!(read.is_for(&["A.example.com".to_owned()]) && !read.is_for(&["b.example.com".to_owned()]));
    assert_eq!(read.end().to_string(), "2026-04-01T00:00:00.000Z");
    assert_eq!(read.renewal().to_string(), "2026-03-02T00:00:00.000Z", "30 of 90 days before");
    assert!(matches!(files.reload().unwrap(), Reload::Unchanged));

    // Halfway: the certificate is new, its key is not there yet.
    std::fs::write(&certificate, &second.0).unwrap();
    let error = files.reload().unwrap_err().to_string();
    assert!(error.contains("key.pem") && error.contains("another certificate"), "{error}");
    assert!(matches!(files.reload().unwrap(), Reload::Unchanged), "it was told");
    std::fs::write(&key, &second.1).unwrap();
    assert!(matches!(files.reload().unwrap(), Reload::Changed(read) if read.is_for(&["b.example.com".to_owned()])));

    for (broken, said) in [("", "holds none"), ("-----BEGIN CERTIFICATE-----\nMIIB", "chain.pem")] {
        std::fs::write(&certificate, broken).unwrap();
        let error = files.reload().unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    std::fs::write(&certificate, vec![b'x'; 2 * 1024 * 1024]).unwrap();
    assert!(files.reload().unwrap_err().to_string().contains("larger than"));
    put(&second);
    assert!(matches!(files.reload().unwrap(), Reload::Changed(_)), "after an error they are new again");
}
