use std::net::TcpListener;

use super::*;

fn at(endpoint: String) -> Bucket {
    let settings = Settings {
        s3_endpoint: Some(endpoint),
        s3_key: Some("AKIAOAK".into()),
        s3_secret: Some("hunter2".into()),
        ..Settings::default()
    };
    let short = Duration::from_millis(200);
    let patience = Patience { silence: short, tries: short, ..Patience::BACKUP };
    Bucket::waiting(&settings, "oak", patience).unwrap()
}

async fn refused_by(endpoint: String) -> String {
    at(endpoint).list(&Key::from("roofs")).await.unwrap_err().to_string()
}

#[tokio::test]
async fn a_server_that_is_silent_or_not_there_is_told_apart() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let said = refused_by(format!("http://{}", silent.local_addr().unwrap())).await;
    assert!(said.contains("does not answer") && said.contains("s3://oak/roofs"), "{said}");
    let gone = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = gone.local_addr().unwrap();
    drop(gone);
    let said = refused_by(format!("http://{address}")).await;
    assert!(said.contains("is not reached"), "{said}");
}

#[tokio::test]
async fn an_upload_that_is_stopped_asks_nobody_who_does_not_answer() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let bucket = at(format!("http://{}", silent.local_addr().unwrap()));
    let (writer, mut pieces) = PartWriter::new();
    let sent = tokio::task::spawn_blocking(move || writer.finish());
    let (stop, place) = (Stop::default(), ObjectAddress::parse("s3://oak/a").unwrap());
    stop.now();
    let folder = tempfile::tempdir().unwrap();
    let said = bucket.upload(&place, &mut pieces, folder.path(), &stop).await.unwrap_err().to_string();
    assert!(said.contains("was stopped") || said.contains("does not answer"), "{said}");
    sent.await.unwrap().unwrap();
}

#[tokio::test]
async fn parts_have_one_size_but_the_last() {
    let (mut writer, mut pieces) = PartWriter::new();
    let written = tokio::task::spawn_blocking(move || {
        let bytes = vec![7; PART / 2 + 1];
        for _ in 0..4 {
            writer.write_all(&bytes).unwrap();
        }
        writer.finish().unwrap();
    });
    let mut sizes = Vec::new();
    while let Some(piece) = pieces.recv().await {
        sizes.push(match piece {
            Piece::Part(bytes) => (bytes.len(), false),
            Piece::Last(bytes) => (bytes.len(), true),
        });
    }
    written.await.unwrap();
    assert_eq!(sizes, [(PART, false), (PART, false), (4, true)]);
}

#[tokio::test]
async fn a_note_that_was_not_written_to_its_end_is_removed_and_one_that_is_locked_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (half, held) = (folder.path().join("a.1.upload"), folder.path().join("b.2.upload"));
    fs::write(&half, "{").unwrap();
    let lock = File::create(&held).unwrap();
    lock.lock().unwrap();
    abort_left_uploads(&Settings::default(), folder.path()).await.unwrap();
    assert!(!half.exists() && held.exists());
}
