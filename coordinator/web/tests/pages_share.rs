//! Short addresses of matches on the board.

use crate::browser::{Page, ask};
use crate::pages::check;
use crate::pages_board::{follow, hand, places};
use sproutnet_testkit::cluster::{Cluster, soon};

const OWN: (&str, &str) = ("Sec-Fetch-Site", "same-origin");

/// A match with one line on it: its address and its page.
async fn begun(cluster: &Cluster) -> (String, String) {
    let (_, page) = follow(cluster, "/board/3?you=both").await;
    let line = hand(&places(&page)[..2]);
    follow(cluster, &format!("/board/3?you=both&hand={line}")).await
}

async fn share(cluster: &Cluster, address: &str, from: (&str, &str)) -> Page {
    let form = format!("address={}", address.replace('&', "%26"));
    soon(ask(cluster.http(), "POST", "/s", &[from], &form)).await
}

#[tokio::test]
async fn a_short_address_leads_to_the_match() {
    let mut cluster = Cluster::start().await;
    let (_, page) = follow(&cluster, "/board/3?you=both").await;
    assert!(!page.contains("action=\"/s\""), "there is nothing to share");
    let (path, page) = begun(&cluster).await;
    let (_, form) = page.split_once("action=\"/s\"").expect("a form");
    let address = form.split("value=\"").nth(1).expect("an address");
    let address = address.split('"').next().expect("an end");
    let address = address.replace("&amp;", "&");
    assert_eq!(address, path);
    let made = share(&cluster, &address, OWN).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let shown = made.location.expect("a page");
    let short = shown.trim_end_matches("/share");
    assert!(short.starts_with("/s/") && short.len() < 24, "{short}");
    let (_, page) = follow(&cluster, &shown).await;
    let whole = format!("value=\"http://{}{short}\"", cluster.http());
    assert!(page.contains(&whole), "{page}");
    assert_eq!(follow(&cluster, short).await.0, path);
    // The preview is that of the match.
    assert!(follow(&cluster, short).await.1.contains("og:image"));
    // The same match has the same address, also after a restart.
    let again = share(&cluster, &address, OWN).await;
    assert_eq!(again.location.as_deref(), Some(&*shown));
    cluster.restart().await;
    assert_eq!(follow(&cluster, short).await.0, path);
}

#[tokio::test]
async fn only_matches_are_shared_and_only_by_this_site() {
    let cluster = Cluster::start().await;
    let (path, _) = begun(&cluster).await;
    for wrong in [
        "",
        "/",
        "/board",
        "/positions/0*5",
        "//example.org/",
        "https://example.org/",
        "/board/nothing?you=both",
        "/board/3?you=nobody",
    ] {
        let page = share(&cluster, wrong, OWN).await;
        assert_eq!(page.status, 400, "{wrong}: {}", page.text);
        check(&page);
    }
    // Of an address elsewhere, only the match is kept.
    let made = share(&cluster, &format!("https://example.org{path}"), OWN).await;
    let short = made.location.expect("a page");
    let short = short.trim_end_matches("/share");
    assert_eq!(follow(&cluster, short).await.0, path);
    let other = ("Sec-Fetch-Site", "cross-site");
    assert_eq!(share(&cluster, &path, other).await.status, 403);
    for missing in ["/s/0123", "/s/0123/share"] {
        let page = soon(ask(cluster.http(), "GET", missing, &[], "")).await;
        assert_eq!(page.status, 404, "{missing}");
        check(&page);
    }
}
