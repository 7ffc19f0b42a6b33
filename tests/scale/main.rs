//! Placeholder.
mod cluster;
fn main() {
    let _ = cluster::write;
}
