//! Positions drawn in the editor, with a mouse, a finger and the keyboard, and without scripts.

use std::fs;

use crate::accessible::look;
use crate::devtools::{self, DESKTOP, PHONE, Pointer, Scheme, Screen};
use crate::drawing::{draw, told};
use crate::gestures::on_screen;
use crate::hand::spots;
use crate::layout::LOW;
use crate::processes::Fleet;
use crate::visit::{Visit, visit, visit_without_scripts};

type Place = (f64, f64);

/// The places of the spots in a drawing of `0*3.AB|0.AB`: the first two on the loop, the third inside.
const SPOTS: [Place; 6] = [
    (300.0, 500.0),
    (700.0, 500.0),
    (500.0, 500.0),
    (150.0, 150.0),
    (850.0, 150.0),
    (500.0, 900.0),
];

const ENTER: &str = "\u{e007}";

/// Clicks at a place of the sheet.
async fn click(visit: &Visit, pointer: Pointer, place: Place) {
    draw(visit, pointer, &[place]).await;
}

/// The canonical text on the page; empty if there is none.
async fn canonical(visit: &Visit) -> String {
    match visit.all("#canonical").await.first() {
        Some(element) => element.text().await.unwrap_or_default(),
        None => String::new(),
    }
}

async fn until_it_is(visit: &Visit, text: &str) {
    visit
        .until(text, async || canonical(visit).await == text)
        .await;
}

async fn draw_a_position(visit: &Visit, screen: Screen, scheme: Scheme, pointer: Pointer) {
    devtools::show_on(&visit.client, screen, scheme).await;
    visit.open("/editor").await;
    visit.mark().await;
    for (i, spot) in SPOTS.into_iter().enumerate() {
        click(visit, pointer, spot).await;
        until_it_is(visit, ["0*1", "0*2", "0*3", "0*4", "0*5", "0*6"][i]).await;
    }
    draw(visit, pointer, &[SPOTS[0], (500.0, 250.0), SPOTS[1]]).await;
    until_it_is(visit, "0*4.11").await;
    draw(visit, pointer, &[SPOTS[1], (500.0, 750.0), SPOTS[0]]).await;
    until_it_is(visit, "0*3.AB|0.AB").await;
    assert!(visit.text().await.contains("the player to move"));
    // This line would cross the existing one.
    let before = visit.path().await;
    draw(visit, pointer, &[SPOTS[2], SPOTS[3]]).await;
    visit
        .until("a refusal", async || told(visit).await.contains("crosses"))
        .await;
    // The third line is drawn, the fourth is refused.
    draw(visit, pointer, &[SPOTS[0], SPOTS[3]]).await;
    visit
        .until("a line", async || {
            told(visit).await.contains("Spot 1 and spot 4")
        })
        .await;
    draw(visit, pointer, &[SPOTS[0], (200.0, 600.0), SPOTS[5]]).await;
    visit
        .until("a refusal", async || {
            told(visit).await.contains("Spot 1 has no room")
        })
        .await;
    visit.press("Undo").await;
    until_it_is(visit, "0*3.AB|0.AB").await;
    assert_eq!(visit.path().await, before);
    // A click selects a spot, which is then removed.
    click(visit, pointer, SPOTS[5]).await;
    visit.press("Remove spot 6").await;
    until_it_is(visit, "0*2.AB|0.AB").await;
    assert!(visit.is_marked().await, "the page was never loaded anew");
    // The address contains the drawing.
    visit.client.refresh().await.expect("loaded");
    assert_eq!(canonical(visit).await, "0*2.AB|0.AB");
    visit.client.back().await.expect("back");
    until_it_is(visit, "0*3.AB|0.AB").await;
}

#[test]
#[ignore = "needs Chromium"]
fn a_position_is_drawn_with_a_mouse() {
    visit(
        || Fleet::start_open(0),
        async |visit| draw_a_position(visit, DESKTOP, Scheme::Light, Pointer::Mouse).await,
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_position_is_drawn_with_a_finger() {
    visit(
        || Fleet::start_open(0),
        async |visit| draw_a_position(visit, PHONE, Scheme::Dark, Pointer::Finger).await,
    );
}

/// Follows the first link whose label starts with `name`.
async fn choose(visit: &Visit, name: &str) {
    let before = visit.path().await;
    let link = visit
        .element(&format!(".pick a[aria-label^='{name}']"))
        .await;
    link.send_keys(ENTER).await.expect("typed");
    visit
        .until(name, async || visit.path().await != before)
        .await;
}

/// Draws with the keyboard: three spots, and two lines between the first two.
async fn type_a_position(visit: &Visit) {
    visit.open("/editor").await;
    for text in ["0*1", "0*2", "0*3"] {
        choose(visit, "new spot").await;
        until_it_is(visit, text).await;
    }
    for lives in ["7", "5"] {
        choose(visit, "spot 1,").await;
        choose(visit, "join spot 1 and spot 2").await;
        if visit.has("#choice a").await {
            let way = visit.element("#choice a").await;
            way.send_keys(ENTER).await.expect("typed");
        }
        visit
            .until_it_says(&format!("{lives} in the drawing"))
            .await;
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_position_is_drawn_by_the_keyboard() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            type_a_position(visit).await;
            visit.mark().await;
            // Delete removes the focused element, Ctrl-Z restores it.
            let line = visit.element(".pick a[aria-label^='line']").await;
            line.send_keys("\u{e017}").await.expect("typed");
            visit.until_it_says("7 in the drawing").await;
            let spot = visit.element("#spot-1").await;
            spot.send_keys("\u{e009}z\u{e000}").await.expect("typed");
            visit.until_it_says("5 in the drawing").await;
            assert!(visit.is_marked().await, "the page was never loaded anew");
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_position_is_drawn_without_scripts() {
    visit_without_scripts(
        || Fleet::start_open(0),
        async |visit| {
            type_a_position(visit).await;
            visit.fill("text", "0*3.AB|0.AB").await;
            visit.press("Draw it").await;
            until_it_is(visit, "0*3.AB|0.AB").await;
            visit.fill("text", "0*x").await;
            visit.press("Draw it").await;
            visit.until_it_says("Column 3").await;
            assert_eq!(canonical(visit).await, "0*3.AB|0.AB");
            visit.follow("Play from here").await;
            visit.until_it_says("Your move").await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_editor_is_fit_for_all() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let checker = std::env::var_os("SPROUTNET_AXE");
            let checker = checker.map(|file| fs::read_to_string(file).expect("a script"));
            let checker = checker.as_deref();
            visit.open("/editor").await;
            look(visit, "editor", checker).await;
            visit.open("/editor?text=0*3.AB|0.AB").await;
            look(visit, "editor-position", checker).await;
            let here = visit.path().await;
            for (name, more) in [
                ("editor-spot", "spot=1"),
                ("editor-ways", "spot=1&to=1"),
                ("editor-line", "line=1"),
                ("editor-wrong", "text=0*x"),
            ] {
                visit.open(&format!("{here}?{more}")).await;
                look(visit, name, checker).await;
            }
            for (name, text) in [
                ("editor-sum", "1a1a.0%2B0*2%2B22.0}"),
                ("editor-large", "0*4.AB|0.1a1a.AC|0.BCD|2.D.0"),
                ("editor-many", "0*12"),
            ] {
                visit.open(&format!("/editor?text={text}")).await;
                look(visit, name, checker).await;
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn delete_removes_what_was_clicked() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, DESKTOP, Scheme::Light).await;
            for (text, spot) in [("0*4", 2), ("0*3.1a1a", 1), ("0*3.1a1a", 4)] {
                visit.open(&format!("/editor?text={text}")).await;
                let at = visit
                    .ask(&format!(
                        "const dot = document.querySelector('.sheet .dot[data-spot=\"{spot}\"]');
                         return [Number(dot.dataset.x), Number(dot.dataset.y)]"
                    ))
                    .await;
                let at = [0, 1].map(|axis| at[axis].as_f64().expect("a number"));
                click(visit, Pointer::Mouse, (at[0], at[1])).await;
                visit.until_it_says(&format!("Remove spot {spot}")).await;
                let focused = visit.client.active_element().await.expect("an element");
                focused.send_keys("\u{e017}").await.expect("typed");
                let removed = format!("Spot {spot} was removed.");
                visit
                    .until(&removed, async || told(visit).await == removed)
                    .await;
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn crosses_are_put_by_click_and_by_key() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, DESKTOP, Scheme::Light).await;
            visit.open("/editor").await;
            visit.mark().await;
            visit.follow("a cross").await;
            visit.until_it_says("free place for a new cross").await;
            click(visit, Pointer::Mouse, (300.0, 500.0)).await;
            until_it_is(visit, "brussels:x").await;
            choose(visit, "new cross").await;
            until_it_is(visit, "brussels:x*2").await;
            visit.press("Undo").await;
            until_it_is(visit, "brussels:x").await;
            visit.follow("a spot").await;
            visit.until_it_says("free place for a new spot").await;
            click(visit, Pointer::Mouse, (700.0, 500.0)).await;
            until_it_is(visit, "mixed:0.x").await;
            // A line from the spot to the right end of the cross.
            draw(visit, Pointer::Mouse, &[(700.0, 500.0), (356.0, 500.0)]).await;
            visit.until_it_says("were joined").await;
            assert!(visit.is_marked().await, "the page was never loaded anew");
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_sheet_of_the_editor_stays_under_the_hand() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for (screen, pointer) in [
                (LOW, Pointer::Mouse),
                (DESKTOP, Pointer::Mouse),
                (PHONE, Pointer::Finger),
            ] {
                devtools::show_on(&visit.client, screen, Scheme::Light).await;
                visit.open("/editor").await;
                let top = "return Math.round(document.querySelector('.pick').getBoundingClientRect().top)";
                let at_first = visit.ask(top).await;
                let mut places = Vec::new();
                for place in [(300.0, 300.0), (700.0, 300.0), (500.0, 700.0)] {
                    places.push(on_screen(visit, place).await);
                }
                for (i, &place) in places.iter().enumerate() {
                    devtools::drag(&visit.client, pointer, &[place]).await;
                    visit
                        .until("a spot", async || spots(visit).await.len() == i + 1)
                        .await;
                    assert_eq!(visit.ask(top).await, at_first, "{}: {i}", screen.name);
                }
                devtools::drag(&visit.client, pointer, &places[..1]).await;
                visit.until_there_is("#spot-1.chosen").await;
                assert_eq!(visit.ask(top).await, at_first, "{}: chosen", screen.name);
                devtools::drag(&visit.client, pointer, &places[1..2]).await;
                visit.until_it_says("Spot 1 and spot 2 were joined").await;
                assert_eq!(visit.ask(top).await, at_first, "{}: joined", screen.name);
            }
        },
    );
}
