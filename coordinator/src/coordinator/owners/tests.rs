use super::*;

fn caller(name: &str, role: Role) -> Caller {
    Caller {
        name: name.into(),
        role,
    }
}

#[test]
fn the_owner_is_the_name_of_the_token_except_for_admins() {
    let (alice, admin) = (caller("alice", Role::Solve), caller("ops", Role::Admin));
    let unnamed = caller("token", Role::Admin);
    for (wanted, by, expected) in [
        ("", None, ""),
        ("bob", None, "bob"),
        ("", Some(&alice), "alice"),
        ("alice", Some(&alice), "alice"),
        ("", Some(&admin), "ops"),
        ("bob", Some(&admin), "bob"),
        ("", Some(&unnamed), ""),
        ("bob", Some(&unnamed), "bob"),
    ] {
        let owner = owner(wanted, by).expect(wanted);
        assert_eq!(owner, expected, "{wanted} by {by:?}");
    }
    let denied = owner("bob", Some(&alice)).expect_err("it is another's");
    assert!(matches!(denied, CoordinatorError::Denied(_)), "{denied}");
    assert!(denied.to_string().contains("`alice`"), "{denied}");
}

#[test]
fn texts_are_short_and_show_as_they_are() {
    assert_eq!(label("  misère 24 ").expect("a label"), "misère 24");
    assert_eq!(label("<b>&").expect("a label"), "<b>&");
    assert!(label(&"é".repeat(LONGEST_LABEL)).is_ok());
    for bad in [
        &*"é".repeat(LONGEST_LABEL + 1),
        "a\nb",
        "a\u{1b}[2J",
        "a\u{202e}b",
    ] {
        let refused = label(bad).expect_err(bad);
        assert!(matches!(refused, CoordinatorError::Invalid(_)), "{refused}");
    }
}
