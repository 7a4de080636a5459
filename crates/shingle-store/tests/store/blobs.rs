use shingle_store::{Blob, Blobs, StoreError};

fn blobs() -> (tempfile::TempDir, Blobs) {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::in_folder(&folder.path().join("not/yet/there")).unwrap();
    (folder, blobs)
}

#[tokio::test]
async fn a_kept_blob_is_named_by_its_content() {
    let (_folder, blobs) = blobs();
    let name = blobs.put_hashed("logos", "png", b"picture".to_vec()).await.unwrap();
    assert!(name.starts_with("logos/") && name.ends_with(".png"), "{name}");
    assert_eq!(blobs.put_hashed("logos", "png", b"picture".to_vec()).await.unwrap(), name);
    assert_ne!(blobs.put_hashed("logos", "png", b"another".to_vec()).await.unwrap(), name);
    let found = blobs.get(&name).await.unwrap();
    assert_eq!(found, Some(Blob { bytes: b"picture".to_vec(), content_type: "image/png" }));
    assert!(blobs.contains(&name).await.unwrap());
}

#[tokio::test]
async fn a_blob_may_be_put_under_a_chosen_name() {
    let (_folder, blobs) = blobs();
    blobs.put("qr/a.svg", b"<svg/>".to_vec()).await.unwrap();
    blobs.put("qr/a.svg", b"<svg></svg>".to_vec()).await.unwrap();
    let found = blobs.get("qr/a.svg").await.unwrap().unwrap();
    assert_eq!((found.bytes.as_slice(), found.content_type), (b"<svg></svg>".as_slice(), "image/svg+xml"));
}

#[tokio::test]
async fn no_name_leads_out_of_the_folder() {
    let (folder, blobs) = blobs();
    std::fs::write(folder.path().join("secret.png"), "secret").unwrap();
    blobs.put("logos/a.png", b"a".to_vec()).await.unwrap();
    for name in [
        "",
        "/",
        "..",
        "../../secret.png",
        "logos/../../../secret.png",
        "/etc/passwd",
        "logos",
        "logos/",
        "logos/\0",
        "logos//a.png",
        "%2e%2e/secret.png",
        "logos/b.png",
    ] {
        assert_eq!(blobs.get(name).await.unwrap(), None, "{name:?}");
        assert!(!blobs.contains(name).await.unwrap(), "{name:?}");
    }
    assert!(blobs.put("../../evil.png", b"x".to_vec()).await.is_err());
    assert!(!folder.path().join("evil.png").exists());
}

#[test]
fn an_address_that_is_no_folder_is_refused() {
    for address in ["", "s3://bucket/x", "https://ann:hunter2@example.com/"] {
        let refused = Blobs::folder(address).unwrap_err();
        assert!(matches!(refused, StoreError::StorageAddress(_)) && !refused.to_string().contains("hunter2"));
    }
}
