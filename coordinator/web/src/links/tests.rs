use super::*;

#[test]
fn positions_are_encoded() {
    for (text, path) in [
        ("0*8", "/positions/0*8"),
        ("0*3.AB|0.AB", "/positions/0*3.AB%7C0.AB"),
        ("0*4+0*5", "/positions/0*4%2B0*5"),
        ("kayles:5+3", "/positions/kayles:5%2B3"),
        ("<a/é?#", "/positions/%3Ca%2F%C3%A9%3F%23"),
    ] {
        assert_eq!(position(text), path);
    }
}

#[test]
fn a_query_leads_on_as_an_address_can_hold_it() {
    assert_eq!(with_query("/board", None), "/board");
    for (query, address) in [
        ("", "/board?"),
        ("spots=6&play=misere", "/board?spots=6&play=misere"),
        ("text=0*4%2B0*5", "/board?text=0*4%2B0*5"),
        ("play=misère \n", "/board?play=mis%C3%A8re%20%0A"),
    ] {
        assert_eq!(with_query("/board", Some(query)), address);
    }
}

#[test]
fn one_is_led_to_no_other_site() {
    assert_eq!(own("/computations/3?a=b"), "/computations/3?a=b");
    for path in [
        "",
        "//example.org",
        "https://example.org",
        "/\\example.org",
        "/a\nb",
        "/a\u{1}b",
        "/a b",
        "/é",
    ] {
        assert_eq!(own(path), "/", "{path}");
    }
}
