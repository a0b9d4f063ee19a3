//! Matches against the solver, played over HTTP.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sproutnet_game::{self as game, Game, Sprouts};

use crate::browser::get;
use crate::cluster::{Cluster, soon};
use crate::pages::{check, shown};

/// No match that is played here has more moves.
const MOST_MOVES: usize = 12;

/// The page that an address leads to, and where that is.
async fn follow(cluster: &Cluster, path: &str) -> (String, String) {
    let mut path = path.to_owned();
    loop {
        path.truncate(path.find('#').unwrap_or(path.len()));
        let page = soon(get(cluster.http(), &path, None)).await;
        if page.status != 303 {
            assert_eq!(page.status, 200, "{path}: {}", page.text);
            check(&page);
            return (path, page.text);
        }
        path = page.location.expect("a way on");
    }
}

/// The matches that a page leads to.
fn links(page: &str) -> Vec<String> {
    page.split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|link| link.starts_with("/play/"))
        .map(|link| link.replace("&amp;", "&"))
        .collect()
}

/// The position of a match, and all before it.
fn positions(path: &str) -> (String, Vec<String>) {
    let (position, query) = path["/play/".len()..].split_once('?').expect("a query");
    let decoded = |text: &str| {
        text.replace("%7C", "|")
            .replace("%2B", "+")
            .replace("%7D", "}")
    };
    let so = query.split('&').find_map(|part| part.strip_prefix("so="));
    let before = so.map(|so| so.split('_').map(decoded).collect());
    (decoded(position), before.unwrap_or_default())
}

/// Whether a link is a move from there.
fn is_move(from: &str, link: &str) -> bool {
    let (here, mut before) = positions(from);
    before.push(here);
    positions(link).1 == before
}

/// All moves that can be made on the page of a match, spot by spot.
async fn moves(cluster: &Cluster, path: &str) -> Vec<String> {
    let mut moves = Vec::new();
    let (path, page) = follow(cluster, path).await;
    let mut open: Vec<String> = links(&page);
    open.retain(|link| link.contains("&spot="));
    while let Some(link) = open.pop() {
        let (_, page) = follow(cluster, &link).await;
        for next in links(&page) {
            if is_move(&path, &next) {
                moves.push(next);
            } else if next.contains("&to=") {
                open.push(next);
            }
        }
    }
    moves
}

#[tokio::test]
async fn what_can_be_clicked_are_the_moves() {
    let cluster = Cluster::start().await;
    for text in [
        "0*3",
        "0*2.1a1a",
        "0*2.AB|0.AB",
        "0.1a1a+0*2",
        "0*2.AB|1a1a.AB",
    ] {
        let position = Sprouts.parse(text).expect("a position");
        let mut legal = BTreeSet::new();
        let all = Sprouts.moves(&position, &mut |option| {
            legal.insert(game::qualified(&Sprouts, &Sprouts.print(&option)));
            ControlFlow::Continue(())
        });
        assert!(all.is_continue());
        let path = format!("/play/{}", text.replace('|', "%7C").replace('+', "%2B"));
        let (path, _) = follow(&cluster, &format!("{path}?play=misere&you=first")).await;
        let clicked = moves(&cluster, &path).await;
        let clicked: BTreeSet<String> = clicked.iter().map(|link| positions(link).0).collect();
        assert_eq!(clicked, legal, "{text}");
    }
}

#[tokio::test]
async fn who_follows_winning_moves_wins() {
    let cluster = Cluster::start().await;
    for (spots, play, you) in [
        (2, "normal", "second"),
        (2, "misere", "second"),
        (3, "normal", "first"),
        (3, "misere", "second"),
        (4, "misere", "second"),
    ] {
        let form = format!("/play/0*{spots}?play={play}&you={you}");
        let (mut path, mut page) = follow(&cluster, &form).await;
        for _ in 0..MOST_MOVES {
            if page.contains("<h1>You ") {
                break;
            }
            assert!(page.contains("you win from here") || page.contains("You win from here"));
            assert!(page.contains("Show a winning move"), "{page}");
            let (_, hinted) = follow(&cluster, &format!("{path}&hint=1")).await;
            let (_, hint) = hinted.split_once("id=\"hint\"").expect("a hint");
            let to = links(hint).remove(0);
            assert!(is_move(&path, &to), "{to}");
            (path, page) = follow(&cluster, &to).await;
        }
        assert!(page.contains("<h1>You won</h1>"), "{form}: {page}");
        for text in ["Play again", "Be the other player", "Take a move back"] {
            assert!(page.contains(text), "{text}: {page}");
        }
    }
}

#[tokio::test]
async fn the_solver_wins_where_it_can() {
    let cluster = Cluster::start().await;
    for (spots, play, you) in [
        (2, "normal", "first"),
        (2, "misere", "first"),
        (3, "normal", "second"),
    ] {
        for pick in 0..3 {
            let form = format!("/play/0*{spots}?play={play}&you={you}");
            let (mut path, mut page) = follow(&cluster, &form).await;
            for _ in 0..MOST_MOVES {
                if page.contains("<h1>You ") {
                    break;
                }
                assert!(page.contains("I win from here, whatever you do."), "{page}");
                let moves = moves(&cluster, &path).await;
                (path, page) = follow(&cluster, &moves[pick % moves.len()]).await;
            }
            assert!(page.contains("<h1>You lost</h1>"), "{form}: {page}");
        }
    }
}

#[tokio::test]
async fn a_match_that_cannot_be_is_refused() {
    let cluster = Cluster::start().await;
    for path in [
        "/play/0*20",
        "/play/20",
        "/play/0*8.a",
        "/play/kayles:5",
        "/play/0*8%3B",
        "/play/0*3?you=nobody",
        "/play/0*3?so=0*4;",
    ] {
        let page = soon(get(cluster.http(), path, None)).await;
        assert_eq!(page.status, 400, "{path}");
        check(&page);
    }
    // Spots that are not there are as good as none.
    for more in ["spot=9", "spot=0&to=1", "to=2", "spot=1&to=9"] {
        shown(&cluster, &format!("/play/0*3?play=normal&you=first&{more}")).await;
    }
}
