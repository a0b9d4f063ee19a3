//! What a press on the board means: a tap, a line, or a scroll of the page.

use crate::devtools::{self, DESKTOP, PHONE, Pointer, Scheme, Screen};
use crate::drawing::{Place, draw, told};
use crate::hand::spots;
use crate::processes::Fleet;
use crate::visit::{Visit, visit};

/// Opens a match between two people on a screen.
async fn open_match(visit: &Visit, screen: Screen) {
    devtools::show_on(&visit.client, screen, Scheme::Light).await;
    visit.open("/board?spots=5&you=both").await;
}

/// The place on the screen of a place on the sheet.
pub(crate) async fn on_screen(visit: &Visit, (x, y): Place) -> Place {
    let script = format!(
        "const m = document.querySelector('.pick').getScreenCTM();
         return [{x} * m.a + m.e, {y} * m.a + m.f]"
    );
    let at = visit.ask(&script).await;
    (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"))
}

/// The places of a drag along straight lines, at most 8 pixels apart.
fn along(corners: &[Place]) -> Vec<Place> {
    let mut way = vec![corners[0]];
    for pair in corners.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let parts = (dx.hypot(dy) / 8.0).ceil().max(1.0);
        way.extend((1..=parts as usize).map(|i| {
            let part = i as f64 / parts;
            (pair[0].0 + dx * part, pair[0].1 + dy * part)
        }));
    }
    way
}

#[test]
#[ignore = "needs Chromium"]
fn a_tap_that_wobbles_chooses_its_spot() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for (screen, pointer, wobbles) in [
                (DESKTOP, Pointer::Mouse, &[0.0, 9.0, 14.0][..]),
                (DESKTOP, Pointer::Pen, &[9.0, 21.0]),
                (PHONE, Pointer::Finger, &[0.0, 9.0, 16.0, 21.0]),
            ] {
                for &wobble in wobbles {
                    open_match(visit, screen).await;
                    let at = spots(visit).await[1];
                    let (x, y) = on_screen(visit, at).await;
                    let back = (x + 2.0, y - 1.0);
                    let way = along(&[(x, y), (x + wobble, y), (x + wobble / 2.0, y + 3.0), back]);
                    devtools::drag(&visit.client, pointer, &way).await;
                    visit.until_there_is("#spot-2.chosen").await;
                    assert_eq!(told(visit).await, "", "{pointer:?}: {wobble}");
                    assert_eq!(spots(visit).await.len(), 5, "{pointer:?}: {wobble}");
                }
            }
            // A loop that is meant is larger.
            open_match(visit, DESKTOP).await;
            let (x, y) = spots(visit).await[1];
            let to = [
                (0.0, 0.0),
                (-90.0, 60.0),
                (0.0, 140.0),
                (90.0, 60.0),
                (0.0, 0.0),
            ];
            let line = to.map(|(dx, dy)| (x + dx, y + dy));
            draw(visit, Pointer::Mouse, &line).await;
            visit.until_it_says("drew a loop at spot 2").await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn on_a_phone_a_swipe_on_empty_paper_scrolls_and_a_line_up_is_drawn() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, PHONE, Scheme::Light).await;
            for page in [
                "/",
                "/board?spots=5&you=both",
                "/lesson/1",
                "/editor?text=0*5",
            ] {
                visit.open(page).await;
                visit
                    .ask(
                        "window.cancelled = 0;
                         addEventListener('pointercancel', () => window.cancelled += 1);
                         document.querySelector('.pick').scrollIntoView({ block: 'center' })",
                    )
                    .await;
                let before = visit.ask("return scrollY").await.as_f64();
                let empty = visit
                    .ask(
                        "const dots = [...document.querySelectorAll('.sheet .dot')];
                         const away = ([x, y]) => Math.min(...dots.map((d) => Math.hypot(d.dataset.x - x, d.dataset.y - y)));
                         const places = Array.from({ length: 81 }, (_, i) => [150 + 90 * (i % 9), 150 + 90 * Math.floor(i / 9)]);
                         return places.sort((a, b) => away(b) - away(a))[0]",
                    )
                    .await;
                let empty = (empty[0].as_f64().expect("x"), empty[1].as_f64().expect("y"));
                let (x, y) = on_screen(visit, empty).await;
                let swipe = along(&[(x, y), (x, y - 150.0)]);
                devtools::drag(&visit.client, Pointer::Finger, &swipe).await;
                visit
                    .until("scrolled", async || {
                        visit.ask("return scrollY").await.as_f64() > before.map(|at| at + 40.0)
                    })
                    .await;
                assert_eq!(visit.ask("return window.cancelled").await, 1, "{page}");
                visit
                    .until("at rest", async || {
                        let before = visit.ask("return scrollY").await;
                        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
                        visit.ask("return scrollY").await == before
                    })
                    .await;
                // From the lowest spot straight up to another.
                let mut places = spots(visit).await;
                places.sort_by(|a, b| b.1.total_cmp(&a.1));
                let slope = |to: &Place| (to.0 - places[0].0).abs() / (places[0].1 - to.1).max(1.0);
                let up = places[1..]
                    .iter()
                    .min_by(|a, b| slope(a).total_cmp(&slope(b)));
                let up = *up.expect("another spot");
                draw(visit, Pointer::Finger, &[places[0], up]).await;
                visit
                    .until("a line", async || visit.has(".sheet .line").await)
                    .await;
                if page != "/" {
                    assert_eq!(visit.ask("return window.cancelled").await, 1, "{page}");
                }
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_refused_line_is_seen_for_a_while() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            open_match(visit, DESKTOP).await;
            let places = spots(visit).await;
            draw(visit, Pointer::Mouse, &[places[0], places[2]]).await;
            visit
                .until("a line", async || visit.has(".sheet .line").await)
                .await;
            let places = spots(visit).await;
            for (line, why, has_ring) in [
                (
                    &[places[1], places[0], places[4]][..],
                    "runs over spot 1",
                    false,
                ),
                (&[places[1], (1090.0, 300.0)], "leaves the sheet", false),
                (&[places[1], places[4]], "crosses the one between", true),
            ] {
                draw(visit, Pointer::Mouse, line).await;
                visit
                    .until("a refusal", async || told(visit).await.contains(why))
                    .await;
                let long = "return document.querySelector('.pick.refused .ghost').getTotalLength()";
                let long = visit.ask(long).await;
                assert!(
                    long.as_f64().is_some_and(|long| long > 100.0),
                    "{why}: {long}"
                );
                let way = "return document.querySelector('.pick.refused .ghost').getAttribute('d')";
                let way = visit.ask(way).await;
                let is_ring = |way: &str| way.contains("a22 22 0 1 0 44 0");
                assert_eq!(way.as_str().is_some_and(is_ring), has_ring, "{why}: {way}");
                visit
                    .until("no line", async || !visit.has(".pick.refused").await)
                    .await;
                let left = "return document.querySelector('.ghost').getAttribute('d')";
                assert_eq!(visit.ask(left).await, "M0 0");
                assert!(told(visit).await.contains(why), "the reason stays");
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_stroke_from_empty_paper_is_answered() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for (screen, pointer) in [(DESKTOP, Pointer::Mouse), (PHONE, Pointer::Finger)] {
                open_match(visit, screen).await;
                draw(visit, pointer, &[(400.0, 512.0), (650.0, 520.0)]).await;
                visit.until_it_says("A line begins at a spot.").await;
                assert!(!visit.has(".sheet .line").await);
            }
        },
    );
}
