//! Matches played with the keyboard.

use crate::devtools::{self, DESKTOP, PHONE, Scheme, WIDE};
use crate::drawing::{LONGEST, told};
use crate::hand::{open_match, spots};
use crate::processes::Fleet;
use crate::visit::{Visit, visit, visit_without_scripts};

/// Plays a whole match with the keyboard.
pub(crate) async fn type_a_match(visit: &Visit, keeps_page: bool) {
    const ENTER: &str = "\u{e007}";
    visit.open("/board?spots=3&you=both").await;
    if keeps_page {
        visit.mark().await;
    }
    for pick in 0..=LONGEST {
        if told(visit).await.contains("No line can be drawn any more") {
            break;
        }
        assert!(pick < LONGEST, "the match ends");
        let moved = async |before: &str| visit.path().await != before;
        for selector in [".pick a", ".pick a", "#choice a"] {
            let before = visit.path().await;
            let (base, _) = before.split_once('?').expect("a query");
            let Some(chosen) = visit.all(selector).await.into_iter().next() else {
                break;
            };
            chosen.send_keys(ENTER).await.expect("typed");
            visit
                .until("what comes next", async || moved(&before).await)
                .await;
            if !visit.path().await.starts_with(&format!("{base}?")) {
                break;
            }
            if keeps_page && visit.has("#choice a").await {
                let active = "return document.activeElement.closest('#choice') !== null";
                assert_eq!(visit.ask(active).await, true, "the first way has the focus");
            }
        }
    }
    assert!(!keeps_page || visit.is_marked().await);
    visit.until_it_says("player won").await;
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_by_the_keyboard() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for (screen, scheme) in [
                (PHONE, Scheme::Dark),
                (DESKTOP, Scheme::Light),
                (WIDE, Scheme::Dark),
            ] {
                devtools::show_on(&visit.client, screen, scheme).await;
                type_a_match(visit, true).await;
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_by_the_keyboard_without_scripts() {
    visit_without_scripts(
        || Fleet::start_open(0),
        async |visit| type_a_match(visit, false).await,
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_with_a_few_keys() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            open_match(visit, 3).await;
            // Two numbers and Enter for each line, and arrows if there are several ways.
            for (keys, spots_after) in [(["1", "2"], 4), (["3", "3"], 5)] {
                for key in keys {
                    let before = visit.path().await;
                    let body = visit.element("body").await;
                    body.send_keys(key).await.expect("typed");
                    visit
                        .until("what comes next", async || visit.path().await != before)
                        .await;
                }
                if visit.has("#choice a").await {
                    let way = visit.element("#choice a:focus").await;
                    way.send_keys("\u{e014}").await.expect("typed");
                    let other = visit.element("#choice a:focus").await;
                    other.send_keys("\u{e007}").await.expect("typed");
                }
                visit
                    .until("a line", async || spots(visit).await.len() == spots_after)
                    .await;
                let active = "return document.activeElement.closest('.match') !== null";
                assert_eq!(
                    visit.ask(active).await,
                    true,
                    "the focus stays at the board"
                );
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn escape_begins_elsewhere_and_a_wrong_number_is_answered() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            open_match(visit, 4).await;
            let type_key = async |key: &str| {
                let body = visit.element("body").await;
                body.send_keys(key).await.expect("typed");
            };
            type_key("3").await;
            visit.until_there_is(".pick .chosen").await;
            type_key("\u{e00c}").await;
            visit
                .until("nothing chosen", async || !visit.has(".pick .chosen").await)
                .await;
            type_key("9").await;
            visit.until_it_says("Spot 9 cannot be chosen here.").await;
            type_key("3").await;
            visit.until_there_is(".pick .chosen").await;
            assert!(!visit.has(".sheet .line").await, "no line was drawn");
        },
    );
}
