//! The animation after a move: old lines bend from their old places to their new ones, and new lines are drawn.

use serde_json::Value;

use crate::devtools::{self, DESKTOP, Motion, Pointer, Scheme};
use crate::drawing::{draw, some_line};
use crate::processes::Fleet;
use crate::visit::{Visit, visit};

/// The script that keeps the points of each line, as the page's script compares them, and every later path of each
/// line.
const WATCH: &str = "
    const points = (path) => Array.from({ length: 28 }, (_, i) => {
      const { x, y } = path.getPointAtLength((path.getTotalLength() * i) / 27);
      return [x, y];
    });
    window.before = [...document.querySelectorAll('.sheet .line')].map(points);
    window.paths = [];
    const lines = () => [...document.querySelectorAll('.sheet .line')].map((path) => path.getAttribute('d'));
    let last = lines();
    new MutationObserver(() => {
      const now = lines();
      if (now.join() !== last.join()) window.paths.push(now);
      last = now;
    }).observe(document.querySelector('#match'), { subtree: true, childList: true, attributes: true });
";

/// The points of a path of straight lines.
fn corners(path: &str) -> Vec<(f64, f64)> {
    let corners = path.trim_start_matches('M').split('L').map(|corner| {
        let (x, y) = corner.split_once(' ').expect("two numbers");
        (x.parse().expect("a number"), y.parse().expect("a number"))
    });
    corners.collect()
}

/// The largest distance between points of two lines.
fn apart(one: &[(f64, f64)], other: &[(f64, f64)]) -> f64 {
    let pairs = one.iter().zip(other);
    let apart = pairs.map(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1));
    apart.fold(0.0, f64::max)
}

fn texts(of: &Value) -> Vec<String> {
    let list = of.as_array().expect("a list").iter();
    list.map(|text| text.as_str().expect("a text").to_owned())
        .collect()
}

fn points(of: &Value) -> Vec<(f64, f64)> {
    let list = of.as_array().expect("a list").iter();
    let at = |point: &Value, axis: usize| point[axis].as_f64().expect("a number");
    list.map(|point| (at(point, 0), at(point, 1))).collect()
}

/// Waits until nothing moves. The drawing of new lines takes longer than the bending of old ones.
async fn until_at_rest(visit: &Visit) {
    let ended = "return document.getAnimations().every((one) => one.playState === 'finished')";
    visit
        .until("the drawing at rest", async || {
            visit.ask(ended).await == true
        })
        .await;
}

/// Makes a move and waits for the solver's reply. Returns the old points of the lines, and all later paths of all
/// lines.
async fn reply(visit: &Visit, motion: Motion) -> (Vec<Vec<(f64, f64)>>, Vec<Vec<String>>) {
    devtools::show_on(&visit.client, DESKTOP, Scheme::Light).await;
    devtools::prefer(&visit.client, Scheme::Light, motion).await;
    visit.open("/board?spots=4&you=first&level=random").await;
    for pick in 0..2 {
        let (line, _) = some_line(visit, pick).await;
        if pick == 1 {
            until_at_rest(visit).await;
            visit.ask(WATCH).await;
        }
        let before = visit.path().await;
        draw(visit, Pointer::Mouse, &line).await;
        visit
            .until("a reply", async || visit.path().await != before)
            .await;
    }
    // The style sheet animates the reply line by line.
    let script = "return document.getAnimations().map((one) => one.animationName).sort()";
    let drawn = texts(&visit.ask(script).await);
    assert_eq!(
        drawn.contains(&"draw".to_owned()),
        motion == Motion::Full,
        "{drawn:?}"
    );
    until_at_rest(visit).await;
    let before = visit.ask("return window.before").await;
    let paths = visit.ask("return window.paths").await;
    let before = before.as_array().expect("a list").iter().map(points);
    let paths = paths.as_array().expect("a list").iter().map(texts);
    let (before, paths): (Vec<_>, Vec<Vec<String>>) = (before.collect(), paths.collect());
    // The final drawing is exactly the server's.
    let script = "return fetch(location.href).then((answer) => answer.text()).then((text) =>
        [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('.sheet .line')]
          .map((path) => path.getAttribute('d')))";
    assert_eq!(paths.last(), Some(&texts(&visit.ask(script).await)));
    (before, paths)
}

#[test]
#[ignore = "needs Chromium"]
fn lines_bend_from_the_old_drawing_to_the_new_one() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let (before, paths) = reply(visit, Motion::Full).await;
            assert!(paths.len() > 4, "{} frames", paths.len());
            let frames = &paths[..paths.len() - 1];
            for (line, old) in before.iter().enumerate() {
                let way: Vec<_> = frames.iter().map(|paths| corners(&paths[line])).collect();
                // 0.2 allows for the rounding of coordinates.
                assert!(apart(&way[0], old) < 0.2, "line {line} begins elsewhere");
                let end = &way[way.len() - 1];
                let left: Vec<f64> = way.iter().map(|points| apart(points, end)).collect();
                let comes_nearer = left.windows(2).all(|two| two[1] <= two[0] + 0.2);
                assert!(comes_nearer, "line {line}: {left:?}");
            }
            let first: Vec<_> = frames[0].iter().take(before.len()).collect();
            let last = paths.last().expect("frames");
            assert!(first.into_iter().zip(last).any(|(one, other)| one != other));
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn nothing_moves_for_those_who_prefer_that() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let (_, paths) = reply(visit, Motion::Reduced).await;
            assert_eq!(paths.len(), 1, "all lines changed at once");
        },
    );
}
