//! TLS, proxies.
trials![];
