//! The front page: its content, and its updates.

use crate::devtools::{self, PHONE, Scheme};
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

#[test]
#[ignore = "needs Chromium"]
fn on_a_phone_the_head_is_one_row_and_all_its_links_are_reached() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            devtools::show_on(&visit.client, PHONE, Scheme::Light).await;
            visit.open("/board").await;
            let height = visit
                .ask("return document.querySelector('.top').getBoundingClientRect().height")
                .await;
            let is_low = height.as_f64().is_some_and(|height| height < 64.0);
            assert!(is_low, "{height}");
            visit.follow("Help").await;
            visit.until_path("/help").await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_is_painted_without_another_request() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for path in ["/", "/board/5?you=both", "/help", "/nothing"] {
                visit.open(path).await;
                let styled = "return getComputedStyle(document.querySelector('.skip')).position";
                assert_eq!(visit.ask(styled).await, "absolute", "{path}");
                let blocking = "return performance.getEntriesByType('resource')
                                  .filter((of) => of.renderBlockingStatus === 'blocking').map((of) => of.name)";
                let blocking = visit.ask(blocking).await;
                assert_eq!(
                    blocking.as_array().map(Vec::len),
                    Some(0),
                    "{path}: {blocking}"
                );
            }
        },
    );
}
