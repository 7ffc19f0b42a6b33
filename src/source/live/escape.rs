//! Escaping as in URLs.

/// Escapes all bytes as `%40`, but for letters, digits, and these.
pub(super) fn escaped(text: &str, plain: &[u8]) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || plain.contains(&byte);
    text.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
