use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::*;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

/// Waits until this many wait in the queue.
fn until_waiting(queue: &SearchQueue, count: usize) {
    while queue.state().waiting.len() < count {
        thread::yield_now();
    }
}

#[test]
fn several_have_their_turn_at_once_and_no_more() {
    let queue = SearchQueue::new(2);
    let first = queue.enter(soon()).expect("a free turn");
    let second = queue.enter(soon()).expect("another one");
    let now = Instant::now();
    assert!(queue.enter(now).is_none(), "there are two turns");
    assert!(queue.state().waiting.is_empty(), "who left waits no more");
    drop(first);
    let third = queue.enter(now).expect("the turn that was given back");
    assert!(queue.enter(now).is_none());
    drop((second, third));
    assert_eq!(queue.state().free, 2);
}

#[test]
fn turns_come_in_order_of_arrival() {
    let queue = SearchQueue::new(1);
    let held = queue.enter(soon()).expect("a free turn");
    let (sender, order) = mpsc::channel();
    thread::scope(|scope| {
        for number in 0..5 {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || {
                let _turn = queue.enter(soon()).expect("a turn");
                sender.send(number).expect("the test listens");
            });
            until_waiting(queue, number + 1);
        }
        // One that gives up holds up nobody behind it.
        let late = Instant::now() + Duration::from_millis(1);
        assert!(queue.enter(late).is_none());
        drop(held);
    });
    drop(sender);
    assert_eq!(order.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}
