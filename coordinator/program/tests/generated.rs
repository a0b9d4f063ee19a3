//! `docs/reference/configuration.md`: the options of the coordinator.

use sproutnet_testkit::page;

#[test]
fn generated_options_of_the_coordinator_are_current() {
    page::check_help(
        "sproutnet-coordinator",
        env!("CARGO_BIN_EXE_sproutnet-coordinator"),
    );
}
