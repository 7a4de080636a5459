//! A bare axum server that says hello: what `cargo xtask bench api` compares with. It prints its address.

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    axum::serve(listener, Router::new().route("/", get(|| async { "Hello, world!" }))).await
}
