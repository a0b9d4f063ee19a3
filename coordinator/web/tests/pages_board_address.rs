//! Resigning against the solver, and the seed of its random choices: both are parts of the address.

use std::collections::BTreeSet;

use crate::pages::check;
use crate::pages_board::{ask, follow, links, position};
use sproutnet_testkit::cluster::Cluster;

#[tokio::test]
async fn a_resignation_is_a_part_of_the_address() {
    let cluster = Cluster::start().await;
    let (path, page) = follow(&cluster, "/board/3?you=second").await;
    let resign = links(&page).into_iter().find(|link| link.contains("!2?"));
    let (resigned, page) = follow(&cluster, &resign.expect("a link")).await;
    assert!(page.contains("<h1>You lost</h1>"), "{page}");
    assert!(page.contains("You resigned after 1 move."), "{page}");
    assert!(page.contains("You resigned. The solver won."), "{page}");
    assert!(!page.contains("data-hand"), "{page}");
    // No move follows, however it is asked for.
    for more in ["&hand=AAAA", "&spot=1&to=1&way=0"] {
        let page = ask(&cluster, &format!("{resigned}{more}")).await;
        assert_eq!(page.status, 409, "{more}");
        check(&page);
        let text = "You resigned, so no more lines can be drawn";
        assert!(page.text.contains(text), "{}", page.text);
    }
    let after = resigned.replace("!2", "!2.ABAAAA");
    assert_eq!(ask(&cluster, &after).await.status, 400);
    // Nobody is invited to a match that has ended.
    assert!(!page.contains("Invite somebody"), "{page}");
    // A resignation can be taken back.
    let back = links(&page).into_iter().find(|link| *link == path);
    assert!(back.is_some(), "{path}: {page}");
    // With three spots, the first player wins: the second one resigned a lost match.
    let (_, review) = follow(&cluster, &resigned.replace('?', "/review?")).await;
    for text in [
        "Then you resigned.",
        "You resigned a lost match.",
        "Resigned</td>",
    ] {
        assert!(review.contains(text), "{text}: {review}");
    }
    assert!(
        links(&review).contains(&path),
        "it can be played on: {review}"
    );
    // Of two people at one screen, the player to move resigns.
    let (_, page) = follow(&cluster, "/board/3?you=both").await;
    let resign = links(&page).into_iter().find(|link| link.contains("!1?"));
    let (path, page) = follow(&cluster, &resign.expect("a link")).await;
    assert!(page.contains("<h1>The second player won</h1>"), "{page}");
    assert!(page.contains("The first player resigned."), "{page}");
    let (_, review) = follow(&cluster, &path.replace('?', "/review?")).await;
    assert!(
        review.contains("The first player resigned a won match."),
        "{review}"
    );
    assert!(
        review.contains("It never turned before the end."),
        "{review}"
    );
}

/// The position after the solver's first move.
async fn reply(cluster: &Cluster, path: &str) -> String {
    position(&follow(cluster, path).await.1)
}

#[tokio::test]
async fn the_same_address_plays_the_same_game() {
    let (one, other) = (Cluster::start().await, Cluster::start().await);
    let mut replies = BTreeSet::new();
    for seed in 0..12 {
        let path = format!("/board/4?play=misere&you=second&level=random&seed={seed}");
        let first = reply(&one, &path).await;
        assert_eq!(reply(&one, &path).await, first, "{path}");
        // The best moves depend on what the solver knows, random moves do not: another coordinator makes the same.
        assert_eq!(reply(&other, &path).await, first, "{path}");
        replies.insert(first);
    }
    assert!(replies.len() > 1, "{replies:?}");
    // An old address has no seed.
    let path = "/board/4?play=misere&you=second&level=random";
    let with_none = reply(&one, path).await;
    assert_eq!(reply(&one, &format!("{path}&seed=0")).await, with_none);
    let page = ask(&one, &format!("{path}&seed=x")).await;
    assert_eq!(page.status, 400, "{}", page.text);
    assert!(
        page.text.contains("seed is a whole number"),
        "{}",
        page.text
    );
}

#[tokio::test]
async fn a_new_match_has_a_new_seed() {
    let cluster = Cluster::start().await;
    let seed = |path: &str| {
        let (_, seed) = path.split_once("&seed=").expect("a seed");
        seed.parse::<u32>().expect("a number")
    };
    let mut seeds = BTreeSet::new();
    for _ in 0..8 {
        let (path, _) = follow(&cluster, "/board?spots=3&you=first&level=half").await;
        seeds.insert(seed(&path));
    }
    assert!(seeds.len() > 1 && !seeds.contains(&0), "{seeds:?}");
    let (path, page) = follow(&cluster, "/board/3?you=second&level=half&seed=7").await;
    assert_eq!(seed(&path), 7);
    let resign = links(&page).into_iter().find(|link| link.contains("!2?"));
    let (_, page) = follow(&cluster, &resign.expect("a link")).await;
    let again = links(&page);
    let again: Vec<&String> = again
        .iter()
        .filter(|link| link.starts_with("/board/3?"))
        .collect();
    assert!(again.len() >= 2, "{page}");
    assert!(again.iter().all(|link| seed(link) == 8), "{again:?}");
}
