use super::*;

#[test]
fn the_command_line_is_well_formed() {
    use clap::CommandFactory;
    Args::command().debug_assert();
}

#[test]
fn durations() {
    assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
    assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
    assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
    for bad in ["", "s", "-1s", "0", "inf", "5 weeks"] {
        assert!(duration(bad).is_err(), "{bad}");
    }
}
