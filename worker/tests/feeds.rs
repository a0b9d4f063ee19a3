//! The feed of a worker.

use crate::fake::{Asked, Fake, Script};
use sproutnet_testkit::cluster::Running;

#[tokio::test]
async fn a_feed_that_breaks_off_goes_on_at_its_cursor() {
    let script = Script::default();
    // Unreadable blocks are skipped.
    script.feed.send_replace(vec![vec![1], vec![2]]);
    let mut fake = Fake::serve(script).await;
    let worker = Running::at(fake.address, 1);
    for cursor in [0, 2, 2] {
        let fed = |asked| match asked {
            Asked::Fed(cursor) => Some(cursor),
            _ => None,
        };
        assert_eq!(fake.until(fed).await, cursor);
        fake.script.breaks.send_replace(());
    }
    worker.stop().await;
}
