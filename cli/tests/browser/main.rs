//! The pages of a real coordinator in a real browser: one file for each topic.
//!
//! The tests need `chromium` and `chromedriver`. They are ignored by default; `cargo test --workspace --release --test
//! browser -- --ignored` runs them. `SPROUTNET_AXE=FILE` names axe.min.js of axe-core, which checks accessibility.
//! `SPROUTNET_TEST_WASM=FILE` names the WebAssembly module of `common/browser`, which `.ci/wasm` makes.
//! `SPROUTNET_SCREENSHOTS=FOLDER` is the folder for pictures of the pages.

mod accessible;
mod alone;
mod animation;
mod between;
mod chromium;
#[path = "../command/mod.rs"]
mod command;
mod computing;
mod devtools;
mod drawing;
mod editing;
mod front;
mod gestures;
mod hand;
mod keyboard;
mod layout;
mod playing;
mod position;
#[path = "../processes/mod.rs"]
mod processes;
mod scriptless;
mod signing;
mod site;
mod speed;
mod visit;
mod wrong;
