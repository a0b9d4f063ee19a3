//! Positions drawn in the editor, over HTTP.

use sproutnet_drawing::sheet::{MOST_DRAWN, Sheet, Stroke};

use crate::browser::{Page, get};
use crate::pages::check;
use crate::pages_board::{follow, hand, links_to, places};
use sproutnet_testkit::cluster::{Cluster, soon};

async fn ask(cluster: &Cluster, path: &str) -> Page {
    soon(get(cluster.http(), path, None)).await
}

/// The text of the element with this id.
fn said(page: &str, id: &str) -> String {
    let (_, rest) = page
        .split_once(&format!("id=\"{id}\">"))
        .unwrap_or_else(|| panic!("no {id}: {page}"));
    let (text, _) = rest.split_once("</").expect("an end");
    plain(text)
}

fn plain(text: &str) -> String {
    text.replace("&amp;", "&")
}

fn canonical(page: &str) -> String {
    said(page, "canonical")
}

/// The page after the script has sent points.
async fn send(
    cluster: &Cluster,
    page: &str,
    what: &str,
    points: &[(f64, f64)],
) -> (String, String) {
    let to = target(page, what);
    follow(cluster, &format!("{to}{}", hand(points))).await
}

/// The address to which the script sends points.
fn target(page: &str, what: &str) -> String {
    let (_, rest) = page
        .split_once(&format!("data-{what}=\""))
        .expect("an address");
    let (to, _) = rest.split_once('"').expect("an end");
    plain(to)
}

/// The address of the first link in a part of a page. Links may leave out the drawing, which is that of the page.
fn link_in(page: &str, part: &str) -> String {
    let (_, rest) = part.split_once("href=\"").expect("a link");
    let to = plain(rest.split('"').next().expect("an end"));
    let to = to.split('#').next().expect("an address");
    if !to.starts_with('?') {
        return to.to_owned();
    }
    let here = target(page, "hand");
    here.split('?').next().expect("an address").to_owned() + to
}

#[tokio::test]
async fn a_position_is_drawn_from_nothing() {
    let cluster = Cluster::start().await;
    let (_, mut page) = follow(&cluster, "/editor").await;
    assert!(page.contains("<h1>Draw a position</h1>"), "{page}");
    // The limit is told before it is reached, and nobody clicks on a phone.
    assert!(page.contains("Put up to 40 spots on the sheet"), "{page}");
    assert!(page.contains("Choose a free place") && !page.contains("Click"));
    let spots = [
        (300.0, 500.0),
        (700.0, 500.0),
        (500.0, 500.0),
        (500.0, 920.0),
    ];
    let mut path = String::new();
    for spot in spots {
        (path, page) = send(&cluster, &page, "put", &[spot]).await;
    }
    assert_eq!(places(&page), spots);
    assert_eq!(
        (canonical(&page), said(&page, "as-drawn")),
        ("0*4".to_owned(), "0.0.0.0".to_owned())
    );
    assert_eq!(said(&page, "spots"), "4 of at most 40");
    assert!(page.contains("Spot 4 is on the sheet."), "{page}");
    for middle in [(500.0, 250.0), (500.0, 750.0)] {
        (path, page) = send(&cluster, &page, "hand", &[spots[0], middle, spots[1]]).await;
    }
    // Spots stay where they were put.
    assert_eq!(places(&page), spots);
    assert_eq!(canonical(&page), "0.AB|0.AB");
    assert_eq!(
        said(&page, "lives"),
        "8 in the drawing. At most 7 moves can still be made."
    );
    assert!(page.contains("the player to move <strong>"), "{page}");
    assert!(page.contains("Spot 1 and spot 2 were joined."), "{page}");
    assert!(page.contains("href=\"/positions/0.AB%7C0.AB\""), "{page}");
    // The address is the drawing.
    let (again, same) = follow(&cluster, &path).await;
    assert_eq!((again, canonical(&same)), (path.clone(), canonical(&page)));
    // Steps are undone one by one.
    let mut seen = vec![canonical(&page)];
    loop {
        let undo = page.split_once("id=\"undo\"");
        let Some((_, rest)) = undo else { break };
        (_, page) = follow(&cluster, &links_to(rest, "/editor")[0]).await;
        if page.contains("id=\"canonical\"") {
            seen.push(canonical(&page));
        }
    }
    assert_eq!(seen, ["0.AB|0.AB", "0*2.11", "0*4", "0*3", "0*2", "0*1"]);
}

#[tokio::test]
async fn refusals_say_why() {
    let cluster = Cluster::start().await;
    let mut page = follow(&cluster, "/editor").await.1;
    let spots = [
        (500.0, 100.0),
        (100.0, 900.0),
        (900.0, 900.0),
        (500.0, 600.0),
    ];
    for spot in spots {
        page = send(&cluster, &page, "put", &[spot]).await.1;
    }
    for end in &spots[..3] {
        page = send(&cluster, &page, "hand", &[spots[3], *end]).await.1;
    }
    for (what, points, words) in [
        (
            "hand",
            vec![spots[0], (400.0, 400.0), spots[3]],
            "Spot 4 has no room: each spot takes three lines",
        ),
        (
            "hand",
            vec![spots[1], (550.0, 300.0), spots[2]],
            "The line crosses the one between spot",
        ),
        (
            "hand",
            vec![spots[1], (10.0, 10.0)],
            "has to begin and end at a spot",
        ),
        ("put", vec![(505.0, 110.0)], "it would touch spot 1"),
        (
            "put",
            vec![(500.0, 350.0)],
            "it would touch the line between spot 4 and spot 1",
        ),
    ] {
        let to = format!("{}{}", target(&page, what), hand(&points));
        let refused = ask(&cluster, &to).await;
        assert_eq!(refused.status, 422, "{words}: {}", refused.text);
        check(&refused);
        assert!(refused.text.contains(words), "{words}: {}", refused.text);
    }
    assert_eq!(canonical(&page), "111}");
}

#[tokio::test]
async fn texts_are_drawn_or_it_is_said_what_is_wrong_and_where() {
    let cluster = Cluster::start().await;
    for (text, expected) in [
        ("0*3.AB%7C0.AB", "0*3.AB|0.AB"),
        ("5", "0*5"),
        ("1a1a%2B0*2", "0*2+1a1a"),
        ("0.1a2a", "0.1a2a"),
    ] {
        let (path, page) = follow(&cluster, &format!("/editor?text={text}")).await;
        assert!(path.starts_with("/editor/"), "{path}");
        assert_eq!(canonical(&page), expected);
        // The whole text is one step.
        let (_, undo) = page.split_once("id=\"undo\"").expect("undo");
        assert_eq!(links_to(undo, "/editor")[0], "/editor");
    }
    let (here, page) = follow(&cluster, "/editor?text=0*3").await;
    for (text, words) in [
        ("0*x", vec!["Column 3: ", "^"]),
        ("AB%7CC", vec!["Column "]),
        (
            "0*41",
            vec!["too large to draw: there are at most 40 spots"],
        ),
        ("kayles:5", vec!["only Sprouts and the games with crosses"]),
        ("chess:5", vec!["there is no game called"]),
    ] {
        let wrong = ask(&cluster, &format!("{here}?text={text}")).await;
        assert_eq!(wrong.status, 400, "{text}");
        check(&wrong);
        for words in words {
            let has = wrong.text.to_lowercase().contains(&words.to_lowercase());
            assert!(has, "{text}: {}", wrong.text);
        }
        // The drawing is still there.
        assert_eq!(places(&wrong.text), places(&page));
    }
}

/// Everything is chosen by links.
#[tokio::test]
async fn a_position_is_drawn_without_a_script() {
    let cluster = Cluster::start().await;
    let mut page = follow(&cluster, "/editor").await.1;
    let link = |page: &str, name: &str| {
        let name = format!("aria-label=\"{name}");
        let at = page
            .find(&name)
            .unwrap_or_else(|| panic!("no {name}: {page}"));
        let start = page[..at].rfind("<a ").expect("a link");
        link_in(page, &page[start..])
    };
    for _ in 0..3 {
        page = follow(&cluster, &link(&page, "new spot")).await.1;
    }
    assert_eq!(canonical(&page), "0*3");
    for (one, other) in [(1, 2), (2, 1), (3, 3)] {
        page = follow(&cluster, &link(&page, &format!("spot {one},")))
            .await
            .1;
        let joining = if one == other {
            format!("draw a loop at spot {one}")
        } else {
            format!("join spot {one} and spot {other}")
        };
        page = follow(&cluster, &link(&page, &joining)).await.1;
        if page.contains("id=\"choice\"") {
            let (_, ways) = page.split_once("id=\"choice\"").expect("ways");
            let way = link_in(&page, ways);
            let picture = ask(&cluster, &way.replacen('?', "/picture.svg?", 1)).await;
            assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
            page = follow(&cluster, &way).await.1;
        }
    }
    assert!(
        said(&page, "lives").starts_with("3 in the drawing. "),
        "{page}"
    );
    // One of the two lines between the first spots goes; the other gets a spot.
    page = follow(
        &cluster,
        &link(&page, "line between spot 1 and spot 2, 2 of 2"),
    )
    .await
    .1;
    assert!(
        page.contains("Line between spot 1 and spot 2, 2 of 2."),
        "{page}"
    );
    let called = |page: &str, name: &str| {
        let at = page
            .find(name)
            .unwrap_or_else(|| panic!("no {name}: {page}"));
        let start = page[..at].rfind("<a ").expect("a link");
        link_in(page, &page[start..])
    };
    page = follow(&cluster, &called(&page, "Remove the line")).await.1;
    page = follow(&cluster, &link(&page, "line between spot 1 and spot 2\""))
        .await
        .1;
    page = follow(&cluster, &called(&page, "Put a spot on it")).await.1;
    assert_eq!(places(&page).len(), 4);
    page = follow(&cluster, &link(&page, "spot 3,")).await.1;
    page = follow(&cluster, &called(&page, "Remove spot 3")).await.1;
    assert_eq!(canonical(&page), "1a1a");
}

#[tokio::test]
async fn a_drawing_leads_on_to_the_board_and_back() {
    let cluster = Cluster::start().await;
    let (_, page) = follow(&cluster, "/editor?text=0*3.AB%7C0.AB").await;
    let before = places(&page);
    let to = links_to(&page, "/board/");
    let two = to
        .iter()
        .find(|to| to.contains("you=both"))
        .expect("two people");
    let (path, board) = follow(&cluster, two).await;
    assert_eq!(places(&board), before);
    assert!(
        board.contains("href=\"/positions/0*3.AB%7C0.AB\""),
        "{board}"
    );
    // A move there, and the drawing of it in the editor.
    let moves = links_to(&board, "/board/");
    let spot = moves
        .iter()
        .find(|to| to.contains("&spot=3"))
        .expect("a spot");
    let (_, chosen) = follow(&cluster, spot).await;
    let loops = links_to(&chosen, "/board/");
    let itself = loops
        .iter()
        .find(|to| to.contains("&spot=3&to=3"))
        .expect("a loop");
    let (mut after, mut moved) = follow(&cluster, itself).await;
    if moved.contains("id=\"choice\"") {
        let ways = links_to(&moved, "/board/");
        let way = ways.iter().find(|to| to.contains("&way=0")).expect("a way");
        (after, moved) = follow(&cluster, way).await;
    }
    assert_ne!(after, path);
    assert_eq!(places(&moved).len(), before.len() + 1);
    assert!(moved.contains("line mine"), "{moved}");
    let review = after.replace('?', "/review?");
    assert_eq!(ask(&cluster, &review).await.status, 200);
    let back = links_to(&moved, "/editor/");
    let (_, edited) = follow(&cluster, &back[0]).await;
    assert_eq!(places(&edited), places(&moved));
    let position = format!(
        "href=\"/positions/{}\"",
        canonical(&edited).replace('|', "%7C").replace('+', "%2B")
    );
    assert!(moved.contains(&position), "{position}");
    // The solver plays from there too.
    let one = to
        .iter()
        .find(|to| to.contains("you=first"))
        .expect("the solver");
    let (_, board) = follow(&cluster, &one.replace("you=first", "you=second")).await;
    assert!(
        board.contains("line mine") || board.contains("line reply"),
        "{board}"
    );
}

#[tokio::test]
async fn what_is_no_drawing_is_refused() {
    let cluster = Cluster::start().await;
    let long = format!("/editor/{}", "e".repeat(20_001));
    for (path, words) in [
        ("/editor/q", "a step is incomplete"),
        ("/editor/sAB", "a step is incomplete"),
        ("/editor/%3Cscript%3E", "a step is incomplete"),
        ("/editor/%C3%A9", "a step is incomplete"),
        ("/editor/xA", "in step 1, there is no such spot or line"),
        ("/editor/sAAAA", "in step 1, the spot is not on the sheet"),
        (
            "/editor/sIAIAsIAIA",
            "in step 2, there is no room for a spot",
        ),
        ("/editor?at=A", "this is no place"),
        ("/editor?at=AAAAAAAA", "this is no place"),
        ("/editor?hand=A", "this is no line"),
        ("/editor?spot=x", "the query is invalid"),
        (&*long, "a drawing is never that long"),
        ("/board/sIAIA", "a move is incomplete"),
        ("/board/xA-", "or with a drawing"),
        ("/board/sIAIA-.AB", "a move is incomplete"),
        ("/board/sIAIAsIAIA-", "this is no match: there is no room"),
    ] {
        let page = ask(&cluster, path).await;
        assert_eq!(page.status, 400, "{path}: {}", page.text);
        check(&page);
        let lower = page.text.to_lowercase();
        assert!(lower.contains(words), "{path}: {}", page.text);
        assert!(!page.text.contains("<script>"), "{path}");
    }
    // Spots and lines that do not exist are ignored.
    for more in ["spot=9", "spot=0&to=1", "to=2", "line=9", "way=1"] {
        let (_, page) = follow(&cluster, &format!("/editor/sIAIA?{more}")).await;
        assert_eq!(canonical(&page), "0*1");
    }
    let missing = ask(&cluster, "/editor/sIAIA/picture.svg?spot=1&to=1&way=9").await;
    assert_eq!(missing.status, 404);
    // A long list of edits becomes one step.
    let even = format!("/editor/sIAIA{}", "e".repeat(31));
    let (short, _) = follow(&cluster, &even).await;
    assert!(short.len() < 20 && short.ends_with('-'), "{short}");
    let steps = format!("/editor/{}", "sIAIAxA".repeat(300));
    assert_eq!(follow(&cluster, &steps).await.0, "/editor/-");
    for most in ["e".repeat(61), "sIAIAxA".repeat(501)] {
        let page = ask(&cluster, &format!("/editor/{most}")).await;
        assert_eq!(page.status, 400);
        assert!(
            page.text.contains("never has that many steps"),
            "{}",
            page.text
        );
    }
    // Too many lives for a match.
    let (_, page) = follow(&cluster, "/editor?text=0*21").await;
    assert!(links_to(&page, "/board/").is_empty(), "{page}");
    assert!(page.contains("at most 60 lives"), "{page}");
}

/// A line that cuts off as few spots as possible, so that a match becomes long.
fn long_line(sheet: &Sheet) -> Option<Stroke> {
    let mut choices = Vec::new();
    for one in 0..sheet.spots().len() {
        for other in sheet.partners(one).into_iter().filter(|&other| other > one) {
            choices.extend(sheet.options(one, other));
        }
    }
    let least = |[one, other]: &[Vec<usize>; 2]| 1 + one.len().min(other.len());
    choices.sort_by_key(|choice| choice.sides().map_or(0, least));
    choices.iter().find_map(|choice| sheet.route(choice))
}

#[tokio::test]
async fn a_drawing_that_is_too_large_for_the_editor_has_no_link_to_it() {
    let cluster = Cluster::start().await;
    let (mut sheet, mut played) = (Sheet::start(12), "12".to_owned());
    for spots in 13..=MOST_DRAWN + 1 {
        let stroke = long_line(&sheet).expect("a line");
        sheet = sheet.play(&stroke).expect("it can be drawn");
        played += &stroke.code();
        if spots < MOST_DRAWN {
            continue;
        }
        let (_, page) = follow(&cluster, &format!("/board/{played}?you=both")).await;
        assert_eq!(places(&page).len(), spots);
        let links = links_to(&page, "/editor/");
        assert_eq!(links.len(), usize::from(spots == MOST_DRAWN), "{spots}");
        for link in links {
            let (_, page) = follow(&cluster, &link).await;
            // Not every link has the whole drawing.
            assert!(page.len() < 500_000, "{} bytes", page.len());
        }
    }
}

#[tokio::test]
async fn crosses_are_put_beside_spots() {
    let cluster = Cluster::start().await;
    let (_, page) = follow(&cluster, "/editor?put=cross").await;
    assert!(
        page.contains("Choose a free place for a new cross."),
        "{page}"
    );
    let (path, page) = send(&cluster, &page, "put", &[(500.0, 250.0)]).await;
    assert_eq!(canonical(&page), "brussels:x");
    assert!(page.contains("A cross is on the sheet."), "{page}");
    // The tool stays in the hand. Without a script, it is chosen by a link, and places are links too.
    assert!(path.ends_with("?put=cross"), "{path}");
    let (_, rest) = page
        .split_once("aria-label=\"new cross in the region with ")
        .map(|(before, _)| before.rsplit_once("<a").expect("a link"))
        .expect("a place");
    let (_, page) = follow(&cluster, &link_in(&page, rest)).await;
    assert_eq!(canonical(&page), "brussels:x*2");
    let spot = path.trim_end_matches("?put=cross");
    let (_, page) = follow(&cluster, spot).await;
    let (path, page) = send(&cluster, &page, "put", &[(200.0, 500.0)]).await;
    assert_eq!(canonical(&page), "mixed:0.x");
    assert!(page.contains("href=\"/positions/mixed:0.x\""), "{page}");
    // The middle is no spot to choose, and an end stands for its cross.
    assert_eq!(places(&page).len(), 5);
    let (_, page) = follow(&cluster, &format!("{path}?spot=1")).await;
    assert!(page.contains("Remove the cross"), "{page}");
    // Starts are drawn from their texts.
    for text in ["mixed:0*2.x", "brussels:x*3"] {
        let (_, page) = follow(&cluster, &format!("/editor?text={text}")).await;
        assert_eq!(canonical(&page), text);
    }
    for (wrong, why) in [
        ("/editor?text=mixed:1222%7D", "only starts with up to 5"),
        (
            "/editor?text=kayles:5",
            "Only Sprouts and the games with crosses",
        ),
        ("/editor/qQAQA-", "a cross is incomplete"),
        ("/editor/qQAQA", "a cross is incomplete"),
    ] {
        let page = ask(&cluster, wrong).await;
        assert_eq!(page.status, 400, "{wrong}: {}", page.text);
        assert!(page.text.contains(why), "{wrong}: {}", page.text);
        check(&page);
    }
}
