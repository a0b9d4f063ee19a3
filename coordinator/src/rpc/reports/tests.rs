use sproutnet_notation::WorkerId;

use super::*;
use crate::ReportContent;

fn report(bytes: usize) -> Waiting {
    let report = Report {
        worker: WorkerId(1),
        content: ReportContent::Delivery(vec![vec![0; bytes]]),
    };
    (report, oneshot::channel().0)
}

#[test]
fn what_waits_is_bounded_in_bytes() {
    const MESSAGE: usize = 16 << 20;
    let mut queue = Queue::default();
    assert!(queue.has_room_for(2 * MOST_BYTES), "the first may be large");
    let mut accepted = 0;
    while queue.has_room_for(MESSAGE) {
        queue.waiting.push(report(MESSAGE));
        queue.bytes += MESSAGE;
        accepted += 1;
    }
    assert_eq!(accepted, MOST_BYTES / MESSAGE);
    assert!(!queue.has_room_for(1));
    while !queue.take().is_empty() {}
    assert_eq!(queue.bytes, 0);
    assert!(queue.has_room_for(MESSAGE));
}
