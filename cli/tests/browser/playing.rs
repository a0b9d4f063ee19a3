//! Playing against the solver.

use crate::devtools::{self, DESKTOP, Scheme};
use crate::processes::Fleet;
use crate::visit::{Visit, visit, visit_without_scripts};

/// An upper bound on the moves of the matches in these tests.
const LONGEST: usize = 10;

/// Whether the match is over, according to the headline.
async fn is_over(visit: &Visit) -> bool {
    match &*visit.headline().await {
        "Your move" => false,
        "You won" | "You lost" => true,
        other => panic!("{other}"),
    }
}

/// Plays from three spots, a win for the first player, by following the hints.
async fn win(visit: &Visit) {
    visit.open("/positions/0*3").await;
    visit.follow("Play it").await;
    for _ in 0..LONGEST {
        if is_over(visit).await {
            break;
        }
        visit.follow("Hint").await;
        visit.follow_element("#hint").await;
    }
    assert_eq!(visit.headline().await, "You won");
    visit.until_it_says("The solver cannot move any more").await;
}

/// Plays to the end by choosing spots on the drawing of a position. The moves may be bad.
async fn join_spots(visit: &Visit) {
    visit
        .open("/board?position=0*2.1a1a&play=misere&you=second")
        .await;
    for _ in 0..LONGEST {
        if is_over(visit).await {
            break;
        }
        visit.follow_element(".pick a").await;
        visit.follow("Begin elsewhere").await;
        // The two ends of the line.
        visit.follow_element(".pick a").await;
        visit.follow_element(".pick a").await;
        if visit.has("#choice ul.boards a").await {
            visit.follow_element("#choice ul.boards a").await;
        }
    }
    assert!(is_over(visit).await);
    visit.follow("Take back").await;
    assert_eq!(visit.headline().await, "Your move");
}

#[test]
#[ignore = "needs Chromium"]
fn who_begins_with_three_spots_wins() {
    visit(|| Fleet::start_open(0), async |visit| win(visit).await);
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_won_without_scripts() {
    visit_without_scripts(|| Fleet::start_open(0), async |visit| win(visit).await);
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_on_the_board() {
    visit(
        || Fleet::start_open(0),
        async |visit| join_spots(visit).await,
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_on_the_board_without_scripts() {
    visit_without_scripts(
        || Fleet::start_open(0),
        async |visit| join_spots(visit).await,
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_begins_by_the_form() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.open("/board").await;
            visit.fill("spots", "3").await;
            let second = visit.element("input[name=you][value=second]").await;
            second.click().await.expect("chosen");
            visit
                .element("#play button")
                .await
                .click()
                .await
                .expect("pressed");
            // The solver has moved.
            visit.until_there_is(".sheet .reply").await;
            assert_eq!(visit.headline().await, "Your move");
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn who_resigns_against_the_solver_has_lost_and_can_take_it_back() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.open("/board?spots=3&you=first").await;
            let path = visit.path().await;
            for answer in [false, true] {
                let ask = "window.confirm = (text) => { window.asked = text; return ANSWER; }";
                visit.ask(&ask.replace("ANSWER", &answer.to_string())).await;
                visit.press("Resign").await;
                let asked = visit.ask("return window.asked").await;
                assert_eq!(asked, "Resign? The solver wins this match.");
                assert!(answer || visit.path().await == path);
            }
            visit.until_it_says("You resigned. The solver won.").await;
            assert_eq!(visit.headline().await, "You lost");
            let review = visit.path().await.replacen('?', "/review?", 1);
            visit.open(&review).await;
            visit.until_it_says("You resigned a won match.").await;
            visit.client.back().await.expect("gone back");
            visit.follow("Take back").await;
            assert_eq!(visit.path().await, path);
            assert_eq!(visit.headline().await, "Your move");
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_short_address_of_a_match_is_copied() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            // A line between the first two spots.
            visit.open("/board/3?you=both&spot=1&to=2&way=0").await;
            visit.until_it_says("joined spot 1 and spot 2").await;
            let path = visit.path().await;
            visit.press("Share").await;
            visit.until_it_says("leads to the match as it is now").await;
            let address = visit
                .ask("return document.querySelector('#address').value")
                .await;
            let address = address.as_str().expect("an address").to_owned();
            let short = address
                .strip_prefix(&visit.fleet.pages())
                .expect("an address of this site");
            assert!(short.starts_with("/s/") && short.len() < 24, "{short}");
            visit.press("Copy").await;
            visit.until_it_says("Copied").await;
            visit.open(short).await;
            assert_eq!(visit.path().await, path);
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn all_that_belongs_to_a_match_is_beside_its_board() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, DESKTOP, Scheme::Light).await;
            visit.open("/board/5?you=both&spot=1&to=2&way=0").await;
            visit.until_it_says("Two devices").await;
            let gaps = visit
                .ask(
                    "const box = (what) => document.querySelector(what).getBoundingClientRect();
                     return [box('#more').top - box('#turn').bottom,
                             box('#invite').top - box('#more').bottom]",
                )
                .await;
            for gap in gaps.as_array().expect("gaps") {
                let gap = gap.as_f64().expect("a number");
                assert!(gap < 150.0, "a hole beside the board: {gaps}");
            }
        },
    );
}
