//! A match between two browsers with separate cookies, as on two devices.

use std::fs;
use std::time::{Duration, Instant};

use crate::accessible::look;
use crate::devtools::{self, DESKTOP, PHONE, Pointer, Scheme, Screen};
use crate::drawing::{draw, told};
use crate::processes::{Fleet, Part};
use crate::visit::{Visit, visit, visit_without_scripts};

type Place = (f64, f64);

/// The maximum number of moves of a match from two spots.
const LONGEST: usize = 5;

/// The time limit for a move to appear on the other device, on a busy machine. About a second is expected.
const SOON: Duration = Duration::from_secs(10);

/// A possible line, as the server would draw it on the same board.
async fn some_line(visit: &Visit) -> Vec<Place> {
    let points = visit
        .ask(
            "const spot = [...document.querySelectorAll('.pick a')].find((a) => a.dataset.ends);
             const [from, to] = [spot.id.slice(5), spot.dataset.ends.split(' ')[0]];
             const picture = document.querySelector('a[href*=\"picture.svg\"]').getAttribute('href');
             const asked = new XMLHttpRequest();
             asked.open('GET', `${picture}&spot=${from}&to=${to}&way=0`, false);
             asked.send();
             const lines = [...new DOMParser().parseFromString(asked.responseText, 'image/svg+xml')
               .querySelectorAll('.line')].slice(-2);
             const points = lines.map((line) => line.dataset.points.split(' ')
               .map((point) => point.split(',').map(Number)));
             return [...points[0], ...points[1].slice(1)]",
        )
        .await;
    let points = points.as_array().expect("points").iter();
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    points.map(|at| (number(&at[0]), number(&at[1]))).collect()
}

/// The number of spots on the page.
async fn spots(visit: &Visit) -> usize {
    visit.all(".sheet .dot").await.len()
}

/// A straight line between the first two spots of the start position.
async fn first_line(visit: &Visit) -> Vec<Place> {
    let places = visit
        .ask(
            "return [...document.querySelectorAll('.sheet .dot')].slice(0, 2)
               .map((dot) => [Number(dot.dataset.x), Number(dot.dataset.y)])",
        )
        .await;
    let at = |i: usize| {
        let number = |axis: usize| places[i][axis].as_f64().expect("a number");
        (number(0), number(1))
    };
    vec![at(0), at(1)]
}

/// Two browsers play a match from two spots to its end, each on its own screen.
async fn play(visit: &mut Visit, screens: [(Screen, Pointer); 2], scheme: Scheme) {
    visit.bring_another().await;
    devtools::show_on(&visit.client, screens[0].0, scheme).await;
    visit.open("/board?spots=2&you=both").await;
    visit.press("Invite somebody").await;
    visit.until_it_says("You are the first player.").await;
    let path = visit.path().await;
    assert!(path.starts_with("/match/"), "{path}");
    let address = visit
        .ask("return document.querySelector('#address').value")
        .await;
    assert_eq!(address, format!("{}{path}", visit.fleet.pages()));
    visit.press("Copy").await;
    visit.until_it_says("Copied").await;
    visit.mark().await;
    visit.swap();
    devtools::show_on(&visit.client, screens[1].0, scheme).await;
    visit.open(&path).await;
    visit.press("Be the second player").await;
    visit.until_it_says("You are the second player.").await;
    visit.mark().await;
    visit.swap();
    visit
        .until("the other one", async || {
            !visit.text().await.contains("no second player")
        })
        .await;
    let mut longest = Duration::ZERO;
    for made in 0..=LONGEST {
        if told(visit).await.contains("No line can be drawn any more") {
            break;
        }
        assert!(made < LONGEST, "the match ends");
        assert_eq!(visit.headline().await, "Your move");
        let line = match made {
            0 => first_line(visit).await,
            _ => some_line(visit).await,
        };
        draw(visit, screens[made % 2].1, &line).await;
        let count = 3 + made;
        visit
            .until("the own line", async || spots(visit).await == count)
            .await;
        let begin = Instant::now();
        visit.swap();
        visit
            .until("the other's line", async || spots(visit).await == count)
            .await;
        longest = longest.max(begin.elapsed());
    }
    assert!(longest < SOON, "{longest:?}");
    eprintln!("a line appeared on the other device within {longest:?}");
    let mut headlines = Vec::new();
    for _ in 0..2 {
        assert!(visit.is_marked().await, "the page was never loaded anew");
        assert_eq!(visit.path().await, path);
        headlines.push(visit.headline().await);
        visit.swap();
    }
    headlines.sort();
    assert_eq!(headlines, ["You lost", "You won"]);
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_on_a_phone_and_a_desktop() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let screens = [(DESKTOP, Pointer::Mouse), (PHONE, Pointer::Finger)];
            play(visit, screens, Scheme::Light).await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_on_two_phones() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let screens = [(PHONE, Pointer::Finger), (PHONE, Pointer::Finger)];
            play(visit, screens, Scheme::Dark).await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_between_two_is_fit_for_all() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let checker = std::env::var_os("SPROUTNET_AXE");
            let checker = checker.map(|file| fs::read_to_string(file).expect("a script"));
            let checker = checker.as_deref();
            visit.bring_another().await;
            visit.open("/board?spots=3&you=both").await;
            visit.press("Invite somebody").await;
            visit.until_it_says("You are the first player.").await;
            look(visit, "match-two-alone", checker).await;
            let path = visit.path().await;
            visit.swap();
            visit.open(&path).await;
            look(visit, "match-two-open", checker).await;
            visit.press("Be the second player").await;
            visit.until_it_says("You are the second player.").await;
            look(visit, "match-two-waits", checker).await;
            visit.swap();
            visit.open(&format!("{path}?spot=1&to=1")).await;
            look(visit, "match-two-ways", checker).await;
            let way = visit.element("#choice button").await;
            way.click().await.expect("clicked");
            visit.until_it_says("You drew a loop").await;
            look(visit, "match-two-moved", checker).await;
        },
    );
}

/// Begins a match, and lets the other browser join it. Returns the path of the match. The first player's browser is
/// active.
async fn begin(visit: &mut Visit, spots: usize) -> String {
    visit.open(&format!("/board?spots={spots}&you=both")).await;
    visit.press("Invite somebody").await;
    visit.until_it_says("You are the first player.").await;
    let path = visit.path().await;
    visit.swap();
    visit.open(&path).await;
    visit.press("Be the second player").await;
    visit.until_it_says("You are the second player.").await;
    visit.swap();
    path
}

/// Makes the first listed move, by links and a button.
async fn move_by_links(visit: &Visit, path: &str) {
    for part in ["spot", "to"] {
        visit
            .follow_element(&format!(".pick a[href*='{part}=']"))
            .await;
    }
    visit
        .element("#choice button")
        .await
        .click()
        .await
        .expect("clicked");
    visit.until_path(path).await;
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_goes_on_by_itself_after_a_restart() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.bring_another().await;
            begin(visit, 2).await;
            for _ in 0..2 {
                visit.mark().await;
                visit.swap();
            }
            visit
                .until("the other one", async || {
                    visit.headline().await == "Your move"
                })
                .await;
            draw(visit, Pointer::Mouse, &first_line(visit).await).await;
            for _ in 0..2 {
                visit
                    .until("a line", async || spots(visit).await == 3)
                    .await;
                visit.swap();
            }
            visit.swap();
            let line = some_line(visit).await;
            visit.fleet.kill(Part::Coordinator);
            draw(visit, Pointer::Mouse, &line).await;
            visit
                .until_it_says("The coordinator does not answer. Next try in")
                .await;
            tokio::time::sleep(Duration::from_secs(2)).await;
            visit.fleet.start_again(Part::Coordinator);
            visit.fleet.wait_for_coordinator();
            // Nobody draws the line again.
            for _ in 0..2 {
                visit
                    .until("a line after the restart", async || spots(visit).await == 4)
                    .await;
                assert!(visit.is_marked().await, "the page was never loaded anew");
                visit.swap();
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_to_its_end_without_scripts() {
    visit_without_scripts(
        || Fleet::start_open(0),
        async |visit| {
            visit.bring_another_without_scripts().await;
            let path = begin(visit, 2).await;
            let mut made = 0;
            loop {
                // Without scripts, the page reloads itself.
                visit
                    .until("the own move, or the end", async || {
                        let text = visit.text().await;
                        ["Your move", "You won", "You lost"]
                            .iter()
                            .any(|headline| text.contains(headline))
                    })
                    .await;
                if visit.headline().await != "Your move" {
                    break;
                }
                assert_eq!(spots(visit).await, 2 + made);
                move_by_links(visit, &path).await;
                made += 1;
                assert!(made <= LONGEST);
                visit.swap();
            }
            let mut headlines = vec![visit.headline().await];
            visit.swap();
            headlines.push(visit.headline().await);
            headlines.sort();
            assert_eq!(headlines, ["You lost", "You won"]);
            assert!((4..=LONGEST).contains(&made), "{made}");
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn who_invites_keeps_the_seat_and_who_is_invited_sees_how_to_join() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.bring_another().await;
            visit.open("/board?spots=5&you=second").await;
            visit.until_there_is(".sheet .reply").await;
            visit.press("Invite somebody").await;
            visit.until_it_says("You are the second player.").await;
            assert_eq!(visit.headline().await, "Your move");
            let path = visit.path().await;
            visit.swap();
            devtools::show_on(&visit.client, PHONE, Scheme::Light).await;
            visit.open(&path).await;
            let join = "return document.querySelector('#join button').getBoundingClientRect().bottom <= innerHeight";
            assert_eq!(visit.ask(join).await, true);
            visit.press("Be the first player").await;
            visit.until_it_says("You are the first player.").await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_goes_on_after_a_fetch_that_failed() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.bring_another().await;
            begin(visit, 3).await;
            visit.swap();
            visit.until_it_says("Connected.").await;
            visit
                .ask(
                    "const fetch = window.fetch;
                     window.failed = 0;
                     window.fetch = (...all) => window.failed < 2 ? (window.failed += 1, Promise.reject(new TypeError())) : fetch(...all)",
                )
                .await;
            visit.swap();
            let line = first_line(visit).await;
            draw(visit, Pointer::Mouse, &line).await;
            visit
                .until("the own line", async || spots(visit).await == 4)
                .await;
            visit.swap();
            visit
                .until("the other's line", async || spots(visit).await == 4)
                .await;
            assert_eq!(visit.ask("return window.failed").await, 2);
            assert!(!told(visit).await.contains("does not answer"));
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_without_a_network_says_so_and_comes_back() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.bring_another().await;
            begin(visit, 3).await;
            visit.until_it_says("Your opponent is here.").await;
            for (offline, says) in [(true, "The connection is lost."), (false, "Connected.")] {
                devtools::go_offline(&visit.client, offline).await;
                visit.until_it_says(says).await;
            }
            visit.until_it_says("Your opponent is here.").await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn both_pages_say_who_resigned() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.bring_another().await;
            begin(visit, 3).await;
            visit
                .until("the other one", async || {
                    visit.headline().await == "Your move"
                })
                .await;
            visit.mark().await;
            visit.swap();
            visit.mark().await;
            visit.swap();
            // The first press only opens what resigns.
            visit.press("Resign").await;
            assert_eq!(visit.headline().await, "Your move");
            visit.press("Resign this match").await;
            visit
                .until_it_says("You resigned. The other player won.")
                .await;
            assert_eq!(visit.headline().await, "You lost");
            assert!(visit.is_marked().await, "the page was never loaded anew");
            visit.swap();
            visit
                .until_it_says("The other player resigned. You won.")
                .await;
            assert_eq!(visit.headline().await, "You won");
            assert!(visit.is_marked().await, "the page was never loaded anew");
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn each_page_says_whether_the_opponent_is_there() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.bring_another().await;
            let path = begin(visit, 3).await;
            for _ in 0..2 {
                visit.until_it_says("Your opponent is here.").await;
                visit.mark().await;
                visit.swap();
            }
            // The second player goes to another page.
            visit.swap();
            visit.open("/help").await;
            visit.swap();
            visit
                .until_it_says("Your opponent left less than a minute ago.")
                .await;
            // Two minutes later, without another word of the server.
            visit
                .ask("const now = Date.now; Date.now = () => now() + 120_000")
                .await;
            visit
                .until_it_says("Your opponent left 2 minutes ago.")
                .await;
            visit.swap();
            visit.open(&path).await;
            visit.mark().await;
            visit.swap();
            visit.until_it_says("Your opponent is here.").await;
            // While the connection is lost, nothing is said of the opponent.
            visit.fleet.kill(Part::Coordinator);
            visit.until_it_says("The connection is lost.").await;
            assert!(!visit.text().await.contains("Your opponent"));
            visit.fleet.start_again(Part::Coordinator);
            visit.fleet.wait_for_coordinator();
            for _ in 0..2 {
                visit.until_it_says("Your opponent is here.").await;
                assert!(visit.is_marked().await, "the page was never loaded anew");
                visit.swap();
            }
            // Who watches sees both.
            visit.client.delete_all_cookies().await.expect("deleted");
            visit.open(&path).await;
            visit.until_it_says("You watch.").await;
            visit.until_it_says("The second player is here.").await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_rematch_is_accepted_by_one_click() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.bring_another().await;
            let path = begin(visit, 2).await;
            visit
                .until("the other one", async || {
                    visit.headline().await == "Your move"
                })
                .await;
            visit.press("Resign").await;
            visit.press("Resign this match").await;
            visit.until_it_says("You resigned.").await;
            visit.press("Rematch").await;
            visit.until_it_says("You are the second player.").await;
            let new = visit.path().await;
            assert_ne!(new, path);
            visit.swap();
            // The offer appears by itself.
            visit
                .until_it_says("The other player offers a rematch")
                .await;
            let checker = std::env::var_os("SPROUTNET_AXE");
            let checker = checker.map(|file| fs::read_to_string(file).expect("a script"));
            look(visit, "match-two-rematch", checker.as_deref()).await;
            visit.press("Accept the rematch").await;
            visit.until_path(&new).await;
            visit.until_it_says("You are the first player.").await;
            assert_eq!(visit.headline().await, "Your move");
            let line = first_line(visit).await;
            draw(visit, Pointer::Mouse, &line).await;
            for _ in 0..2 {
                visit
                    .until("a line", async || spots(visit).await == 3)
                    .await;
                visit.swap();
            }
        },
    );
}
