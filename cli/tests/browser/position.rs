//! The page of a position.

use crate::processes::Fleet;
use crate::visit::{Visit, visit, visit_without_scripts};

/// The paths of the links in a part of the page, without queries.
async fn paths(visit: &Visit, selector: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for link in visit.all(selector).await {
        let path = link.attr("href").await.expect("an element");
        let path = path.expect("a link");
        paths.push(path.split('?').next().expect("a path").to_owned());
    }
    paths
}

/// Follows moves from a position to the end of the game.
async fn play_on(visit: &Visit) {
    visit.open("/positions/0*8").await;
    let text = visit.text().await;
    assert!(
        text.contains("Under normal play the player to move loses."),
        "{text}"
    );
    visit.element("figure.drawing svg").await;
    let moves = "#moves a.small-board";
    for _ in 0..3 * 8 {
        let ways = paths(visit, moves).await;
        assert!(ways.iter().all(|way| way.starts_with("/positions/")));
        if ways.is_empty() {
            break;
        }
        // Clicks the drawing of the move, as a user of a touch screen does.
        visit.follow_element(&format!("{moves} img")).await;
    }
    visit.until_it_says("Nothing is left to play.").await;
    visit.until_it_says("the game is over").await;
}

#[test]
#[ignore = "needs Chromium"]
fn one_goes_on_by_the_drawings_to_the_end() {
    visit(|| Fleet::start_open(0), async |visit| play_on(visit).await);
}

#[test]
#[ignore = "needs Chromium"]
fn one_goes_on_by_the_drawings_without_scripts() {
    visit_without_scripts(|| Fleet::start_open(0), async |visit| play_on(visit).await);
}

#[test]
#[ignore = "needs Chromium"]
fn a_line_leads_to_the_end() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.open("/positions/0*4").await;
            let line = paths(visit, "#line a.small-board").await;
            let end = line.last().expect("a line");
            visit.open(end).await;
            visit.until_it_says("Nothing is left to play.").await;
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_solved_from_its_page_appears_there() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            visit.open("/positions/0*16").await;
            visit.press("Solve it").await;
            visit.until_path("/computations/1").await;
            visit.press("0*16").await;
            visit.until_it_says("It is being solved").await;
            visit.mark().await;
            visit.fleet.join();
            visit.until_it_says("Solved here").await;
            assert!(visit.is_marked().await);
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn no_text_in_a_picture_is_larger_than_the_heading() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for position in ["surfaces:0*3@1", "switching:gale(2)%2Fshort", "nim:3"] {
                visit.open(&format!("/positions/{position}")).await;
                let sizes = visit
                    .ask(
                        "const size = (element) => parseFloat(getComputedStyle(element).fontSize);
                         const picture = document.querySelector('.drawing svg');
                         const texts = [...picture.querySelectorAll('text')].map(size);
                         const heading = size(document.querySelector('h1 .position'));
                         return [heading, Math.max(...texts) * picture.getScreenCTM().a]",
                    )
                    .await;
                let [heading, text] = [0, 1].map(|i| sizes[i].as_f64().expect("a size"));
                assert!(text <= heading, "{position}: {sizes}");
            }
        },
    );
}
