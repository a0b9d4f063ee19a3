use super::*;

const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz";

fn access(token: Option<&str>, bound: &str) -> Access {
    let tokens = token.map(|token| Tokens::parse(token.as_bytes()).expect("a token"));
    Access::new(tokens, bound.parse().expect("an address"))
}

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let pair = |&(name, value): &(&'static str, &str)| {
        let name = header::HeaderName::from_static(name);
        (name, value.parse().expect("a value"))
    };
    pairs.iter().map(pair).collect()
}

#[test]
fn only_names_of_this_machine_lead_to_a_port_without_a_token() {
    let open = access(None, "127.0.0.1");
    for (host, is_good) in [
        ("localhost", true),
        ("LOCALHOST:7351", true),
        ("127.0.0.1:7351", true),
        ("127.8.8.8", true),
        ("[::1]:7351", true),
        ("example.org", false),
        ("localhost.example.org:7351", false),
        ("127.0.0.1.example.org", false),
        ("192.168.0.1:7351", false),
        ("", false),
    ] {
        let asked = headers(&[("host", host)]);
        let allowed = open.check_origin(&Method::GET, &asked);
        assert_eq!(allowed.is_ok(), is_good, "{host}");
        // Other machines reach these anyway, or need the token.
        for open in [access(None, "0.0.0.0"), access(Some(TOKEN), "127.0.0.1")] {
            assert_eq!(open.check_origin(&Method::GET, &asked), Ok(()));
        }
    }
    let nothing = open.check_origin(&Method::GET, &HeaderMap::new());
    assert_eq!(nothing, Err(Forbidden::Host));
}

#[test]
fn other_sites_change_nothing() {
    let host = ("host", "localhost:7351");
    for access in [access(None, "127.0.0.1"), access(Some(TOKEN), "10.0.0.1")] {
        for (pair, is_good) in [
            (("sec-fetch-site", "same-origin"), true),
            (("sec-fetch-site", "none"), true),
            (("sec-fetch-site", "same-site"), false),
            (("sec-fetch-site", "cross-site"), false),
            (("origin", "http://localhost:7351"), true),
            (("origin", "http://localhost:7352"), false),
            (("origin", "http://example.org"), false),
            (("origin", "null"), false),
            (("accept", "*/*"), true),
        ] {
            let asked = headers(&[host, pair]);
            let allowed = access.check_origin(&Method::POST, &asked);
            assert_eq!(allowed.is_ok(), is_good, "{pair:?}");
            assert_eq!(access.check_origin(&Method::GET, &asked), Ok(()));
        }
    }
}

#[test]
fn one_signs_in_with_the_token_and_out_again() {
    let access = access(Some(TOKEN), "127.0.0.1");
    let nothing = HeaderMap::new();
    assert!(access.check(&nothing).is_err());
    let sign_in = |token| access.sign_in(token, &nothing).expect("random numbers");
    assert_eq!(sign_in("wrong-wrong-wrong-wrong"), None);
    assert_eq!(sign_in(""), None);
    let cookie = sign_in(TOKEN).expect("a cookie");
    assert!(!cookie.contains(TOKEN) && !cookie.contains("Secure"));
    let (shown, _) = cookie.split_once(';').expect("attributes");
    let shown = format!("other=1; {shown}");
    let shown = headers(&[("cookie", &shown)]);
    let caller = access.check(&shown).expect("a session").expect("a token");
    assert_eq!((&*caller.name, caller.role), ("token", Role::Admin));
    access.sign_out(&shown);
    assert!(access.check(&shown).is_err());
    let over_tls = headers(&[("origin", "https://example.org")]);
    let cookie = access.sign_in(TOKEN, &over_tls).expect("random numbers");
    assert!(cookie.expect("a cookie").contains("; Secure"));
}

#[test]
fn a_session_ends_with_its_token() {
    let tokens = |text: &str| Tokens::parse(text.as_bytes()).expect("tokens");
    let (anna, bert) = ("anna-anna-anna-anna", "bert-bert-bert-bert");
    let accepted = tokens(&format!("anna read {anna}\nbert solve {bert}\n"));
    let access = Access::new(Some(accepted.clone()), IpAddr::from([127, 0, 0, 1]));
    let session = |token| {
        let cookie = access.sign_in(token, &HeaderMap::new());
        let cookie = cookie.expect("random numbers").expect("a cookie");
        let (shown, _) = cookie.split_once(';').expect("attributes");
        headers(&[("cookie", shown)])
    };
    let (of_anna, of_bert) = (session(anna), session(bert));
    let role = |session| {
        access
            .check(session)
            .map(|caller| caller.map(|caller| caller.role))
    };
    assert_eq!(role(&of_anna), Ok(Some(Role::Read)));
    assert_eq!(role(&of_bert), Ok(Some(Role::Solve)));
    accepted.replace(&tokens(&format!(
        "bert admin {bert}\nnobody read 0123456789abcdef"
    )));
    assert!(role(&of_anna).is_err());
    assert_eq!(role(&of_bert), Ok(Some(Role::Admin)));
}

#[test]
fn requests_need_roles() {
    for (method, path, role) in [
        (Method::GET, "/api/v1/fleet", Role::Read),
        (Method::GET, "/computations/3", Role::Read),
        (Method::POST, "/api/v1/positions", Role::Read),
        (Method::POST, "/computations", Role::Solve),
        (Method::POST, "/computations/3/cancel", Role::Solve),
        (Method::POST, "/api/v1/computations/3/pause", Role::Solve),
        (Method::POST, "/match", Role::Solve),
        (Method::POST, "/matches", Role::Admin),
        (Method::POST, "/api/v1/anything", Role::Admin),
    ] {
        assert_eq!(needed(&method, path), role, "{method} {path}");
    }
}
