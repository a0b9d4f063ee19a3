//! The pages of a real coordinator in a real browser: one file for each concern.
//!
//! They need `chromium` and `chromedriver`, and are ignored unless asked for, as by
//! `cargo test --workspace --release --test browser -- --ignored`. `SPROUTNET_AXE=FILE` is axe.min.js of axe-core, which checks that everybody can
//! use the pages; `SPROUTNET_SCREENSHOTS=FOLDER` is where pictures of the pages go.

mod accessible;
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
mod playing;
mod position;
#[path = "../processes/mod.rs"]
mod processes;
mod scriptless;
mod signing;
mod speed;
mod visit;
mod wrong;
