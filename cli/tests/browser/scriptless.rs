//! The pages work without scripts.

use crate::processes::Fleet;
use crate::visit::visit_without_scripts;

#[test]
#[ignore = "needs Chromium"]
fn a_position_is_solved_without_scripts() {
    visit_without_scripts(
        || Fleet::start_open(1),
        async |visit| {
            visit.open("/").await;
            assert!(!visit.has(".live-status:not([hidden])").await);
            visit.fill("position", "0*8").await;
            visit.press("Solve").await;
            visit.until_path("/computations/1").await;
            // The page reloads itself.
            visit.until_it_says("A loss for the player to move").await;
            visit.open("/").await;
            let cell = "a.start[title='0*8, normal: loss for the player to move, solved here']";
            visit.element(cell).await;
        },
    );
}
