use sproutnet_notation::SourceId;

use super::super::Registration;
use super::*;

const SECOND: Duration = Duration::from_secs(1);

struct Cluster {
    fleet: Fleet,
    now: Instant,
    feeds: Vec<OpenFeed>,
}

fn id(number: usize) -> WorkerId {
    WorkerId(number as u64)
}

impl Cluster {
    /// Workers 0, 1, … that all relay.
    fn of(workers: usize, fan_out: usize) -> Self {
        let mut cluster = Self {
            fleet: Fleet::default().with_fan_out(fan_out),
            now: Instant::now(),
            feeds: Vec::new(),
        };
        for number in 0..workers {
            let registration = Registration {
                name: number.to_string(),
                peer: "a peer".to_owned(),
                cores: 1,
                slots: 1,
                identity: number as u64,
                source: SourceId::OWN,
            };
            let added = cluster.fleet.add(id(number), registration, cluster.now);
            assert_eq!(added, Some(None));
            let feed = cluster.open(number, false);
            cluster.feeds.push(feed);
        }
        cluster.settle();
        cluster
    }

    /// All are sent what there is, and the tree is planned again.
    fn settle(&mut self) {
        self.now += BETWEEN_PLANS;
        for (number, feed) in self.feeds.iter().enumerate() {
            feed.caught_up.store(true, Ordering::Relaxed);
            self.fleet.hear(id(number), self.now);
        }
        self.fleet.plan_if_due(self.now);
    }

    fn open(&mut self, number: usize, is_local: bool) -> OpenFeed {
        let relay = Relay {
            url: format!("http://worker-{number}:1").into(),
            is_local,
        };
        let participation = Participation {
            follows: true,
            relay: Some(relay),
            is_local: false,
        };
        let open = self.fleet.open_feed(id(number), participation, self.now);
        open.expect("it is registered")
    }

    fn parents(&self) -> Vec<Option<WorkerId>> {
        let parent = |feed: &OpenFeed| feed.parent.borrow().as_ref().map(|parent| parent.worker);
        self.feeds.iter().map(parent).collect()
    }

    fn children_of(&self, worker: usize) -> Vec<usize> {
        let parents = self.parents().into_iter().enumerate();
        let children = parents.filter(|(_, parent)| *parent == Some(id(worker)));
        children.map(|(child, _)| child).collect()
    }

    fn complain(&mut self, child: usize, parent: usize, fault: ParentFault) -> bool {
        self.fleet.complain(id(child), id(parent), fault, self.now)
    }
}

#[test]
fn a_parent_is_told_with_its_url_and_depth() {
    let cluster = Cluster::of(4, 2);
    let parent = cluster.feeds[3].parent.borrow().clone().expect("a parent");
    assert_eq!((&*parent.url, parent.depth), ("http://worker-0:1", 1));
    assert_eq!(cluster.parents()[..2], [None, None]);
}

#[test]
fn a_relay_whose_feed_closes_or_that_falls_silent_loses_its_children() {
    let mut cluster = Cluster::of(6, 2);
    let orphans = cluster.children_of(0);
    assert_eq!(orphans.len(), 2);
    let number = cluster.feeds[0].number;
    cluster.fleet.close_feed(id(0), number - 1, cluster.now);
    assert_eq!(cluster.children_of(0), orphans, "that was another feed");
    cluster.fleet.close_feed(id(0), number, cluster.now);
    assert!(cluster.children_of(0).is_empty());

    cluster.now += 6 * SECOND;
    for worker in 2..6 {
        cluster.fleet.hear(id(worker), cluster.now);
    }
    assert!(!cluster.children_of(1).is_empty());
    cluster.fleet.plan_if_due(cluster.now);
    assert!(cluster.children_of(1).is_empty());
}

#[test]
fn who_complains_gets_another_parent_for_a_while() {
    let mut cluster = Cluster::of(6, 2);
    let child = cluster.children_of(0)[0];
    assert!(
        !cluster.complain(child, 1, ParentFault::Late),
        "not its parent"
    );
    assert!(cluster.complain(child, 0, ParentFault::Late));
    assert!(!cluster.children_of(0).contains(&child));
    assert!(
        !cluster.complain(child, 0, ParentFault::Late),
        "not any more"
    );
    assert_eq!(cluster.children_of(0).len(), 1, "others keep it");
}

#[test]
fn a_relay_that_lies_to_two_is_none_any_more() {
    let mut cluster = Cluster::of(6, 2);
    let [first, second] = cluster.children_of(0)[..] else {
        panic!("two children are expected");
    };
    assert!(cluster.complain(first, 0, ParentFault::Wrong));
    assert!(cluster.children_of(0).contains(&second));
    assert!(cluster.complain(second, 0, ParentFault::Wrong));
    assert!(cluster.children_of(0).is_empty());
    cluster.now += 2 * AVOIDED;
    cluster.settle();
    assert!(cluster.children_of(0).is_empty());
}

#[test]
fn a_relay_on_loopback_is_for_workers_on_the_same_machine() {
    let mut cluster = Cluster::of(4, 2);
    assert!(!cluster.children_of(0).is_empty());
    cluster.feeds[0] = cluster.open(0, true);
    cluster.settle();
    assert!(cluster.children_of(0).is_empty());
}

#[test]
fn a_relay_has_children_once_it_was_sent_all_that_there_is() {
    let mut cluster = Cluster::of(8, 2);
    assert!(!cluster.children_of(0).is_empty());
    cluster.feeds[0] = cluster.open(0, false);
    assert!(cluster.children_of(0).is_empty());
    cluster.now += BETWEEN_PLANS;
    cluster.fleet.plan_if_due(cluster.now);
    assert!(cluster.children_of(0).is_empty());
    assert!(cluster.fleet.relay(id(0), cluster.now).is_none());
    cluster.settle();
    assert!(cluster.fleet.relay(id(0), cluster.now).is_some());
}
