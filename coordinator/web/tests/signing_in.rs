//! Pages of a coordinator that has a token.

use sproutnet_coordinator::Config;

use crate::browser::{Page, ask, get, html};
use sproutnet_testkit::cluster::{Cluster, soon};

const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz";

/// The header by which a browser asks for a page.
const BROWSER: (&str, &str) = ("Accept", "text/html,application/xhtml+xml");
const OWN: (&str, &str) = ("Sec-Fetch-Site", "same-origin");

async fn closed() -> Cluster {
    Cluster::with(Config::default(), Some(TOKEN)).await
}

async fn sign_in(cluster: &Cluster, form: &str) -> Page {
    soon(ask(cluster.http(), "POST", "/login", &[BROWSER, OWN], form)).await
}

/// The cookie that an answer sets, as the browser sends it back.
fn cookie(page: &Page) -> String {
    let set = page.header("set-cookie").expect("a cookie");
    assert!(
        set.contains("; httponly") && set.contains("; samesite=strict"),
        "{set}"
    );
    assert!(!set.contains(TOKEN), "{set}");
    set.split(';').next().expect("a value").to_owned()
}

#[tokio::test]
async fn nothing_is_shown_without_the_token() {
    let cluster = closed().await;
    let address = cluster.http();
    for path in [
        "/",
        "/computations/1",
        "/positions?position=0*8",
        "/nothing",
        "/api/v1/fleet",
        "/metrics",
    ] {
        let page = soon(get(address, path, None)).await;
        assert_eq!(page.status, 401, "{path}");
        assert_eq!(page.header("www-authenticate"), Some("bearer"));
        assert_eq!(page.header("content-type"), Some("application/json"));
        let error: serde_json::Value = serde_json::from_str(&page.text).expect("JSON");
        assert!(error["error"].is_string(), "{error}");
        let page = soon(get(address, path, Some("wrong-wrong-wrong"))).await;
        assert_eq!(page.status, 401, "{path}");
        let led = soon(ask(address, "GET", path, &[BROWSER], "")).await;
        assert_eq!(led.status, 303, "{path}");
        assert!(
            led.header("location")
                .is_some_and(|to| to.starts_with("/login"))
        );
    }
    for path in ["/computations", "/computations/1/cancel"] {
        let page = soon(ask(address, "POST", path, &[OWN], "position=0*8&play=both")).await;
        assert_eq!(page.status, 401, "{path}");
    }
    let page = soon(get(address, "/login", None)).await;
    assert_eq!(page.status, 200);
    html::check(&page.text).expect("a page");
    let style = page
        .text
        .split('"')
        .find(|part| part.ends_with("/style.css"));
    let style = soon(get(address, style.expect("a style"), None)).await;
    assert_eq!(style.status, 200);
    assert_eq!(soon(get(address, "/healthz", None)).await.status, 200);
}

#[tokio::test]
async fn the_token_opens_the_pages() {
    let cluster = closed().await;
    let page = soon(get(cluster.http(), "/", Some(TOKEN))).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Sign out"));
}

#[tokio::test]
async fn one_signs_in_and_out() {
    let cluster = closed().await;
    let address = cluster.http();
    let wrong = sign_in(
        &cluster,
        "token=wrong-wrong-wrong-wrong&next=/computations/3",
    )
    .await;
    assert_eq!(wrong.status, 401);
    assert!(wrong.header("set-cookie").is_none());
    html::check(&wrong.text).expect("a page");
    assert!(
        wrong.text.contains("value=\"/computations/3\""),
        "{}",
        wrong.text
    );

    let right = sign_in(&cluster, &format!("token={TOKEN}&next=%2Fcomputations%3Fa")).await;
    assert_eq!(right.status, 303);
    assert_eq!(right.header("location"), Some("/computations?a"));
    let cookie = cookie(&right);
    let shown = [BROWSER, OWN, ("Cookie", &cookie)];
    let page = soon(ask(address, "GET", "/", &shown, "")).await;
    assert_eq!(page.status, 200);
    let form = "position=0*9&play=normal";
    let started = soon(ask(address, "POST", "/computations", &shown, form)).await;
    assert_eq!(started.status, 303);
    assert_eq!(started.header("location"), Some("/computations/1"));

    // The cookie does not help a page of another site.
    let other = [("Sec-Fetch-Site", "cross-site"), ("Cookie", &*cookie)];
    let refused = soon(ask(address, "POST", "/computations/1/cancel", &other, "")).await;
    assert_eq!(refused.status, 403);

    let out = soon(ask(address, "POST", "/logout", &shown, "")).await;
    assert_eq!(out.status, 303);
    let page = soon(ask(address, "GET", "/", &shown, "")).await;
    assert_eq!(page.status, 303);
}

#[tokio::test]
async fn whoever_signs_in_is_led_to_no_other_site() {
    let cluster = closed().await;
    for next in [
        "//example.org",
        "https://example.org/",
        "%5C%5Cexample.org",
        "",
    ] {
        let led = sign_in(&cluster, &format!("token={TOKEN}&next={next}")).await;
        assert_eq!(led.status, 303, "{next}");
        assert_eq!(led.header("location"), Some("/"), "{next}");
    }
    let elsewhere = [("Sec-Fetch-Site", "cross-site")];
    let form = format!("token={TOKEN}");
    let refused = ask(cluster.http(), "POST", "/login", &elsewhere, &form);
    assert_eq!(soon(refused).await.status, 403);
}
