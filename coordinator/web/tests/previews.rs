//! What links to pages show: the properties in the head of a page, and the picture that they name.

use crate::browser::{ask, get_bytes};
use crate::pages::check;
use crate::pages_board::{follow, hand, places};
use sproutnet_testkit::cluster::{Cluster, soon};

/// The content of a property of a page.
fn property<'p>(page: &'p str, name: &str) -> Option<&'p str> {
    let (_, rest) = page.split_once(&format!("property=\"{name}\" content=\""))?;
    rest.split('"').next()
}

/// Checks the preview of a page: its address, and its picture.
async fn is_previewed(cluster: &Cluster, path: &str) -> Vec<u8> {
    let (path, page) = follow(cluster, path).await;
    let origin = format!("http://{}", cluster.http());
    let address = |name: &str| {
        let address = property(&page, name).unwrap_or_else(|| panic!("{name}: {page}"));
        let address = address.replace("&amp;", "&");
        let own = address.strip_prefix(&origin);
        own.unwrap_or_else(|| panic!("{address}")).to_owned()
    };
    let whole = address("og:url");
    assert_eq!(whole.split('?').next(), path.split('?').next());
    assert!(property(&page, "og:title").is_some_and(|title| title.contains("Sprouts")));
    assert!(property(&page, "og:description").is_some_and(|text| text.len() > 10));
    let (head, file) = soon(get_bytes(cluster.http(), &address("og:image"))).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(head.contains("content-type: image/png"), "{head}");
    // The signature, and the size in the first chunk (PNG, sections 5.2 and 11.2.1).
    assert_eq!(file[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(file[16..24], [0, 0, 4, 176, 0, 0, 2, 118]);
    file
}

#[tokio::test]
async fn a_link_to_a_drawing_shows_it() {
    let cluster = Cluster::start().await;
    let start = is_previewed(&cluster, "/board/3?you=both").await;
    let (_, page) = follow(&cluster, "/board/3?you=both").await;
    let spots = places(&page);
    let line = hand(&[spots[0], spots[1]]);
    let (path, page) = follow(&cluster, &format!("/board/3?you=both&hand={line}")).await;
    assert_ne!(is_previewed(&cluster, &path).await, start);
    assert_eq!(
        property(&page, "og:title"),
        Some("Sprouts with 3 spots, after 1 move")
    );
    let told = "The second player’s move · Normal play: a player who cannot move has lost.";
    assert_eq!(property(&page, "og:description"), Some(told));
    is_previewed(&cluster, "/board?position=0*2.AB%7C0.AB&you=both").await;
    is_previewed(&cluster, "/editor?text=0*2.AB%7C0.AB").await;
    // An empty sheet has nothing to show.
    let (_, page) = follow(&cluster, "/editor").await;
    assert_eq!(property(&page, "og:image"), None);
    let page = soon(ask(cluster.http(), "GET", "/board/x/preview.png", &[], "")).await;
    assert_eq!(page.status, 400);
}

#[tokio::test]
async fn a_link_to_a_match_shows_it_and_is_short() {
    let cluster = Cluster::start().await;
    let own = [("Sec-Fetch-Site", "same-origin")];
    let form = "played=4&play=misere";
    let begun = soon(ask(cluster.http(), "POST", "/match", &own, form)).await;
    let path = begun.location.expect("a match");
    assert!(path.len() < 24, "{path}");
    is_previewed(&cluster, &path).await;
    let (_, page) = follow(&cluster, &path).await;
    let told = property(&page, "og:description").expect("a text");
    assert!(told.ends_with("There is no second player yet."), "{told}");
    // Behind a proxy that takes off TLS, its address is that of the proxy.
    let proxied = [("Host", "localhost"), ("X-Forwarded-Proto", "https")];
    let page = soon(ask(cluster.http(), "GET", &path, &proxied, "")).await;
    check(&page);
    let expected = format!("https://localhost{path}/preview.png");
    assert_eq!(property(&page.text, "og:image"), Some(&*expected));
    // What another host is called is no mark-up.
    let odd = [("Host", "localhost\"><b>")];
    let page = soon(ask(cluster.http(), "GET", &path, &odd, "")).await;
    assert!(!page.text.contains("<b>"), "{}", page.text);
}
