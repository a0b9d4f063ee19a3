//! Lines by hand: each is the move that was meant, as it was drawn, or it is refused.

use crate::devtools::{self, DESKTOP, PHONE, Pointer, Scheme};
use crate::drawing::{Place, draw, shown, some_line, told};
use crate::processes::Fleet;
use crate::visit::{Visit, visit};

/// The places of the spots on the page.
pub(crate) async fn spots(visit: &Visit) -> Vec<Place> {
    let spots = visit
        .ask("return [...document.querySelectorAll('.sheet .dot')].map((d) => [d.dataset.x, d.dataset.y].map(Number))")
        .await;
    let spots = spots.as_array().expect("places").iter();
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    spots.map(|at| (number(&at[0]), number(&at[1]))).collect()
}

/// Opens a match between two people on one board.
pub(crate) async fn open_match(visit: &Visit, spots: usize) {
    devtools::show_on(&visit.client, DESKTOP, Scheme::Light).await;
    visit.open(&format!("/board?spots={spots}&you=both")).await;
}

#[test]
#[ignore = "needs Chromium"]
fn a_loop_that_overshoots_its_start_is_the_loop_that_was_meant() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for overshoot in [10.0, 35.0] {
                open_match(visit, 5).await;
                let before = visit.path().await;
                let (x, y) = spots(visit).await[0];
                // Around spots 2 and 3, across the first stroke, and back to spot 1.
                let line = [
                    (x, y),
                    (700.0, 190.0),
                    (930.0, 350.0),
                    (850.0, 860.0),
                    (600.0, 880.0),
                    (560.0, 500.0),
                    (x + 60.0, y + 30.0),
                    (x + 60.0, y - overshoot),
                    (x + 10.0, y - overshoot),
                    (x, y),
                ];
                draw(visit, Pointer::Mouse, &line).await;
                visit
                    .until("a loop", async || visit.path().await != before)
                    .await;
                assert_eq!(shown(visit).await, "0*2.AB%7C0*2.AB", "{overshoot}");
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_straight_stroke_stays_straight_and_no_spot_moves() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            open_match(visit, 5).await;
            let (before, places) = (visit.path().await, spots(visit).await);
            draw(visit, Pointer::Mouse, &[places[0], places[1]]).await;
            visit
                .until("a line", async || visit.path().await != before)
                .await;
            assert_eq!(spots(visit).await[..5], places[..]);
            let off = visit
                .ask(
                    "const dots = [...document.querySelectorAll('.sheet .dot')];
                     const [a, b] = dots.map((d) => [Number(d.dataset.x), Number(d.dataset.y)]);
                     const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
                     return Math.max(...[...document.querySelectorAll('.sheet .line')].flatMap((line) =>
                       Array.from({ length: 20 }, (_, i) => {
                         const { x, y } = line.getPointAtLength(line.getTotalLength() * i / 19);
                         return Math.abs((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / long;
                       })))",
                )
                .await;
            assert!(off.as_f64().is_some_and(|off| off < 4.0), "{off}");
            // Only the button moves them.
            visit.press("Tidy").await;
            visit
                .until("tidied", async || spots(visit).await[..5] != places[..])
                .await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_scribble_and_a_line_over_a_spot_are_refused() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            open_match(visit, 5).await;
            let (before, places) = (visit.path().await, spots(visit).await);
            draw(visit, Pointer::Mouse, &[places[1], places[0], places[4]]).await;
            visit
                .until("a refusal", async || {
                    told(visit).await.contains("runs over spot 1")
                })
                .await;
            // Once around spot 3 on the way from spot 1 to spot 2.
            let (x, y) = places[2];
            let around = [
                (-80.0, -80.0),
                (80.0, -80.0),
                (80.0, 80.0),
                (-80.0, 80.0),
                (-80.0, -90.0),
            ];
            let around = around.map(|(dx, dy)| (x + dx, y + dy));
            let line = [
                &[places[0]][..],
                &around,
                &[(x + 20.0, y - 160.0), places[1]],
            ]
            .concat();
            draw(visit, Pointer::Mouse, &line).await;
            visit
                .until("a refusal", async || {
                    told(visit).await.contains("crosses itself")
                })
                .await;
            assert_eq!(visit.path().await, before);
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_line_that_leaves_the_sheet_is_refused_unless_it_hardly_does() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            open_match(visit, 5).await;
            let (before, places) = (visit.path().await, spots(visit).await);
            let across = |border: f64| {
                [
                    places[1],
                    (border, places[1].1),
                    (border, places[2].1),
                    places[2],
                ]
            };
            draw(visit, Pointer::Mouse, &across(1090.0)).await;
            visit
                .until("a refusal", async || {
                    told(visit).await.contains("leaves the sheet")
                })
                .await;
            assert!(!visit.has(".pick .can").await);
            // One that ends outside is no line either, also if it began with a spot near the border.
            draw(visit, Pointer::Mouse, &[places[1], (1090.0, 300.0)]).await;
            assert!(told(visit).await.contains("leaves the sheet"));
            assert_eq!(visit.path().await, before);
            draw(visit, Pointer::Mouse, &across(1032.0)).await;
            visit
                .until("a line", async || visit.path().await != before)
                .await;
            assert!(told(visit).await.contains("joined spot 2 and spot 3"));
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_line_without_an_answer_is_sent_again_until_it_is_given_up() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            open_match(visit, 5).await;
            let (before, places) = (visit.path().await, spots(visit).await);
            visit
                .ask(
                    "const fetch = window.fetch;
                     window.failures = Infinity;
                     window.fetch = (...all) => window.failures > 0 ? (window.failures -= 1, Promise.reject(new TypeError())) : fetch(...all)",
                )
                .await;
            draw(visit, Pointer::Mouse, &[places[0], places[1]]).await;
            visit
                .until("a notice", async || {
                    told(visit).await.contains("Next try in")
                })
                .await;
            assert!(visit.has(".pick.waiting").await, "the line is still seen");
            let body = visit.element("body").await;
            body.send_keys("\u{e00c}").await.expect("typed");
            visit
                .until("no line", async || !visit.has(".pick.waiting").await)
                .await;
            assert_eq!(told(visit).await, "");
            visit.ask("window.failures = 2").await;
            draw(visit, Pointer::Mouse, &[places[1], places[2]]).await;
            visit
                .until("a line", async || visit.path().await != before)
                .await;
            assert!(told(visit).await.contains("joined spot 2 and spot 3"));
            assert_eq!(visit.ask("return window.failures").await, 0);
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_board_stays_in_its_place_to_the_end() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let top = "return Math.round(document.querySelector('.board').getBoundingClientRect().top + scrollY)";
            for (screen, pointer) in [(DESKTOP, Pointer::Mouse), (PHONE, Pointer::Finger)] {
                for people in ["both", "first"] {
                    devtools::show_on(&visit.client, screen, Scheme::Light).await;
                    visit.open(&format!("/board?spots=2&you={people}")).await;
                    let at_first = visit.ask(top).await;
                    let mut made = 0;
                    while !told(visit).await.contains("No line can be drawn any more") {
                        assert!(made < 5, "the match ends");
                        let before = visit.path().await;
                        let (line, _) = some_line(visit, made).await;
                        draw(visit, pointer, &line).await;
                        visit
                            .until("a line", async || visit.path().await != before)
                            .await;
                        assert_eq!(visit.ask(top).await, at_first, "{screen:?}: {before}");
                        made += 1;
                    }
                }
            }
        },
    );
}

/// Whether an element is on the screen as a whole.
async fn is_seen(visit: &Visit, selector: &str) -> bool {
    let seen = format!(
        "const {{ top, bottom }} = document.querySelector('{selector}').getBoundingClientRect();
         return top >= -1 && bottom <= innerHeight + 1"
    );
    visit.ask(&seen).await == true
}

#[test]
#[ignore = "needs Chromium"]
fn on_a_phone_a_task_is_above_its_board_and_the_way_on_is_seen() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, PHONE, Scheme::Light).await;
            visit.open("/lesson/1").await;
            for part in ["#turn .verdict", "#turn .buttons", ".board"] {
                assert!(is_seen(visit, part).await, "{part}");
            }
            let places = spots(visit).await;
            draw(visit, Pointer::Finger, &[places[0], places[1]]).await;
            visit.until_it_says("A new spot appeared").await;
            visit
                .until("the way on", async || {
                    is_seen(visit, "#turn .buttons").await
                })
                .await;
            visit.open("/puzzles/easy-1").await;
            assert!(is_seen(visit, "#turn .verdict").await);
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_stroke_that_comes_too_early_is_answered() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            open_match(visit, 3).await;
            let before = visit.path().await;
            visit
                .ask("document.querySelector('.match').setAttribute('aria-busy', 'true')")
                .await;
            let places = spots(visit).await;
            draw(visit, Pointer::Mouse, &[places[0], places[1]]).await;
            visit
                .until("an answer", async || {
                    told(visit).await == "Wait for the solver."
                })
                .await;
            assert_eq!(visit.path().await, before);
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_begins_again_only_if_that_is_meant() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            open_match(visit, 3).await;
            for count in 3..5 {
                let places = spots(visit).await;
                draw(
                    visit,
                    Pointer::Mouse,
                    &[places[count - 3], places[count - 2]],
                )
                .await;
                visit
                    .until("a line", async || spots(visit).await.len() == count + 1)
                    .await;
            }
            let before = visit.path().await;
            visit
                .ask("window.confirm = () => { window.asked = true; return false; }")
                .await;
            visit.press("Start again").await;
            assert_eq!(visit.ask("return window.asked").await, true);
            assert_eq!(visit.path().await, before);
            visit.ask("window.confirm = () => true").await;
            visit.follow("Start again").await;
            visit
                .until("a new match", async || spots(visit).await.len() == 3)
                .await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_arrow_keys_step_through_a_review() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            open_match(visit, 2).await;
            let places = spots(visit).await;
            draw(visit, Pointer::Mouse, &[places[0], places[1]]).await;
            visit
                .until("a line", async || spots(visit).await.len() == 3)
                .await;
            visit.follow("Review it").await;
            assert_eq!(spots(visit).await.len(), 3);
            for (key, count) in [("\u{e012}", 2), ("\u{e014}", 3)] {
                let body = visit.element("body").await;
                body.send_keys(key).await.expect("typed");
                visit
                    .until("another position", async || {
                        spots(visit).await.len() == count
                    })
                    .await;
            }
        },
    );
}
