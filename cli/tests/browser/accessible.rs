//! Accessibility of the pages on all screens: checked by axe-core if it is given, and kept as pictures for a person to
//! look at.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use fantoccini::Client;
use serde_json::Value;

use crate::devtools::{self, DESKTOP, PHONE, Scheme};
use crate::keyboard::type_a_match;
use crate::processes::Fleet;
use crate::visit::{Visit, visit};

/// The script that runs the injected axe-core, and returns its findings.
const CHECK: &str = "
    const done = arguments[arguments.length - 1];
    const rules = { type: 'tag', values: ['wcag2a', 'wcag2aa'] };
    axe.run(document, { runOnly: rules, resultTypes: ['violations'] }).then(
        (found) => done(found.violations.map((v) => [v.id, v.help, v.nodes.map((n) => n.html)])),
        (error) => done([['failed', String(error), []]]),
    );
";

/// The source of axe-core; `None` if `SPROUTNET_AXE` is not set.
pub(crate) fn checker() -> Option<String> {
    let file = std::env::var_os("SPROUTNET_AXE")?;
    Some(fs::read_to_string(file).expect("axe.min.js can be read"))
}

/// The folder for pictures.
fn pictures() -> PathBuf {
    let given = std::env::var_os("SPROUTNET_SCREENSHOTS").map(PathBuf::from);
    let folder = given.unwrap_or_else(|| {
        let program = Path::new(env!("CARGO_BIN_EXE_sproutnet"));
        let target = program.ancestors().nth(2).expect("the target folder");
        target.join("screenshots")
    });
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Checks the page that a visit shows on each screen and in each scheme.
pub(crate) async fn look(visit: &Visit, name: &str, checker: Option<&str>) {
    look_at(&visit.client, name, checker).await;
}

/// Checks the shown page on each screen and in each scheme.
pub(crate) async fn look_at(client: &Client, name: &str, checker: Option<&str>) {
    for screen in [PHONE, DESKTOP] {
        for scheme in [Scheme::Light, Scheme::Dark] {
            devtools::show_on(client, screen, scheme).await;
            let what = format!("{name}-{}-{}", screen.name, scheme.name());
            let widths = "return [document.documentElement.scrollWidth, window.innerWidth]";
            let widths = client.execute(widths, Vec::new()).await.expect("an answer");
            let width = u64::from(screen.width);
            assert!(
                widths[0].as_u64() <= Some(width) && widths[1].as_u64() <= Some(width),
                "{what} is wider than the screen: {widths}"
            );
            let picture = devtools::picture(client, screen, scheme).await;
            fs::write(pictures().join(format!("{what}.png")), picture).expect("written");
            if let Some(checker) = checker {
                check(client, &what, checker).await;
            }
        }
    }
}

async fn check(client: &Client, what: &str, checker: &str) {
    let injected = client.execute(checker, Vec::new()).await;
    injected.expect("the checker is there");
    let found = client.execute_async(CHECK, Vec::new()).await;
    let found = found.expect("the checker ends");
    let found = found.as_array().expect("a list");
    let told: Vec<String> = found.iter().map(Value::to_string).collect();
    assert!(told.is_empty(), "{what}:\n{}", told.join("\n"));
}

/// The names and paths of the pages to check, after some computations.
const PAGES: [(&str, &str); 21] = [
    ("front", "/"),
    ("computation", "/computations/1"),
    ("solved", "/computations/2"),
    ("position", "/positions/0*5"),
    ("position-open", "/positions/0*40"),
    ("position-end", "/positions/!"),
    ("help", "/help"),
    ("fleet", "/fleet"),
    ("api", "/api"),
    ("references", "/references"),
    ("audit log", "/audit-log"),
    ("play", "/board"),
    ("board", "/board/3?you=first&show=hint"),
    ("board-ways", "/board/3?you=both&spot=1&to=1"),
    ("board-from-position", "/board?position=0.1a1a&you=first"),
    ("lesson", "/lesson/2"),
    ("puzzles", "/puzzles"),
    ("puzzle", "/puzzles/easy-1"),
    ("puzzles-to-print", "/puzzles/sheet?level=easy"),
    ("missing", "/nothing"),
    ("no-position", "/positions?position=0*x"),
];

#[test]
#[ignore = "needs Chromium"]
fn pages_are_fit_for_all() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let checker = checker();
            let checker = checker.as_deref();
            if checker.is_none() {
                let _ = writeln!(
                    std::io::stderr(),
                    "not checked by axe-core: SPROUTNET_AXE names no axe.min.js"
                );
            }
            visit.open("/").await;
            look(visit, "front-idle", checker).await;
            visit.fleet.join();
            for position in ["0*40", "0*12"] {
                visit.open("/").await;
                visit.fill("position", position).await;
                visit.press("Solve").await;
                visit.until_it_says(position).await;
            }
            visit.until_it_says("A loss for the player to move").await;
            visit.open("/computations/1").await;
            visit.until_there_is("#plot-rate path.curve").await;
            for (name, path) in PAGES {
                visit.open(path).await;
                look(visit, name, checker).await;
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_finished_match_and_its_review_are_fit_for_all() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            let checker = checker();
            let checker = checker.as_deref();
            type_a_match(visit, false).await;
            let path = visit.path().await;
            for (people, name) in [
                ("both", "board-over"),
                ("second", "board-over-against-solver"),
            ] {
                visit
                    .open(&path.replace("you=both", &format!("you={people}")))
                    .await;
                visit.until_there_is(".board.over").await;
                look(visit, name, checker).await;
            }
            visit.open(&path).await;
            visit.follow("Review it move by move").await;
            assert_eq!(visit.headline().await, "Review");
            look(visit, "review", checker).await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn signing_in_is_fit_for_all() {
    visit(
        || Fleet::start(0),
        async |visit| {
            visit.open("/").await;
            let checker = checker();
            look(visit, "sign-in", checker.as_deref()).await;
            visit.fill("token", "not-the-token-at-all").await;
            visit.press("Sign in").await;
            visit.until_it_says("That is not the token.").await;
            look(visit, "sign-in-wrong", checker.as_deref()).await;
        },
    );
}
