use super::*;

#[test]
fn each_name_switches_off_one_thing() {
    let mut left = Switches::default();
    for switch in Switch::ALL {
        assert_eq!(switch.name().parse(), Ok(switch));
        assert!(left.has(switch));
        let before = left;
        left = left.without(switch);
        assert_ne!(left, before, "{switch}");
        assert!(!left.has(switch));
        assert_eq!(left.without(switch), left, "{switch}");
    }
    assert_eq!("glances".parse(), Ok(Switch::Partial));
    let error = "speed".parse::<Switch>().expect_err("no switch");
    assert_eq!(
        error.to_string(),
        "expected one of leaves, epsilon, sums, exclusions, lookups, partial, heaps, found `speed`"
    );
}
