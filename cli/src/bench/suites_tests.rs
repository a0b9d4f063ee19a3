use super::*;

#[test]
fn the_mean_of_ratios_is_geometric() {
    let comparison = comparison(&[2.0, 8.0]).expect("two of them");
    assert!((comparison.speedup - 4.0).abs() < 1e-9);
    assert_eq!(comparison.positions, 2);
    assert!(super::comparison(&[]).is_none());
}

#[test]
fn all_suites_can_be_read() {
    for suite in Suite::value_variants() {
        let (play, spots) = suite.starts();
        for spots in spots {
            let text = game::Sprouts::start(spots);
            assert!(subject(text, play).is_ok(), "{} {spots}", suite.name());
        }
        let value = suite.to_possible_value().expect("none is hidden");
        assert_eq!(value.get_name(), suite.name());
    }
}
