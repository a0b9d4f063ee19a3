use super::*;

const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz";

fn access(token: Option<&str>, bound: &str) -> Access {
    let token = token.map(|token| Token::new(token).expect("a token"));
    Access::new(token, bound.parse().expect("an address"))
}

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let pair = |&(name, value): &(&'static str, &str)| {
        let name = header::HeaderName::from_static(name);
        (name, value.parse().expect("a value"))
    };
    pairs.iter().map(pair).collect()
}

/// What a request with these headers may do.
fn allowed(access: &Access, is_read: bool, headers: &HeaderMap) -> Result<(), Forbidden> {
    let mut request = Request::new(axum::body::Body::empty());
    *request.headers_mut() = headers.clone();
    access.check_origin(is_read, host(&request).as_ref(), headers)
}

#[test]
fn over_http2_the_address_names_the_host() {
    let open = access(None, "127.0.0.1");
    for (address, is_good) in [
        ("http://localhost:7351/api/v1/fleet", true),
        ("http://example.org/api/v1/fleet", false),
        ("/api/v1/fleet", false),
    ] {
        let mut request = Request::new(axum::body::Body::empty());
        *request.uri_mut() = address.parse().expect("an address");
        let allowed = open.check_origin(true, host(&request).as_ref(), request.headers());
        assert_eq!(allowed.is_ok(), is_good, "{address}");
    }
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
        let may = allowed(&open, true, &asked);
        assert_eq!(may.is_ok(), is_good, "{host}");
        // Other machines reach these anyway, or need the token.
        for open in [access(None, "0.0.0.0"), access(Some(TOKEN), "127.0.0.1")] {
            assert_eq!(allowed(&open, true, &asked), Ok(()));
        }
    }
    let nothing = allowed(&open, true, &HeaderMap::new());
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
            let may = allowed(&access, false, &asked);
            assert_eq!(may.is_ok(), is_good, "{pair:?}");
            assert_eq!(allowed(&access, true, &asked), Ok(()));
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
    assert_eq!(access.check(&shown), Ok(()));
    access.sign_out(&shown);
    assert!(access.check(&shown).is_err());
    let over_tls = headers(&[("origin", "https://example.org")]);
    let cookie = access.sign_in(TOKEN, &over_tls).expect("random numbers");
    assert!(cookie.expect("a cookie").contains("; Secure"));
}
