//! Forwarding: how a server without TLS is asked through a proxy of HTTP. The proxy gets whole requests, address included,
//! and no CONNECT, which many proxies allow for TLS only.
//!
//! Upstream: Go's net/http `persistConn.writeRequest` with `isProxy`.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::Uri;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection};
use tower::{BoxError, Service, ServiceExt as _};

/// Connects to the proxy, whatever the server.
pub(super) fn forward<C>(
    proxy: Uri,
    connector: C,
) -> impl Service<Uri, Response = ToProxy<C::Response>, Error = io::Error, Future: Send> + Clone + Send + Sync + 'static
where
    C: Service<Uri, Future: Send, Error: Into<BoxError>> + Clone + Send + Sync + 'static,
{
    connector.map_request(move |_server| proxy.clone()).map_response(ToProxy).map_err(io::Error::other)
}

/// A connection to a proxy.
pub(super) struct ToProxy<T>(T);

impl<T: Connection> Connection for ToProxy<T> {
    fn connected(&self) -> Connected {
        // With this, hyper writes the whole address into each request.
        self.0.connected().proxy(true)
    }
}

impl<T: Read + Unpin> Read for ToProxy<T> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl<T: Write + Unpin> Write for ToProxy<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
