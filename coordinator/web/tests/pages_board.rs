//! Matches on the board, played over HTTP.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sproutnet_game::{self as game, Game, Sprouts};

use crate::browser::{Page, get};
use crate::pages::{check, shown};
use sproutnet_testkit::cluster::{Cluster, soon};

/// The maximum number of moves of the matches played here.
const MOST_MOVES: usize = 15;

const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The page to which an address leads, and the address of that page.
pub(crate) async fn follow(cluster: &Cluster, path: &str) -> (String, String) {
    let mut path = path.to_owned();
    loop {
        path.truncate(path.find('#').unwrap_or(path.len()));
        let page = soon(get(cluster.http(), &path, None)).await;
        if ![303, 308].contains(&page.status) {
            assert_eq!(page.status, 200, "{path}: {}", page.text);
            check(&page);
            return (path, page.text);
        }
        path = page.location.expect("a way on");
    }
}

pub(crate) async fn ask(cluster: &Cluster, path: &str) -> Page {
    soon(get(cluster.http(), path, None)).await
}

/// The links to the board on a page.
pub(crate) fn links(page: &str) -> Vec<String> {
    links_to(page, "/board/")
}

/// The links on a page with this beginning.
pub(crate) fn links_to(page: &str, begin: &str) -> Vec<String> {
    page.split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|link| link.starts_with(begin))
        .map(|link| link.replace("&amp;", "&"))
        .map(|link| link.split('#').next().unwrap_or_default().to_owned())
        .collect()
}

/// The position of the match on a page.
pub(crate) fn position(page: &str) -> String {
    let (_, rest) = page.split_once("href=\"/positions/").expect("a position");
    let (text, _) = rest.split_once('"').expect("an end");
    text.replace("%7C", "|")
        .replace("%2B", "+")
        .replace("%7D", "}")
}

/// The places of the spots on the sheet.
pub(crate) fn places(page: &str) -> Vec<(f64, f64)> {
    let number = |rest: &str, name: &str| {
        let (_, value) = rest.split_once(&format!("{name}=\"")).expect("a place");
        let (value, _) = value.split_once('"').expect("an end");
        value.parse::<f64>().expect("a number")
    };
    page.split("data-spot=\"")
        .skip(1)
        .map(|rest| (number(rest, "data-x"), number(rest, "data-y")))
        .collect()
}

/// A hand's line as the script sends it.
pub(crate) fn hand(points: &[(f64, f64)]) -> String {
    let mut text = String::new();
    for value in points.iter().flat_map(|&(x, y)| [x, y]) {
        let quarters = (value * 4.0).round() as usize;
        for digit in [quarters / 64, quarters % 64] {
            text.push(char::from(DIGITS[digit]));
        }
    }
    text
}

pub(crate) fn moves_of(text: &str) -> BTreeSet<String> {
    let position = Sprouts.parse(text).expect("a position");
    let mut legal = BTreeSet::new();
    let all = Sprouts.moves(&position, &mut |option| {
        legal.insert(game::qualified(&Sprouts, &Sprouts.print(&option)));
        ControlFlow::Continue(())
    });
    assert!(all.is_continue());
    legal
}

/// All matches after the moves that can be chosen on a page, each with its position.
async fn choices(cluster: &Cluster, page: &str) -> Vec<(String, String)> {
    let leaves = leaves(cluster, page).await.into_iter();
    leaves.map(|(path, page)| (path, position(&page))).collect()
}

/// All matches after the moves that can be chosen on a page, each with its page.
pub(crate) async fn leaves(cluster: &Cluster, page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Vec<String> = links(page);
    open.retain(|link| link.contains("&spot="));
    while let Some(link) = open.pop() {
        let (path, page) = follow(cluster, &link).await;
        if !path.contains("&spot=") {
            found.push((path, page));
            continue;
        }
        // The link without its last part is where it was chosen.
        let deeper = |to: &String| to.starts_with(&path) && to.len() > path.len();
        open.extend(links(&page).into_iter().filter(|to| {
            deeper(to) || (!path.contains("&to=") && to.contains("&to=") && !to.contains("&way="))
        }));
    }
    found
}

#[tokio::test]
async fn what_can_be_chosen_are_the_moves() {
    let cluster = Cluster::start().await;
    let (mut path, mut page) = follow(&cluster, "/board/3?you=both").await;
    for pick in [1, 0, 2] {
        let from = position(&page);
        let choices = choices(&cluster, &page).await;
        let reached: BTreeSet<String> = choices.iter().map(|(_, to)| to.clone()).collect();
        assert_eq!(reached, moves_of(&from), "{path}");
        let (next, _) = &choices[pick % choices.len()];
        (path, page) = follow(&cluster, next).await;
    }
    assert_eq!(places(&page).len(), 6, "three spots and one for each move");
}

#[tokio::test]
async fn a_match_begins_with_any_position() {
    let cluster = Cluster::start().await;
    for text in [
        "0*3",
        "0*2.1a1a",
        "0*2.AB|0.AB",
        "0.1a1a+0*2",
        "0*2.AB|1a1a.AB",
    ] {
        let encoded = text.replace('|', "%7C").replace('+', "%2B");
        let form = format!("/board?position={encoded}&play=misere&you=both");
        let (path, page) = follow(&cluster, &form).await;
        assert!(
            path.ends_with("?play=misere&you=both&level=perfect"),
            "{path}"
        );
        let from = Sprouts.print(&Sprouts.parse(text).expect("a position"));
        assert_eq!(position(&page), from, "{path}");
        let choices = choices(&cluster, &page).await;
        let reached: BTreeSet<String> = choices.into_iter().map(|(_, to)| to).collect();
        assert_eq!(reached, moves_of(text), "{path}");
    }
    // A start needs no drawing, and a number alone is a number of spots.
    for text in ["0*20", "20", "%2020"] {
        let (path, _) = follow(&cluster, &format!("/board?position={text}")).await;
        assert!(path.starts_with("/board/20?"), "{path}");
    }
}

#[tokio::test]
async fn a_line_is_taken_as_it_was_drawn() {
    let cluster = Cluster::start().await;
    let (_, page) = follow(&cluster, "/board/3?you=both").await;
    let spots = places(&page);
    // Around the sheet's left side, from the first spot to the second.
    let way = [
        spots[0],
        (120.0, 300.0),
        (120.0, 800.0),
        (500.0, 900.0),
        spots[1],
    ];
    let (path, page) = follow(&cluster, &format!("/board/3?you=both&hand={}", hand(&way))).await;
    assert!(path.starts_with("/board/3r.AB"), "{path}");
    assert_eq!(position(&page), "0.1a1a");
    assert!(
        page.contains("The first player joined spot 1 and spot 2."),
        "{page}"
    );
    assert!(page.contains("The second player’s move"), "{page}");
    let after = places(&page);
    for (before, after) in spots.iter().zip(&after) {
        let away = (before.0 - after.0).hypot(before.1 - after.1);
        assert!(away <= 102.4, "{before:?} {after:?}");
    }
    // The address is the whole match.
    let (again, same) = follow(&cluster, &path).await;
    assert_eq!((again, places(&same)), (path.clone(), after.clone()));
    // A line that crosses the existing one.
    let new = after[3];
    let beyond = (new.0 - 60.0, new.1);
    let across = format!(
        "{path}&hand={}",
        hand(&[after[2], beyond, (100.0, 1000.0), after[2]])
    );
    let page = ask(&cluster, &across).await;
    assert_eq!(page.status, 422, "{across}");
    check(&page);
    assert!(
        page.text.contains("The line crosses the one between spot"),
        "{}",
        page.text
    );
    // The script shows where.
    assert!(page.text.contains("<section class=\"problem\" data-at=\""));
    for (line, words) in [
        (vec![(1.0, 1.0), after[0]], "has to begin and end at a spot"),
        (vec![after[0], (4.0, 4.0)], "has to begin and end at a spot"),
        (vec![after[2], after[2]], "not on the sheet"),
    ] {
        let page = ask(&cluster, &format!("{path}&hand={}", hand(&line))).await;
        assert_eq!(page.status, 422);
        assert!(page.text.contains(words), "{}", page.text);
    }
}

#[tokio::test]
async fn who_follows_hints_wins_and_the_review_says_so() {
    let cluster = Cluster::start().await;
    for (spots, play, you) in [
        (2, "normal", "second"),
        (2, "misere", "second"),
        (3, "normal", "first"),
        (3, "misere", "second"),
        (4, "misere", "second"),
    ] {
        let form = format!("/board?spots={spots}&play={play}&you={you}");
        let (mut path, mut page) = follow(&cluster, &form).await;
        for _ in 0..MOST_MOVES {
            if page.contains("<h1>You ") {
                break;
            }
            // The outcome is shown only on request.
            assert!(!page.contains("perfect play"), "{page}");
            let (_, seen) = follow(&cluster, &format!("{path}&show=verdict")).await;
            assert!(
                seen.contains("With perfect play you win from here."),
                "{seen}"
            );
            let (_, hinted) = follow(&cluster, &format!("{path}&show=hint")).await;
            assert!(hinted.contains("<path class=\"hint\""), "{hinted}");
            let (_, hint) = hinted.split_once("id=\"hint\"").expect("a hint");
            (path, page) = follow(&cluster, &links(hint)[0]).await;
        }
        assert!(page.contains("<h1>You won</h1>"), "{form}: {page}");
        assert!(page.contains("No line can be drawn any more"), "{page}");
        let (_, review) = follow(&cluster, &path.replace('?', "/review?")).await;
        assert!(review.contains("It never turned"), "{review}");
        assert!(score(&review).contains("The solver never had a winning move."));
        assert!(
            score(&review).contains("You had a winning move "),
            "{review}"
        );
        assert!(!score(&review).contains("missed"), "{review}");
        assert!(!review.contains("here it turned"), "{review}");
    }
}

#[tokio::test]
async fn the_solver_wins_where_it_can_and_the_review_finds_the_turn() {
    let cluster = Cluster::start().await;
    for (spots, play, you) in [
        (2, "normal", "first"),
        (2, "misere", "first"),
        (3, "normal", "first"),
        (3, "normal", "second"),
    ] {
        let form = format!("/board?spots={spots}&play={play}&you={you}");
        let (mut path, mut page) = follow(&cluster, &form).await;
        let mut gave_away = false;
        for pick in 0..MOST_MOVES {
            if page.contains("<h1>You ") {
                break;
            }
            // The worst move that can be chosen, as long as there is one.
            let (_, seen) = follow(&cluster, &format!("{path}&show=verdict")).await;
            let won = seen.contains("you win from here");
            assert!(won || seen.contains("every move loses"), "{seen}");
            let mut choices = choices_before_replies(&cluster, &page, you).await;
            choices.sort();
            if won {
                gave_away = true;
                choices.retain(|(_, wins)| !wins);
            }
            let (next, _) = choices[pick % choices.len()].clone();
            (path, page) = follow(&cluster, &next).await;
        }
        assert!(page.contains("<h1>You lost</h1>"), "{form}: {page}");
        let (_, review) = follow(&cluster, &path.replace('?', "/review?")).await;
        assert_eq!(
            review.contains("It turned once, in move 1."),
            gave_away,
            "{review}"
        );
        assert_eq!(review.contains("here it turned"), gave_away, "{review}");
        let missed = "You had a winning move once, and missed it.";
        assert_eq!(score(&review).contains(missed), gave_away, "{review}");
    }
}

#[tokio::test]
async fn a_review_counts_only_known_chances() {
    let cluster = Cluster::start().await;
    let mut path = "/board/20?you=both&play=misere&level=perfect".to_owned();
    for spot in [1, 3] {
        let moved = format!("{path}&spot={spot}&to={}&way=0", spot + 1);
        (path, _) = follow(&cluster, &moved).await;
    }
    let (_, review) = follow(&cluster, &path.replace('?', "/review?")).await;
    assert!(review.contains("Not all positions are solved."), "{review}");
    let score = score(&review);
    assert!(score.contains(" a known winning move"), "{score}");
}

/// The text about the players' chances in a review.
fn score(review: &str) -> &str {
    let (_, score) = review.split_once("<p id=\"score\">").expect("a score");
    score.split_once("</p>").expect("an end").0
}

/// The moves that can be chosen, as addresses before the reply, and whether each wins.
async fn choices_before_replies(cluster: &Cluster, page: &str, you: &str) -> Vec<(String, bool)> {
    let you = format!("you={you}");
    let page = page.replace(&you, "you=both");
    let mut judged = Vec::new();
    for (path, _) in choices(cluster, &page).await {
        let (_, seen) = follow(cluster, &format!("{path}&show=verdict")).await;
        let wins = !seen.contains("wins from here");
        judged.push((path.replace("you=both", &you), wins));
    }
    judged
}

#[tokio::test]
async fn two_people_play_and_take_back() {
    let cluster = Cluster::start().await;
    let (mut path, mut page) = follow(&cluster, "/board?spots=2&you=both&play=misere").await;
    let mut before = Vec::new();
    while !page.contains("No line can be drawn any more") {
        before.push(path.clone());
        let choices = choices(&cluster, &page).await;
        (path, page) = follow(&cluster, &choices[0].0).await;
        let back = links(&page)
            .into_iter()
            .find(|link| Some(link) == before.last());
        assert!(back.is_some(), "{path} leads back");
    }
    // The player who cannot move has won misère play.
    let winner = if before.len().is_multiple_of(2) {
        "first"
    } else {
        "second"
    };
    assert!(
        page.contains(&format!("<h1>The {winner} player won</h1>")),
        "{page}"
    );
    assert!(
        page.contains(&format!("The {winner} player cannot move any more")),
        "{page}"
    );
}

#[tokio::test]
async fn a_match_is_a_picture() {
    let cluster = Cluster::start().await;
    let (_, page) = follow(&cluster, "/board/3?you=both").await;
    let spots = places(&page);
    let line = hand(&[spots[0], spots[1]]);
    let (path, _) = follow(&cluster, &format!("/board/3?you=both&hand={line}")).await;
    for (more, animations) in [("", 0), ("&animated=1", 3)] {
        let file = path.replace('?', "/picture.svg?") + more;
        let file = ask(&cluster, &file).await;
        assert_eq!(file.status, 200);
        assert_eq!(file.header("content-type"), Some("image/svg+xml"));
        let policy = file.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        assert_eq!(file.text.matches("<animate ").count(), animations);
        assert_eq!(file.text.matches("class=\"line").count(), 2);
        assert_eq!(places(&file.text).len(), 4);
    }
    let file = path.replace('?', "/picture.svg?") + "&spot=1&to=1&way=99";
    assert_eq!(ask(&cluster, &file).await.status, 404);
}

#[tokio::test]
async fn a_match_begins_by_the_form() {
    let cluster = Cluster::start().await;
    for path in ["/board", "/match"] {
        let (_, page) = follow(&cluster, path).await;
        assert!(page.contains("name=\"spots\""), "{page}");
        assert!(page.contains("Play Sprouts"), "{page}");
    }
    let (path, _) = follow(&cluster, "/match?spots=5").await;
    assert!(path.starts_with("/board/5?"), "{path}");
}

#[tokio::test]
async fn what_is_no_match_is_refused() {
    let cluster = Cluster::start().await;
    let long = format!("/board/5{}", ".".repeat(30_001));
    let many = format!("/board/3?hand={}", "A".repeat(4 * 2001));
    for (path, words) in [
        ("/board?spots=0", "a number of spots from 1 to 20"),
        ("/board?spots=21", "a number of spots from 1 to 20"),
        ("/board?spots=x", "a number of spots from 1 to 20"),
        ("/board?position=kayles:5", "not played on the board"),
        ("/board?position=0*8.a", "not a position"),
        ("/board?position=!", "no move is left"),
        ("/board?position=0*21", "too large for the board"),
        ("/board?position=0*60", "too large to draw"),
        ("/board?position=0*3&you=nobody", "the query is invalid"),
        ("/board/0", "its number of spots, from 1 to 20"),
        ("/board/21", "its number of spots, from 1 to 20"),
        ("/board/x", "its number of spots, from 1 to 20"),
        ("/board/99999999999999999999", "its number of spots"),
        ("/board/3r.AB", "a move is incomplete"),
        ("/board/3%3Cscript%3E", "a move is incomplete"),
        ("/board/3.AAAAAA", "in move 1, the line is not on the sheet"),
        (
            "/board/3.AJAAAA",
            "in move 1, the line has to begin and end at a spot",
        ),
        ("/board/3?you=nobody", "the query is invalid"),
        ("/board/3?hand=A", "this is no line"),
        ("/board/3?hand=%3Cb%3E!", "this is no line"),
        (&long, "a match is never that long"),
        (&many, "a line never has that many points"),
        ("/board/x/review", "its number of spots"),
        ("/board/x/picture.svg", "its number of spots"),
    ] {
        let page = ask(&cluster, path).await;
        assert_eq!(page.status, 400, "{path}: {}", page.text);
        check(&page);
        let lower = page.text.to_lowercase();
        assert!(lower.contains(words), "{path}: {}", page.text);
        assert!(!page.text.contains("<script>"), "{path}");
    }
    // Spots that do not exist are ignored.
    for more in ["spot=9", "spot=0&to=1", "to=2", "spot=1&to=9", "way=1"] {
        shown(&cluster, &format!("/board/3?you=first&{more}")).await;
    }
}

#[tokio::test]
async fn a_problem_of_the_board_speaks_about_the_board() {
    let cluster = Cluster::start().await;
    for spots in ["", "x", "0", "21"] {
        let page = ask(&cluster, &format!("/board?spots={spots}")).await;
        assert_eq!(page.status, 400);
        assert!(
            page.text
                .contains("A number of spots from 1 to 20 is expected"),
            "{}",
            page.text
        );
        assert!(page.text.contains("Begin a match") && !page.text.contains("Look it up"));
    }
}

#[tokio::test]
async fn a_review_steps_from_position_to_position() {
    let cluster = Cluster::start().await;
    // The second player is a person: the seats stay the same in every link.
    let terms = "play=misere&you=second&level=random";
    let (_, page) = follow(&cluster, &format!("/board/3?{terms}")).await;
    let (path, _) = leaves(&cluster, &page).await.remove(0);
    let review = path.replace('?', "/review?");
    let (_, last) = follow(&cluster, &review).await;
    let moves = last.matches("</a></th>").count();
    assert!(moves >= 3, "{last}");
    for at in 0..=moves {
        let (_, page) = follow(&cluster, &format!("{review}&at={at}")).await;
        assert_eq!(places(&page).len(), 3 + at, "{page}");
        for (rel, to) in [("prev", at.checked_sub(1)), ("next", Some(at + 1))] {
            let to = to.filter(|&to| to <= moves);
            let link = to.map(|to| format!("{review}&at={to}"));
            let found = page.split_once(&format!("rel=\"{rel}\" "));
            let found = found.map(|(_, rest)| links_to(rest, "/board/").remove(0));
            assert_eq!(found, link, "{page}");
        }
        for link in links_to(&page, "/board/") {
            assert!(link.contains(terms) || link.contains("show=hint"), "{link}");
        }
    }
    // A number that is too large is the last move.
    let (_, page) = follow(&cluster, &format!("{review}&at=99")).await;
    assert_eq!(places(&page).len(), 3 + moves);
}
