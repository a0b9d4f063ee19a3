//! The page of a computation.

use crate::processes::Fleet;
use crate::visit::visit;

/// A position that is not solved during a test.
const LONG: &str = "0*40";

#[test]
#[ignore = "needs Chromium"]
fn a_computation_is_watched_paused_resumed_and_cancelled() {
    visit(
        || Fleet::start_open(1),
        async |visit| {
            visit.open("/").await;
            visit.fill("position", LONG).await;
            visit.press("Solve").await;
            visit.until_path("/computations/1").await;
            visit.mark().await;
            for plot in ["numbers", "rate", "records"] {
                let curve = format!("#plot-{plot} path.curve");
                visit.until_there_is(&curve).await;
            }
            visit.until_it_says("In progress for").await;
            assert!(visit.is_marked().await, "the plots came without a reload");
            visit.press("Pause").await;
            visit.until_it_says("Paused after").await;
            visit.press("Resume").await;
            visit.until_it_says("In progress").await;
            visit.press("Cancel").await;
            visit.until_it_says("Cancelled after").await;
            visit.press("Resume").await;
            visit.until_it_says("In progress").await;
            assert_eq!(visit.path().await, "/computations/1");
        },
    );
}
