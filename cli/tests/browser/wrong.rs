//! Errors on the pages.

use crate::processes::Fleet;
use crate::visit::visit;

#[test]
#[ignore = "needs Chromium"]
fn what_is_no_position_is_shown_with_the_column() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for button in ["Solve", "Look it up"] {
                visit.open("/").await;
                visit.fill("position", "0*x").await;
                visit.press(button).await;
                visit.until_it_says("Not a position").await;
                assert_eq!(visit.status().await, 400, "{button}");
                let asked = visit.element("pre.asked").await;
                let asked = asked.prop("textContent").await.expect("asked");
                assert_eq!(asked.as_deref(), Some("0*x\n  ^"), "{button}");
                let field = visit.element("input[name=position]").await;
                let typed = field.prop("value").await.expect("asked");
                assert_eq!(typed.as_deref(), Some("0*x"), "it can be corrected");
            }
        },
    );
}

#[test]
#[ignore = "needs Chromium"]
fn unknown_paths_lead_back() {
    visit(
        || Fleet::start_open(0),
        async |visit| {
            for path in ["/nothing", "/computations/7", "/computations/x"] {
                visit.open(path).await;
                assert_eq!(visit.status().await, 404, "{path}");
                visit.until_it_says("Not found").await;
                visit.press("To the tables").await;
                visit.until_path("/").await;
            }
        },
    );
}
