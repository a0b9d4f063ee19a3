//! Lines drawn on the board with a mouse, a pen and a finger.

use fantoccini::Client;

use crate::devtools::{self, DESKTOP, PHONE, Pointer, Scheme, Screen, WIDE};
use crate::hand::spots;
use crate::processes::Fleet;
use crate::visit::{Visit, visit};

/// The maximum number of moves of a match from three spots.
pub(crate) const LONGEST: usize = 8;

/// The maximum distance between two places of a drag, in units of the sheet.
const STEP: f64 = 18.0;

/// The maximum distance that a spot moves in one move, in units of the sheet: a tenth of its width.
const FARTHEST: f64 = 102.4;

pub(crate) type Place = (f64, f64);

/// The points of the lines on a page, in drawing order.
fn lines(page: &str) -> Vec<Vec<Place>> {
    let lines = page.split("data-points=\"").skip(1).map(|rest| {
        let (points, _) = rest.split_once('"').expect("points");
        let points = points.split(' ').map(|point| {
            let (x, y) = point.split_once(',').expect("two coordinates");
            (x.parse().expect("a number"), y.parse().expect("a number"))
        });
        points.collect()
    });
    lines.collect()
}

/// The position that a page links to.
fn position(page: &str) -> String {
    let (_, rest) = page.split_once("href=\"/positions/").expect("a position");
    rest.split_once('"').expect("an end").0.to_owned()
}

/// The address of the shown match, with `what` added to the path and `more` to the query.
async fn address(visit: &Visit, what: &str, more: &str) -> String {
    let path = visit.path().await;
    let (path, query) = path.split_once('?').expect("a query");
    format!("{path}{what}?{query}{more}")
}

/// The status and the text of a page, without showing it.
async fn page(visit: &Visit, path: &str) -> (u64, String) {
    let script = format!(
        "const asked = new XMLHttpRequest();
         asked.open('GET', {path:?}, false);
         asked.send();
         return [asked.status, asked.responseText]"
    );
    let answer = visit.ask(&script).await;
    let text = answer[1].as_str().expect("a text");
    (answer[0].as_u64().expect("a status"), text.to_owned())
}

/// A possible line as the server would draw it, and the position after it.
pub(crate) async fn some_line(visit: &Visit, pick: usize) -> (Vec<Place>, String) {
    let ends = visit
        .ask(
            "return [...document.querySelectorAll('.pick a')].flatMap((a) =>
               a.dataset.ends.split(' ').map((end) => [Number(a.id.slice(5)), Number(end)]))",
        )
        .await;
    let ends = ends.as_array().expect("a list");
    let both = &ends[(7 * pick + 3) % ends.len()];
    let more = format!("&spot={}&to={}&way=0", both[0], both[1]);
    let (status, picture) = page(visit, &address(visit, "/picture.svg", &more).await).await;
    assert_eq!(status, 200, "{more}");
    let mut new = lines(&picture);
    let new = new.split_off(new.len() - 2);
    // The solver must not reply, so both players are people.
    let after = address(visit, "", &more).await;
    let (_, after) = page(visit, &after.replace("you=first", "you=both")).await;
    ([&new[0][..], &new[1][1..]].concat(), position(&after))
}

/// Draws a line through points, in units of the sheet.
pub(crate) async fn draw(visit: &Visit, pointer: Pointer, line: &[Place]) {
    draw_on(&visit.client, pointer, line).await;
}

/// The same in any browser.
pub(crate) async fn draw_on(client: &Client, pointer: Pointer, line: &[Place]) {
    let matrix = "document.querySelector('.pick').scrollIntoView({ block: 'center' });
         const m = document.querySelector('.pick').getScreenCTM();
         return [m.a, m.e, m.f]";
    let matrix = client.execute(matrix, Vec::new()).await;
    let matrix = matrix.expect("an answer");
    let [scale, left, top] = [0, 1, 2].map(|i| matrix[i].as_f64().expect("a number"));
    let mut way = vec![line[0]];
    for pair in line.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let parts = (dx.hypot(dy) / STEP).ceil().max(1.0);
        let part = |i: f64| (pair[0].0 + dx * i / parts, pair[0].1 + dy * i / parts);
        way.extend((1..=parts as usize).map(|i| part(i as f64)));
    }
    let on_screen = way
        .iter()
        .map(|&(x, y)| (x * scale + left, y * scale + top));
    let on_screen: Vec<Place> = on_screen.collect();
    devtools::drag(client, pointer, &on_screen).await;
}

/// The two ends of the last drawn line.
async fn ends_of_last(visit: &Visit) -> [Place; 2] {
    let script = "return document.querySelector('.drawn').innerHTML";
    let drawn = visit.ask(script).await;
    let mut drawn = lines(drawn.as_str().expect("a drawing"));
    let new = drawn.split_off(drawn.len() - 2);
    [new[0][0], *new[1].last().expect("a point")]
}

/// The position on the page.
pub(crate) async fn shown(visit: &Visit) -> String {
    let script = "return document.querySelector('a[href^=\"/positions/\"]').getAttribute('href')";
    let to = visit.ask(script).await;
    let to = to.as_str().expect("a link");
    to["/positions/".len()..].to_owned()
}

pub(crate) async fn told(visit: &Visit) -> String {
    let told = visit.element("#told").await;
    told.text().await.expect("a text")
}

/// Two people draw a whole match, each line as the server would draw it.
async fn draw_a_match(visit: &Visit, screen: Screen, scheme: Scheme, pointer: Pointer) {
    devtools::show_on(&visit.client, screen, scheme).await;
    visit.open("/board?spots=3&you=both").await;
    visit.mark().await;
    let mut positions = vec![shown(visit).await];
    for pick in 0..=LONGEST {
        if told(visit).await.contains("No line can be drawn any more") {
            break;
        }
        assert!(pick < LONGEST, "the match ends");
        let before = visit.path().await;
        let (line, position) = some_line(visit, pick).await;
        draw(visit, pointer, &line).await;
        visit
            .until("another position", async || visit.path().await != before)
            .await;
        assert_eq!(shown(visit).await, position, "{pointer:?}: {before}");
        let [from, to] = ends_of_last(visit).await;
        let [first, last] = [line[0], line[line.len() - 1]];
        // Evening out the drawing moves spots a little.
        for (drawn, spot) in [(first, from), (last, to)] {
            let away = (drawn.0 - spot.0).hypot(drawn.1 - spot.1);
            assert!(away <= FARTHEST, "{pointer:?}: {away} in {before}");
        }
        positions.push(position);
    }
    assert!(visit.is_marked().await, "the page was never loaded anew");
    // Goes back in history, and forward by a reload: the address contains the whole match.
    visit
        .client
        .execute("history.back()", vec![])
        .await
        .expect("back");
    let last = positions[positions.len() - 2].clone();
    visit
        .until("the position before", async || shown(visit).await == last)
        .await;
    assert!(visit.is_marked().await);
    visit.client.refresh().await.expect("loaded");
    assert_eq!(shown(visit).await, last);
    visit.press("Take back").await;
    let before = positions[positions.len() - 3].clone();
    visit
        .until("the one before", async || shown(visit).await == before)
        .await;
}

/// Draws a whole match on each screen, in each scheme.
fn draw_matches(pointer: Pointer, screens: &[Screen]) {
    for &screen in screens {
        visit(
            || Fleet::start_open(0),
            async |visit| {
                for scheme in [Scheme::Light, Scheme::Dark] {
                    draw_a_match(visit, screen, scheme, pointer).await;
                }
            },
        );
    }
}

#[test]
#[ignore = "needs Chromium"]
fn matches_are_drawn_with_a_mouse() {
    draw_matches(Pointer::Mouse, &[PHONE, DESKTOP, WIDE]);
}

#[test]
#[ignore = "needs Chromium"]
fn matches_are_drawn_with_a_pen() {
    draw_matches(Pointer::Pen, &[PHONE, DESKTOP]);
}

#[test]
#[ignore = "needs Chromium"]
fn matches_are_drawn_with_a_finger() {
    draw_matches(Pointer::Finger, &[PHONE, DESKTOP]);
}

#[test]
#[ignore = "needs Chromium"]
fn while_the_hand_draws_only_its_line_changes_and_a_refusal_says_why() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, DESKTOP, Scheme::Light).await;
            visit.open("/board?spots=3&you=both").await;
            visit.mark().await;
            let (line, _) = some_line(visit, 0).await;
            let before = visit.path().await;
            draw(visit, Pointer::Mouse, &line).await;
            visit
                .until("another position", async || visit.path().await != before)
                .await;
            // Collects all changes from the second step of the next line on.
            visit
                .ask(
                    "window.changed = new Set();
                     document.addEventListener('pointermove', () => {
                       if (!document.querySelector('.drawing-on') || window.watch) return;
                       window.watch = new MutationObserver((all) => all.forEach((one) =>
                         window.changed.add(one.target.getAttribute('class') + ' ' + one.attributeName)));
                       window.watch.observe(document, { subtree: true, attributes: true, childList: true });
                       window.ends = document.querySelectorAll('.pick .can').length;
                     });
                     document.addEventListener('pointerup', () => window.watch?.disconnect(), true)",
                )
                .await;
            let (_, now) = page(visit, &visit.path().await).await;
            let drawn = lines(&now);
            // A line from the third spot, across the middle of the first line, to that line's beginning.
            let spots = visit
                .ask("return [...document.querySelectorAll('.sheet .dot')].map((d) => [d.dataset.x, d.dataset.y].map(Number))")
                .await;
            let spot = |i: usize| {
                let at = |axis: usize| spots[i][axis].as_f64().expect("a number");
                (at(0), at(1))
            };
            let half = &drawn[0];
            let middle = half[half.len() / 2];
            let free = (0..3)
                .map(spot)
                .find(|&at| at != half[0] && at != *drawn[1].last().expect("a point"))
                .expect("a spot without a line");
            let beyond = (
                middle.0 + (middle.0 - free.0) * 0.3,
                middle.1 + (middle.1 - free.1) * 0.3,
            );
            let before = visit.path().await;
            draw(visit, Pointer::Mouse, &[free, beyond, half[0]]).await;
            visit
                .until("a refusal", async || told(visit).await.contains("crosses"))
                .await;
            assert_eq!(visit.path().await, before);
            assert!(visit.is_marked().await);
            let changed = visit.ask("return [...window.changed]").await;
            assert_eq!(changed, serde_json::json!(["ghost d"]));
            let ends = visit.ask("return window.ends").await;
            assert!(ends.as_u64() >= Some(3), "{ends}");
            assert!(!visit.has(".pick .can").await);
            // The refused line stays for a while.
            visit
                .until("the line is gone", async || {
                    let ghost = "return document.querySelector('.ghost').getAttribute('d')";
                    visit.ask(ghost).await == "M0 0"
                })
                .await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_solver_replies_on_the_same_board() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, PHONE, Scheme::Light).await;
            visit.open("/board?spots=4&you=first").await;
            visit.mark().await;
            for pick in 0..12 {
                if told(visit).await.contains("No line can be drawn any more") {
                    break;
                }
                let before = visit.path().await;
                let (line, _) = some_line(visit, pick).await;
                draw(visit, Pointer::Finger, &line).await;
                visit
                    .until("a reply", async || visit.path().await != before)
                    .await;
                assert!(!visit.path().await.contains("&spot="), "it was no click");
                let text = told(visit).await;
                assert!(
                    text.starts_with("The solver ") || text.starts_with("You "),
                    "{text}"
                );
            }
            assert!(visit.is_marked().await, "the page was never loaded anew");
            let text = told(visit).await;
            assert!(text.contains("No line can be drawn any more"), "{text}");
            assert!(["You won", "You lost"].contains(&&*visit.headline().await));
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_solver_replies_on_a_board_of_twenty_spots() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for (screen, pointer) in [(DESKTOP, Pointer::Mouse), (PHONE, Pointer::Finger)] {
                devtools::show_on(&visit.client, screen, Scheme::Light).await;
                visit.open("/board").await;
                visit.fill("spots", "20").await;
                let play = visit.element("#play button").await;
                play.click().await.expect("pressed");
                visit.until_there_is(".sheet .dot[data-spot='20']").await;
                let mut has_guessed = false;
                for made in 0..3 {
                    let places = spots(visit).await;
                    assert_eq!(places.len(), 20 + 2 * made);
                    let (line, _) = some_line(visit, made).await;
                    draw(visit, pointer, &line).await;
                    visit
                        .until("a reply", async || {
                            spots(visit).await.len() == 22 + 2 * made
                        })
                        .await;
                    assert!(visit.has(".sheet .reply").await);
                    // Some positions are solved in the second that a reply takes.
                    let guesses =
                        "return document.body.innerText.includes('the solver guesses its moves')";
                    has_guessed |= visit.ask(guesses).await == true;
                }
                assert!(has_guessed);
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_line_between_two_crosses_gets_a_cross() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for (screen, pointer) in [(DESKTOP, Pointer::Mouse), (PHONE, Pointer::Finger)] {
                devtools::show_on(&visit.client, screen, Scheme::Light).await;
                visit.open("/board?game=brussels&crosses=2&you=both").await;
                let places = spots(visit).await;
                assert_eq!(places.len(), 8);
                // From the lower end of one to the upper end of the other.
                draw(visit, pointer, &[places[1], places[7]]).await;
                visit
                    .until("a line", async || spots(visit).await.len() == 10)
                    .await;
                assert!(
                    told(visit)
                        .await
                        .contains("joined free end 2 and free end 8")
                );
                // Its two halves, and the two arms.
                assert_eq!(visit.all(".sheet .mine").await.len(), 4);
                // An end takes one line.
                draw(visit, pointer, &[places[1], places[4]]).await;
                visit
                    .until("a refusal", async || {
                        told(visit)
                            .await
                            .contains("the end of a cross takes one line")
                    })
                    .await;
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn on_a_phone_the_board_is_seen_after_a_choice() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, PHONE, Scheme::Light).await;
            visit.open("/board?spots=5&you=first").await;
            // A loop at spot 1, for which there are several ways.
            for _ in 0..2 {
                let at = spots(visit).await[0];
                draw(visit, Pointer::Finger, &[at]).await;
                visit.until_there_is(".pick .chosen").await;
            }
            visit.until_there_is("#choice a").await;
            let before = visit.path().await;
            let way = visit.all("#choice a").await.into_iter().nth(1);
            way.expect("two ways").click().await.expect("chosen");
            visit
                .until("a reply", async || {
                    visit.path().await != before && visit.has(".sheet .line").await
                })
                .await;
            visit
                .until("the message and the board", async || {
                    let seen = "const box = (of) => document.querySelector(of).getBoundingClientRect();
                                return box('#told').top >= -1 && box('.board').bottom <= innerHeight + 1";
                    visit.ask(seen).await == true
                })
                .await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_first_screen_is_a_board_and_a_lesson_goes_on_by_a_line() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for (screen, pointer) in [(DESKTOP, Pointer::Mouse), (PHONE, Pointer::Finger)] {
                devtools::show_on(&visit.client, screen, Scheme::Light).await;
                visit.open("/").await;
                let places = spots(visit).await;
                draw(visit, pointer, &[places[0], places[1]]).await;
                visit
                    .until("a match", async || {
                        visit.path().await.starts_with("/board/4")
                    })
                    .await;
                visit.until_it_says("The solver ").await;
                visit.open("/lesson").await;
                let places = spots(visit).await;
                draw(visit, pointer, &[places[0], places[1]]).await;
                visit.until_it_says("A new spot appeared").await;
                visit.press("Next").await;
                visit.until_it_says("Three lines a spot").await;
            }
        },
    );
}
