use std::collections::BTreeSet;

use sproutnet_coordinator::{Config, Coordinator};
use sproutnet_testkit::log::Log;
use sproutnet_transport::listen::Protection;
use tower::ServiceExt;

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

/// What a request with these headers may do.
fn allowed(access: &Access, is_read: bool, headers: &HeaderMap) -> Result<(), Forbidden> {
    access.check_origin(is_read, host(&Uri::default(), headers).as_ref(), headers)
}

#[test]
fn over_http2_the_address_names_the_host() {
    let open = access(None, "127.0.0.1");
    for (address, is_good) in [
        ("http://localhost:7351/api/v1/fleet", true),
        ("http://example.org/api/v1/fleet", false),
        ("/api/v1/fleet", false),
    ] {
        let (address, headers) = (address.parse().expect("an address"), HeaderMap::new());
        let allowed = open.check_origin(true, host(&address, &headers).as_ref(), &headers);
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

/// The routes that need no role: to sign in and out.
const WITHOUT_ROLE: [&str; 2] = ["/login", "/logout"];

#[tokio::test]
async fn each_request_that_may_change_something_has_a_role() {
    let data = tempfile::tempdir().expect("a folder");
    let coordinator = Coordinator::open(data.path(), Config::default(), Instant::now());
    let coordinator = Arc::new(coordinator.expect("a store"));
    let here = IpAddr::from([127, 0, 0, 1]);
    let router = crate::router(coordinator, &Protection::default(), here);
    // A router names its routes nowhere else.
    let shown = format!("{router:?}");
    let routes = shown.split('"').filter(|part| part.starts_with('/'));
    let routes: BTreeSet<&str> = routes
        .filter(|route| !route.contains("__private"))
        .collect();
    assert!(routes.len() > 40, "{routes:?}");
    let mut found = Vec::new();
    for route in routes {
        // The answer to a method that no route has names the methods that this one has.
        let request = Request::builder()
            .method("OTHER")
            .uri(route.replace(['{', '}'], ""))
            .header(header::HOST, "localhost")
            .body(axum::body::Body::empty());
        let request = request.expect("a request");
        let answer = router.clone().oneshot(request).await.expect("an answer");
        if WITHOUT_ROLE.contains(&route) {
            continue;
        }
        let Some(allowed) = answer.headers().get(header::ALLOW) else {
            assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{route}");
            continue;
        };
        for method in allowed.to_str().expect("text").split(',') {
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            let role = role_of(&method, route).expect("access lists this request");
            if !method.is_safe() {
                found.push((route, role));
            }
        }
    }
    let solve = |route: &'static str| (route, Role::Solve);
    let expected = [
        ("/api/v1/certificates", Role::Read),
        solve("/api/v1/computations"),
        solve("/api/v1/computations/{id}/cancel"),
        solve("/api/v1/computations/{id}/pause"),
        solve("/api/v1/computations/{id}/resume"),
        solve("/api/v1/computations/{id}/weight"),
        ("/api/v1/positions", Role::Read),
        solve("/computations"),
        solve("/computations/{id}/{change}"),
        solve("/match"),
        solve("/match/{name}"),
        solve("/match/{name}/join"),
        solve("/match/{name}/rematch"),
        solve("/match/{name}/resign"),
        solve("/s"),
    ];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn refusals_are_logged() {
    let data = tempfile::tempdir().expect("a folder");
    let coordinator = Coordinator::open(data.path(), Config::default(), Instant::now());
    let coordinator = Arc::new(coordinator.expect("a store"));
    let reader = "read-read-read-read-read";
    let tokens = format!("anna read {reader}\n");
    let protection = Protection {
        tokens: Some(Tokens::parse(tokens.as_bytes()).expect("tokens")),
        ..Protection::default()
    };
    let wrong = "wrong-wrong-wrong-wrong";
    let form = format!("token={wrong}&next=/");
    for (token, method, path, body, why) in [
        (wrong, "GET", "/api/v1/fleet", "", "wrong token"),
        (
            reader,
            "POST",
            "/api/v1/computations/1/cancel",
            "",
            "does not allow it",
        ),
        (reader, "POST", "/login", &*form, "wrong token"),
    ] {
        let here = IpAddr::from([127, 0, 0, 1]);
        let router = crate::router(Arc::clone(&coordinator), &protection, here);
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost")
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .extension(ConnectInfo(SocketAddr::from(([10, 0, 0, 7], 4321))));
        let request = request.body(axum::body::Body::from(body.to_owned()));
        let log = Log::default();
        let _listening = log.listen();
        let request = request.expect("a request");
        router.oneshot(request).await.expect("an answer");
        let text = log.take();
        let line = text.lines().find(|line| line.contains("a call is refused"));
        let line = line.unwrap_or_else(|| panic!("{path}: {text}"));
        for part in [why, path, "10.0.0.7:4321"] {
            assert!(line.contains(part), "{line}");
        }
        assert!(!line.contains(token) && !line.contains(wrong), "{line}");
    }
}
