//! The board without a coordinator shows what a coordinator shows that knows as much.

use sproutnet_browser::{Board, board};
use sproutnet_testkit::cluster::Cluster;

use crate::pages_board::follow;

/// The page to which an address leads without a coordinator, and the address of that page.
fn alone(address: &str) -> (String, String) {
    let mut path = address.to_owned();
    loop {
        path.truncate(path.find('#').unwrap_or(path.len()));
        match board(&path, 7) {
            Board::To { to } => path = to,
            Board::Page { content, .. } => return (path, content),
            Board::Problem { problem, .. } => panic!("{path}: {problem}"),
        }
    }
}

/// The part of a page from one text to another.
fn part<'p>(page: &'p str, begin: &str, end: &str) -> Option<&'p str> {
    let from = &page[page.find(begin)?..];
    Some(&from[..from.find(end)?])
}

#[tokio::test]
async fn a_board_is_the_same_without_a_coordinator() {
    let cluster = Cluster::start().await;
    for address in [
        "/board/3?you=second",
        "/board/5?you=second&level=random&seed=8",
        "/board/4?play=misere&show=verdict",
        "/board/4?show=hint",
        "/board/3?you=both&spot=1&to=2",
        "/board?position=0*2.AB%7CAB&you=both",
        "/board/x2?you=second",
        "/board/m1x1?you=second&play=misere",
        "/lesson/2",
        "/puzzles/hard-3",
    ] {
        let (path, page) = follow(&cluster, address).await;
        let (alone_path, alone_page) = alone(address);
        assert_eq!(alone_path, path);
        for (begin, end) in [
            ("id=\"board\"", "</figure>"),
            ("<div class=\"verdict", "</div>"),
        ] {
            let shown = part(&page, begin, end);
            assert!(shown.is_some(), "{path}: {begin}");
            assert_eq!(part(&alone_page, begin, end), shown, "{path}");
        }
        let (path, query) = path.split_once('?').expect("a query");
        let review = format!("{path}/review?{query}");
        let (_, page) = follow(&cluster, &review).await;
        let (_, alone_page) = alone(&review);
        // Above the title, a server has a link to the page of the start position.
        let from_title = |page: &str| part(page, "<h1>Review</h1>", "</main>").map(str::to_owned);
        let shown = from_title(&page);
        assert!(shown.is_some(), "{review}");
        assert_eq!(from_title(&(alone_page + "</main>")), shown, "{review}");
    }
}

#[test]
fn a_board_without_a_server_links_to_nothing_that_needs_one() {
    for address in [
        "/board",
        "/board/3?you=both&spot=1&to=2",
        "/board/3?you=second",
        "/puzzles",
        "/puzzles/sheet?level=easy",
        "/puzzles/easy-1",
        "/lesson",
    ] {
        let (_, page) = alone(address);
        for name in ["href", "src", "action"] {
            for link in page.split(&format!(" {name}=\"")).skip(1) {
                let link = link.split('"').next().expect("an end");
                let is_there = [
                    "/board",
                    "/lesson",
                    "/puzzles",
                    "look-up.html#",
                    "data:image",
                ]
                .iter()
                .any(|begin| link.starts_with(begin));
                let is_file = link.contains(".svg") && link.starts_with('/');
                assert!(is_there && !is_file, "{address}: {link}");
            }
        }
        assert!(!page.contains("style="), "{address}");
    }
    assert!(matches!(board("/board/0", 7), Board::Problem { .. }));
    assert!(matches!(board("/match/x", 7), Board::Problem { .. }));
    assert!(matches!(
        board("/board/3?you=nobody", 7),
        Board::Problem { .. }
    ));
}
