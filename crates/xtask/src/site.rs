//! A static web server for the demo contractor's site: another origin, as a real contractor's site is.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

/// Where the page takes the widget's script tag.
const SCRIPT: &str = "<!-- the widget's script tag -->";

/// Path → media type and bytes.
type Files = BTreeMap<String, (&'static str, Vec<u8>)>;

/// Serves a folder's files, each page with the script tag in workspace, until the program ends.
pub fn serve(listen: SocketAddr, folder: &Path, script: &str) -> Result<()> {
    let files = Arc::new(load(folder, script)?);
    let listener = TcpListener::bind(listen).with_context(|| format!("the demo site cannot listen on {listen}"))?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let files = Arc::clone(&files);
            // A visitor who hangs up halfway is nobody's error.
            thread::spawn(move || answer(stream, &files).ok());
        }
    });
    Ok(())
}

fn load(folder: &Path, script: &str) -> Result<Files> {
    let mut files = Files::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|n| n.to_str()) else { continue };
        let media = match name.rsplit_once('.') {
            Some((_, "html")) => "text/html; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "svg")) => "image/svg+xml",
            Some((_, "png")) => "image/png",
            Some((_, "txt")) => "text/plain; charset=utf-8",
            _ => continue,
        };
        let mut bytes = fs::read(&path)?;
        if let Some(page) = name.strip_suffix(".html") {
            let text = String::from_utf8(bytes).with_context(|| path.display().to_string())?;
            bytes = text.replace(SCRIPT, script).into_bytes();
            let path = if page == "index" { "/".to_owned() } else { format!("/{page}") };
            files.insert(path, (media, bytes));
        } else {
            files.insert(format!("/{name}"), (media, bytes));
        }
    }
    Ok(files)
}

fn answer(mut stream: TcpStream, files: &Files) -> Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut head = BufReader::new(stream.try_clone()?.take(16 * 1024));
    let mut request = String::new();
    head.read_line(&mut request)?;
    let mut line = String::new();
    while head.read_line(&mut line)? > 2 {
        line.clear();
    }
    let (status, media, body) = respond(&request, files);
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {media}\r\ncontent-length: {length}\r\ncache-control: no-cache\r\nconnection: close\r\n\r\n"
    )?;
    if !request.starts_with("HEAD ") {
        stream.write_all(body)?;
    }
    Ok(())
}

fn respond<'a>(request: &str, files: &'a Files) -> (&'static str, &'static str, &'a [u8]) {
    let mut words = request.split_ascii_whitespace();
    let known = matches!(words.next(), Some("GET" | "HEAD"));
    let path = words.next().unwrap_or_default().split('?').next().unwrap_or_default();
    match files.get(path).filter(|_| known) {
        Some((media, body)) => ("200 OK", media, body),
        None => ("404 Not Found", "text/plain; charset=utf-8", b"There is no such page on the demo site.\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demo() -> Files {
        load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/demo"), "<script async src=\"x\"></script>")
            .unwrap()
    }

    #[test]
    fn the_front_page_carries_the_script_tag_once() {
        let files = demo();
        let (status, media, body) = respond("GET /?roof-estimate=1 HTTP/1.1\r\n", &files);
        let page = core::str::from_utf8(body).unwrap();
        assert_eq!((status, media), ("200 OK", "text/html; charset=utf-8"));
        assert_eq!(page.matches("<script async src=\"x\"></script>").count(), 1);
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let files = demo();
        for path in ["/../Cargo.toml", "/..%2f..%2fCargo.toml", "//etc/passwd", "", "/nowhere"] {
            assert_eq!(respond(&format!("GET {path} HTTP/1.1\r\n"), &files).0, "404 Not Found", "{path}");
        }
        assert_eq!(respond("POST / HTTP/1.1\r\n", &files).0, "404 Not Found");
    }
}
