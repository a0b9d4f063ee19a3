//! `docs/reference/configuration.md`: the options of the worker.

use sproutnet_testkit::page;

#[test]
fn generated_options_of_the_worker_are_current() {
    page::check_help("sproutnet-worker", env!("CARGO_BIN_EXE_sproutnet-worker"));
}
