use super::*;

#[test]
fn a_match_is_in_its_address() {
    let asked = Address {
        play: Some(Play::Misere),
        you: Some(Side::Second),
        so: Some("0*3_0.1a1a".to_owned()),
        spot: None,
        to: None,
        hint: None,
    };
    let played = Match::new("0.1a2a".to_owned(), asked).expect("a match");
    assert!(!played.is_your_turn() && played.is_yours_after(1));
    assert_eq!(
        played.link(),
        "/play/0.1a2a?play=misere&you=second&so=0*3_0.1a1a"
    );
    assert_eq!(
        played.taken_back().as_deref(),
        Some("/play/0.1a1a?play=misere&you=second&so=0*3")
    );
    assert_eq!(played.again(Side::First), "/play/0*3?play=misere&you=first");
    assert!(!played.have_you_won());
}

#[test]
fn only_moves_make_a_match() {
    for (so, text, is_match) in [
        ("", "!", true),
        ("0*2", "1a1a", true),
        ("0*2", "!", false),
        ("0*3_0.1a1a", "0*2", false),
        ("0*3_0*2", "1a1a", false),
        ("0*3_0*x", "1a1a", false),
    ] {
        let asked = Address {
            play: None,
            you: None,
            so: Some(so.to_owned()),
            spot: None,
            to: None,
            hint: None,
        };
        let played = Match::new(text.to_owned(), asked);
        assert_eq!(played.is_ok(), is_match, "{so} {text}");
    }
}
