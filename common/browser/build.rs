//! Gives the WebAssembly module a stack: searches and checks recurse as deep as the longest play.

/// The size of the stack, in bytes. Memory of it is used only when it is reached.
const STACK: u32 = 64 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={STACK}");
    }
}
