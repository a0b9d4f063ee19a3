//! Sizes and places on screens of several sizes.

use crate::devtools::{self, DESKTOP, PHONE, Scheme, Screen, WIDE};
use crate::processes::Fleet;
use crate::visit::visit;

/// A laptop, whose board is small because its screen is low.
pub(crate) const LOW: Screen = Screen {
    name: "low",
    width: 1280,
    height: 720,
};

#[test]
#[ignore = "needs Chromium"]
fn numbers_in_spots_can_be_read_and_fit() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for screen in [LOW, DESKTOP, PHONE] {
                devtools::show_on(&visit.client, screen, Scheme::Light).await;
                // Spot 1 is grey after three lines.
                visit.open("/board?spots=12&you=both").await;
                for to in [2, 3, 4] {
                    let next = format!("{}&spot=1&to={to}&way=0", visit.path().await);
                    visit.open(&next).await;
                }
                let sizes = "
                    const scale = document.querySelector('.sheet').getScreenCTM().a;
                    return [...document.querySelectorAll('.sheet .dot')].map((dot) => {
                      const [circle, text] = [dot.querySelector('circle'), dot.querySelector('text')];
                      const size = parseFloat(getComputedStyle(text).fontSize);
                      // Digits are about 0.72 of the font size high.
                      const corner = Math.hypot(text.getBBox().width / 2, 0.36 * size);
                      return [dot.dataset.lives, size * scale, corner / parseFloat(getComputedStyle(circle).r)];
                    })";
                let sizes = visit.ask(sizes).await;
                let sizes = sizes.as_array().expect("sizes");
                assert_eq!(sizes.len(), 15);
                assert!(sizes.iter().any(|of| of[0] == "0"), "{sizes:?}");
                for of in sizes {
                    let least = if of[0] == "0" { 8.0 } else { 10.0 };
                    let [size, part] = [1, 2].map(|i| of[i].as_f64().expect("a number"));
                    assert!(size >= least && part < 1.1, "{}: {of}", screen.name);
                }
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn discs_do_not_overlap_on_a_small_board() {
    // The spots that each move joins. At the end, large discs of two spots would overlap.
    let joined = [
        [6, 4],
        [3, 3],
        [6, 5],
        [2, 10],
        [8, 4],
        [12, 2],
        [2, 6],
        [9, 7],
        [11, 1],
        [7, 15],
        [3, 16],
        [4, 13],
        [19, 1],
        [18, 20],
        [1, 7],
        [21, 17],
    ];
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, PHONE, Scheme::Light).await;
            visit.open("/board?spots=7&you=both").await;
            for [spot, to] in joined {
                let next = format!("{}&spot={spot}&to={to}&way=0", visit.path().await);
                visit.open(&next).await;
            }
            let discs = "
                return [...document.querySelectorAll('.sheet .dot')].map((dot) => {
                  const radius = parseFloat(getComputedStyle(dot.querySelector('circle')).r);
                  return [Number(dot.dataset.x), Number(dot.dataset.y), radius];
                })";
            let discs = visit.ask(discs).await;
            let discs: Vec<[f64; 3]> = serde_json::from_value(discs).expect("discs");
            assert_eq!(discs.len(), 23);
            let mut nearest = f64::INFINITY;
            for (i, a) in discs.iter().enumerate() {
                for b in &discs[..i] {
                    let apart = (a[0] - b[0]).hypot(a[1] - b[1]);
                    assert!(apart > a[2] + b[2], "{a:?} {b:?}");
                    nearest = nearest.min(apart);
                }
            }
            // Twice the radius of the largest disc.
            assert!(
                nearest < 52.0,
                "the match has no two spots whose large discs would overlap"
            );
            let largest = discs.iter().map(|disc| disc[2]).fold(0.0, f64::max);
            assert!(
                largest > 21.0,
                "no disc is larger than on a large board: {largest}"
            );
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_hint_of_a_form_is_one_paragraph_and_the_help_fills_the_screen() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let height = async |selector: &str| {
                let script = format!(
                    "return document.querySelector('{selector}').getBoundingClientRect().height"
                );
                visit.ask(&script).await.as_f64().expect("a height")
            };
            devtools::show_on(&visit.client, WIDE, Scheme::Light).await;
            for (page, hint) in [("/", "#position-help"), ("/editor", "#text-help")] {
                visit.open(page).await;
                let height = height(hint).await;
                assert!(height < 110.0, "{page}: {height}");
            }
            visit.open("/help").await;
            // The contents stand beside the text, which is as large as elsewhere.
            let beside = "const box = (selector) => document.querySelector(selector).getBoundingClientRect();
                          const size = getComputedStyle(document.querySelector('.guide p')).fontSize;
                          return [box('.guide > nav').right < box('#rules').left, box('.guide').width > 1000, size]";
            let beside = visit.ask(beside).await;
            assert_eq!(beside, serde_json::json!([true, true, "16px"]));
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_board_stays_in_its_place_when_a_spot_is_chosen() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let top = "return Math.round(document.querySelector('.board').getBoundingClientRect().top + scrollY)";
            for screen in [LOW, DESKTOP, PHONE] {
                devtools::show_on(&visit.client, screen, Scheme::Light).await;
                visit.open("/board?spots=5&you=both").await;
                let at_first = visit.ask(top).await;
                let way = format!("{}&spot=1&to=2&way=0", visit.path().await);
                visit.open(&way).await;
                assert_eq!(visit.ask(top).await, at_first, "{}", screen.name);
                let chosen = format!("{}&spot=3", visit.path().await);
                visit.open(&chosen).await;
                visit.until_there_is(".pick .chosen").await;
                assert_eq!(visit.ask(top).await, at_first, "{}", screen.name);
                let room = "const height = (e) => e.getBoundingClientRect().height;
                            return height(document.querySelector('.messages')) - height(document.querySelector('.prompt'))";
                let room = visit.ask(room).await.as_f64();
                assert!(
                    room.is_some_and(|room| room < 60.0),
                    "{}: {room:?}",
                    screen.name
                );
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn on_a_phone_the_board_is_seen_after_a_hint_and_after_a_move_is_taken_back() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, PHONE, Scheme::Light).await;
            visit.open("/board?spots=5&you=both").await;
            let moved = format!("{}&spot=1&to=2&way=0", visit.path().await);
            visit.open(&moved).await;
            let board =
                "const { top, bottom } = document.querySelector('.board').getBoundingClientRect();
                         return top >= 0 && bottom <= innerHeight";
            for (name, shown) in [("Hint", ".pick .hint"), ("Take back", "#sheet-0")] {
                let to_end = "const [button] = [...document.querySelectorAll('.buttons a')].filter((a) => a.textContent === NAME);
                              scrollBy(0, button.getBoundingClientRect().bottom - 60)";
                let to_end = to_end.replace("NAME", &format!("'{name}'"));
                visit.ask(&to_end).await;
                assert_eq!(visit.ask(board).await, false, "{name}: before");
                visit.press(name).await;
                visit.until_there_is(shown).await;
                visit
                    .until(name, async || visit.ask(board).await == true)
                    .await;
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_board_fits_a_low_screen_and_is_larger_on_a_wide_one() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let mut sizes = Vec::new();
            for screen in [LOW, WIDE] {
                devtools::show_on(&visit.client, screen, Scheme::Light).await;
                visit.open("/board?spots=5&you=both").await;
                let board =
                    "const board = document.querySelector('.board').getBoundingClientRect();
                             return [board.width, board.top + scrollY, board.bottom + scrollY]";
                let board = visit.ask(board).await;
                let [size, top, bottom] = [0, 1, 2].map(|i| board[i].as_f64().expect("a length"));
                let fits = top > 0.0 && bottom <= f64::from(screen.height);
                assert!(fits, "{}: {board}", screen.name);
                sizes.push(size);
            }
            assert!(sizes[1] > 1.3 * sizes[0], "{sizes:?}");
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn words_of_the_api_are_not_broken() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for screen in [PHONE, DESKTOP] {
                devtools::show_on(&visit.client, screen, Scheme::Light).await;
                visit.open("/api").await;
                let broken = "
                    const words = document.querySelectorAll('.list tbody th > code, .list .word');
                    return [...words].filter((word) => {
                      const range = document.createRange();
                      range.selectNodeContents(word);
                      return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8))).size > 1;
                    }).map((word) => word.textContent)";
                let broken = visit.ask(broken).await;
                assert_eq!(
                    broken.as_array().map(Vec::len),
                    Some(0),
                    "{}: {broken}",
                    screen.name
                );
                let wide = "return document.documentElement.scrollWidth <= innerWidth";
                assert_eq!(visit.ask(wide).await, true, "{}", screen.name);
                visit
                    .ask("document.querySelector('a[href=\"#of-positions\"]').click()")
                    .await;
                let seen = "return Math.round(document.querySelector('#of-positions').getBoundingClientRect().top)";
                visit
                    .until("the topic", async || {
                        visit
                            .ask(seen)
                            .await
                            .as_i64()
                            .is_some_and(|top| (-2..600).contains(&top))
                    })
                    .await;
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn the_forms_of_the_board_fit_their_frames() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for screen in [PHONE, LOW] {
                devtools::show_on(&visit.client, screen, Scheme::Light).await;
                visit.open("/board").await;
                let outside = "
                    return [...document.querySelectorAll('.begin')].flatMap((form) => {
                      const frame = form.getBoundingClientRect();
                      const boxes = [...form.children].map((child) => child.getBoundingClientRect());
                      const cross = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
                      // A number is asked for in a field of the same width in each form.
                      const wide = [...form.querySelectorAll('.field')].map((field) => field.getBoundingClientRect().width);
                      return [
                        ...boxes.filter((box) => box.left < frame.left || box.right > frame.right + 1),
                        ...boxes.filter((a, i) => boxes.slice(i + 1).some((b) => cross(a, b))),
                        ...wide.filter((width) => width < 100),
                      ];
                    })";
                let outside = visit.ask(outside).await;
                assert_eq!(
                    outside.as_array().map(Vec::len),
                    Some(0),
                    "{}: {outside}",
                    screen.name
                );
            }
        },
    );
}
