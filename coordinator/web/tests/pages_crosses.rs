//! Matches with crosses, over HTTP.

use crate::browser::get;
use crate::pages::check;
use crate::pages_board::{ask, follow, hand, links, links_to, places, position};
use crate::pages_match::{Browser, headline};
use sproutnet_testkit::cluster::{Cluster, soon};

/// The page after the first move that can be chosen; `None` if there is none.
async fn first_move(cluster: &Cluster, page: &str) -> Option<(String, String)> {
    let choose = |page: &str, part: &str| {
        let mut links = links(page).into_iter();
        links.find(|link| link.contains(part))
    };
    let (_, chosen) = follow(cluster, &choose(page, "&spot=")?).await;
    let (path, page) = follow(cluster, &choose(&chosen, "&to=")?).await;
    if !path.contains("&to=") {
        return Some((path, page));
    }
    Some(follow(cluster, &choose(&page, "&way=")?).await)
}

#[tokio::test]
async fn a_match_with_crosses_begins_by_a_form() {
    let cluster = Cluster::start().await;
    let (_, page) = follow(&cluster, "/board").await;
    assert!(page.contains("name=\"crosses\""), "{page}");
    for (asked, start, shown) in [
        ("game=brussels&spots=1&crosses=2", "x2", "brussels:x*2"),
        ("game=mixed&spots=2&crosses=1", "m2x1", "mixed:0*2.x"),
        ("game=mixed&spots=3", "m3x0", "mixed:0*3"),
    ] {
        let (path, page) = follow(&cluster, &format!("/board?{asked}&you=both")).await;
        assert!(path.starts_with(&format!("/board/{start}?")), "{path}");
        assert_eq!(position(&page), shown);
        // The choice of what a line gets is that of Mixed Sprouts.
        assert_eq!(
            page.contains("mark=cross"),
            asked.contains("mixed"),
            "{page}"
        );
    }
    for wrong in [
        "/board?game=brussels&crosses=6",
        "/board?game=brussels",
        "/board?game=mixed&spots=3&crosses=3",
        "/board?game=mixed&crosses=x",
        "/board?game=chess&crosses=1",
        "/board/x6",
        "/board/x02",
        "/board/m3",
    ] {
        let page = ask(&cluster, wrong).await;
        assert_eq!(page.status, 400, "{wrong}: {}", page.text);
        check(&page);
    }
}

#[tokio::test]
async fn where_there_are_only_free_ends_they_are_called_so() {
    let cluster = Cluster::start().await;
    for (start, are_ends) in [("x2", true), ("m0x2", true), ("m1x1", false), ("3", false)] {
        for chosen in ["", "&spot=1"] {
            let (_, page) = follow(&cluster, &format!("/board/{start}?you=both{chosen}")).await;
            let (_, board) = page.split_once("<figure").expect("a board");
            let (board, _) = board.split_once("</figure>").expect("an end");
            let (asked, caption) = match (are_ends, chosen) {
                (true, "") => ("Draw from free end to free end", "of a free end"),
                (true, _) => ("the line from free end 1 end?", "of a free end"),
                (false, "") => ("Draw from spot to spot", "of a spot"),
                (false, _) => ("the line from spot 1 end?", "of a spot"),
            };
            assert!(board.contains(asked), "{start}{chosen}: {board}");
            let caption = format!("The number {caption} is its name.");
            assert!(board.contains(&caption), "{start}{chosen}: {board}");
            assert_eq!(
                board.contains("\"free end 1, 1 line left\""),
                are_ends && chosen.is_empty()
            );
        }
    }
}

#[tokio::test]
async fn every_match_from_a_cross_has_three_moves() {
    let cluster = Cluster::start().await;
    let (mut path, mut page) = follow(&cluster, "/board?game=brussels&crosses=1&you=both").await;
    for made in 0..3 {
        // Four free ends before each move, and two ends that were used in each.
        assert_eq!(places(&page).len(), 4 + 2 * made, "{path}");
        assert!(!page.contains("No line can be drawn any more"), "{path}");
        (path, page) = first_move(&cluster, &page).await.expect("a move");
    }
    assert!(page.contains("No line can be drawn any more"), "{page}");
    assert_eq!(headline(&page), "The first player won");
    for what in ["/review?", "/picture.svg?", "/preview.png?"] {
        let file = path.replacen('?', what, 1);
        let status = match what {
            "/preview.png?" => {
                let (head, _) = soon(crate::browser::get_bytes(cluster.http(), &file)).await;
                head.split(' ').nth(1).map(str::to_owned)
            }
            _ => Some(ask(&cluster, &file).await.status.to_string()),
        };
        assert_eq!(status.as_deref(), Some("200"), "{file}");
    }
    // The address is the whole match.
    assert_eq!(places(&follow(&cluster, &path).await.1), places(&page));
}

#[tokio::test]
async fn a_match_begins_with_a_drawing_with_crosses() {
    let cluster = Cluster::start().await;
    for (text, people) in [("mixed:0.x", "both"), ("brussels:x*2", "first")] {
        let (_, page) = follow(&cluster, &format!("/editor?text={text}")).await;
        let links = links(&page);
        let from_here = format!("you={people}");
        let to = links
            .iter()
            .find(|link| link.starts_with("/board/") && link.contains(&from_here));
        let (path, page) = follow(&cluster, to.expect("a match")).await;
        assert_eq!(position(&page), text);
        assert_eq!(
            page.contains("mark=cross"),
            text.contains("mixed"),
            "{page}"
        );
        let (path, page) = first_move(&cluster, &page)
            .await
            .unwrap_or_else(|| panic!("{path}"));
        assert_eq!(page.contains("line reply"), people == "first", "{path}");
        // The drawing goes back to the editor.
        let links = links_to(&page, "/editor/");
        let (_, edited) = follow(&cluster, &links[0]).await;
        assert!(edited.contains(&position(&page)), "{path}");
        // The same match again, and its review.
        assert_eq!(follow(&cluster, &path).await.1, page);
        let review = ask(&cluster, &path.replacen('?', "/review?", 1)).await;
        assert_eq!(review.status, 200, "{}", review.text);
    }
    // A position page leads to a match with crosses, too.
    for (text, start) in [("brussels:x*3", "x3"), ("mixed:0*2.x", "m2x1")] {
        let (_, page) = follow(&cluster, &format!("/positions/{text}")).await;
        assert!(page.contains("Play it"), "{page}");
        let (path, page) = follow(&cluster, &format!("/board?position={text}&you=both")).await;
        assert!(path.starts_with(&format!("/board/{start}?")), "{path}");
        assert_eq!(position(&page), text);
    }
    for (wrong, why) in [
        ("brussels:x%2B222.22", "draw other positions in the editor"),
        ("kayles:5", "not played on the board"),
        ("brussels:x*6", "up to 5"),
    ] {
        let page = ask(&cluster, &format!("/board?position={wrong}")).await;
        assert_eq!(page.status, 400, "{wrong}: {}", page.text);
        assert!(page.text.contains(why), "{wrong}: {}", page.text);
    }
}

#[tokio::test]
async fn the_solver_plays_with_crosses() {
    let cluster = Cluster::start().await;
    for start in ["game=brussels&crosses=2", "game=mixed&spots=1&crosses=1"] {
        let form = format!("/board?{start}&you=second");
        let (path, page) = follow(&cluster, &form).await;
        assert!(page.contains("line reply"), "{path}");
        let (path, page) = first_move(&cluster, &page).await.expect("a move");
        assert!(page.contains("line reply"), "{path}");
        assert!(page.contains("The solver "), "{page}");
    }
}

#[tokio::test]
async fn a_line_by_hand_gets_what_the_reader_wants() {
    let cluster = Cluster::start().await;
    let (path, page) = follow(&cluster, "/board/m2x0?you=both").await;
    let line = hand(&places(&page));
    for (mark, added, of) in [("", 1, "m2x0r."), ("&mark=cross", 2, "m2x0rx.")] {
        let (chosen, shown) = follow(&cluster, &format!("{path}{mark}")).await;
        assert!(chosen.ends_with(mark), "{chosen}");
        let (_, to) = shown.split_once("data-hand=\"").expect("an address");
        let (to, _) = to.split_once('"').expect("an end");
        let to = to.replace("&amp;", "&") + &line;
        let (after, page) = follow(&cluster, &to).await;
        assert!(after.contains(of), "{after}");
        assert_eq!(places(&page).len(), 2 + added, "{after}");
    }
    // In Sprouts there is no choice.
    let refused = format!("/board/2?you=both&mark=cross&hand={line}");
    let refused = soon(get(cluster.http(), &refused, None)).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
}

#[tokio::test]
async fn two_play_with_crosses_on_two_devices() {
    let cluster = Cluster::start().await;
    let mut first = Browser::default();
    let path = first
        .post(&cluster, "/match", "played=x1&play=normal")
        .await;
    let mut second = Browser::default();
    second.post(&cluster, &format!("{path}/join"), "").await;
    for mover in [&mut first, &mut second] {
        assert!(mover.moves(&cluster, &path).await);
    }
    assert_eq!(places(&first.get(&cluster, &path).await).len(), 4 + 2 * 2);
}
