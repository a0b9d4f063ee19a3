use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::*;

fn client() -> Arc<str> {
    "a client".into()
}

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
    let first = queue.enter(&client(), soon()).expect("a free turn");
    let second = queue.enter(&client(), soon()).expect("another one");
    let now = Instant::now();
    assert!(queue.enter(&client(), now).is_none(), "there are two turns");
    assert!(queue.state().waiting.is_empty(), "who left waits no more");
    drop(first);
    let third = queue
        .enter(&client(), now)
        .expect("the turn that was given back");
    assert!(queue.enter(&client(), now).is_none());
    drop((second, third));
    assert_eq!(queue.state().free, 2);
}

#[test]
fn turns_come_in_order_of_arrival() {
    let queue = SearchQueue::new(1);
    let held = queue.enter(&client(), soon()).expect("a free turn");
    let (sender, order) = mpsc::channel();
    thread::scope(|scope| {
        for number in 0..5 {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || {
                let _turn = queue.enter(&client(), soon()).expect("a turn");
                sender.send(number).expect("the test listens");
            });
            until_waiting(queue, number + 1);
        }
        // One that gives up holds up nobody behind it.
        let late = Instant::now() + Duration::from_millis(1);
        assert!(queue.enter(&client(), late).is_none());
        drop(held);
    });
    drop(sender);
    assert_eq!(order.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}

#[test]
fn one_client_does_not_hold_up_another() {
    let queue = SearchQueue::new(2);
    let [busy, other]: [Arc<str>; 2] = ["busy", "other"].map(Into::into);
    let [kept, freed] = [(); 2].map(|()| queue.enter(&busy, soon()).expect("a free turn"));
    let (sender, order) = mpsc::channel();
    thread::scope(|scope| {
        for (number, client) in [&busy, &busy, &busy, &other].into_iter().enumerate() {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || {
                let _turn = queue.enter(client, soon()).expect("a turn");
                sender.send(number).expect("the test listens");
            });
            until_waiting(queue, number + 1);
        }
        drop(freed);
    });
    drop(sender);
    // The client without a turn is the first to get the free one.
    assert_eq!(order.iter().collect::<Vec<_>>(), [3, 0, 1, 2]);
    drop(kept);
    assert!(queue.state().turns.is_empty());
}
