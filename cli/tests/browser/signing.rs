//! Signing in, where the coordinator asks for a token.

use crate::processes::{Fleet, TOKEN};
use crate::visit::visit;

#[test]
#[ignore = "needs Chromium"]
fn the_token_leads_back_to_where_one_was_going() {
    visit(
        || Fleet::start(0),
        async |visit| {
            visit.open("/computations/7?a=b").await;
            assert!(visit.path().await.starts_with("/login"));
            visit.fill("token", "not-the-token-at-all").await;
            visit.press("Sign in").await;
            visit.until_it_says("That is not the token.").await;
            assert_eq!(visit.status().await, 401);
            visit.fill("token", TOKEN).await;
            visit.press("Sign in").await;
            visit.until_path("/computations/7?a=b").await;
            visit.open("/").await;
            visit.until_it_says("Who wins Sprouts?").await;
            visit.fill("position", "0*8").await;
            visit.press("Solve").await;
            visit.until_path("/computations/1").await;
            visit.press("Sign out").await;
            visit.until_path("/login").await;
            visit.open("/").await;
            visit.until_path("/login").await;
        },
    );
}
