use tracing::Level;

use super::*;

#[test]
fn errors_of_the_database_are_logged_if_they_are_asked_for() {
    for (text, is_logged) in [
        ("", false),
        ("no=such=level", false),
        ("sproutnet_worker=debug", false),
        ("error", true),
        ("sled=warn", true),
    ] {
        let filter = parse_filter(text, LevelFilter::INFO);
        let enabled = filter.would_enable("sled::tree", &Level::ERROR);
        assert_eq!(enabled, is_logged, "{text:?}");
        let ours = filter.would_enable("sproutnet_store", &Level::ERROR);
        assert!(ours, "{text:?}");
    }
}
