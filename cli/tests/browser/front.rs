//! The front page: its content, and its updates.

use crate::processes::{Fleet, worker_name};
use crate::visit::visit;

#[test]
#[ignore = "needs Chromium"]
fn a_worker_that_joins_appears() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.open("/").await;
            let text = visit.text().await;
            for part in ["Normal play", "Misère play", "Cores", "Fleet"] {
                assert!(text.contains(part), "{part}: {text}");
            }
            assert!(text.contains("No worker is connected."), "{text}");
            for table in ["#outcomes-normal", "#outcomes-misere"] {
                visit.element(&format!("{table} td a.start")).await;
            }
            visit.mark().await;
            visit.fleet.join();
            visit.until_it_says(&worker_name(0)).await;
            assert!(visit.is_marked().await);
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_solved_appears_in_the_tables() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.open("/").await;
            visit.fill("position", "0*8").await;
            visit
                .element("input[name=play][value=both]")
                .await
                .click()
                .await
                .expect("chosen");
            visit.press("Solve").await;
            visit.until_path("/").await;
            let cell =
                |play: &str, end: &str| format!("a.start[title^='0*8, {play}'][title$='{end}']");
            for play in ["normal", "misère"] {
                visit.until_there_is(&cell(play, "in progress")).await;
            }
            visit.mark().await;
            visit.fleet.join();
            for play in ["normal", "misère"] {
                visit.until_there_is(&cell(play, "solved here")).await;
            }
            assert!(visit.is_marked().await);
        },
    );
}
