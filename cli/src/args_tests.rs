use std::time::Duration;

use super::readers::duration;
use super::*;

#[test]
fn the_command_line_is_well_formed() {
    program().debug_assert();
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

#[test]
fn every_option_has_a_variable() {
    let program = program();
    let all = program.get_subcommands().flat_map(Program::get_arguments);
    for arg in program.get_arguments().chain(all) {
        assert_eq!(arg.get_env().is_some(), arg.get_long().is_some(), "{arg}");
    }
    let mut arguments = program.get_arguments();
    let token = arguments.find(|arg| arg.get_long() == Some("token-file"));
    let variable = token.and_then(clap::Arg::get_env).expect("an option");
    assert_eq!(variable, "SPROUTNET_TOKEN_FILE");
}
