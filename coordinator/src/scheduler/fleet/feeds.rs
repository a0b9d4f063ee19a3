//! The feeds of workers, and their parents in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sproutnet_notation::WorkerId;
use tokio::sync::watch;

use super::Fleet;
use crate::scheduler::relays::{Member, Place, plan};

/// A relay that was not heard of for so long gets no children, and loses those that it has.
const LIVELY: Duration = Duration::from_secs(5);

/// How long a worker is not below a relay again about which it complained.
const AVOIDED: Duration = Duration::from_mins(10);

/// A relay that sent wrong blocks to so many workers, as they say, is no relay any more. One may be wrong
/// itself.
const ENOUGH: usize = 2;

/// How often the tree is planned again without a reason.
const BETWEEN_PLANS: Duration = Duration::from_secs(1);

/// How a worker takes part in the feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Participation {
    /// Whether it can have a parent.
    pub follows: bool,
    /// Where it relays blocks, if it does.
    pub relay: Option<Relay>,
    /// Whether it runs on the coordinator's machine.
    pub is_local: bool,
}

/// Where a worker relays blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relay {
    /// As a URL.
    pub url: Arc<str>,
    /// Whether only workers on the coordinator's machine reach it.
    pub is_local: bool,
}

/// From whom a worker gets its blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent {
    /// The worker that relays them.
    pub worker: WorkerId,
    /// Where it is.
    pub url: Arc<str>,
    /// How many relays there are between the coordinator and the child.
    pub depth: u32,
}

/// What a worker finds wrong with its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentFault {
    /// It cannot be reached, or ended the stream.
    Broken,
    /// Its blocks come late.
    Late,
    /// It sent a block that does not fit the digest.
    Wrong,
}

impl ParentFault {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::Late => "late",
            Self::Wrong => "wrong",
        }
    }
}

/// A feed that was opened.
#[derive(Clone, Debug)]
pub struct OpenFeed {
    /// Its number, to close it.
    pub number: u64,
    /// The cursor up to which the worker was sent blocks. The feed keeps it.
    pub fed: Arc<AtomicU64>,
    /// Whether it was sent all that there was at some time: before, it has nothing to relay. The feed sets
    /// it.
    pub caught_up: Arc<AtomicBool>,
    /// The worker's parent; `None` for the coordinator.
    pub parent: watch::Receiver<Option<Parent>>,
}

/// The feed of a worker.
#[derive(Clone, Debug)]
pub(super) struct Feed {
    number: u64,
    participation: Participation,
    caught_up: Arc<AtomicBool>,
    place: Place,
    parent: watch::Sender<Option<Parent>>,
}

impl Fleet {
    /// Notes that a worker opened its feed, in place of an earlier one. `None` if it is not registered.
    pub fn open_feed(
        &mut self,
        worker: WorkerId,
        participation: Participation,
        now: Instant,
    ) -> Option<OpenFeed> {
        self.feeds += 1;
        let number = self.feeds;
        let of = self.hear(worker, now)?;
        let feed = of.feed.insert(Feed {
            number,
            participation,
            caught_up: Arc::default(),
            place: Place::default(),
            parent: watch::Sender::new(None),
        });
        let open = OpenFeed {
            number,
            fed: Arc::clone(&of.fed),
            caught_up: Arc::clone(&feed.caught_up),
            parent: feed.parent.subscribe(),
        };
        self.plan(now);
        Some(open)
    }

    /// Notes that a feed is closed. Its worker's children get another parent.
    pub fn close_feed(&mut self, worker: WorkerId, number: u64, now: Instant) {
        let of = self.workers.get_mut(&worker);
        if of.is_some_and(|of| of.feed.take_if(|feed| feed.number == number).is_some()) {
            self.plan(now);
        }
    }

    /// Gives a worker another parent, since it found a fault with that one. False if it has another
    /// already.
    pub fn complain(
        &mut self,
        child: WorkerId,
        parent: WorkerId,
        fault: ParentFault,
        now: Instant,
    ) -> bool {
        let Some(of) = self.workers.get_mut(&child) else {
            return false;
        };
        let place = of.feed.as_ref().map(|feed| feed.place);
        if place.and_then(|place| place.parent) != Some(parent) {
            return false;
        }
        of.avoids.insert(parent, now + AVOIDED);
        let identity = of.registration.identity;
        if fault == ParentFault::Wrong
            && let Some(accused) = self.workers.get_mut(&parent)
        {
            accused.accusers.insert(identity);
        }
        self.plan(now);
        true
    }

    /// Plans the tree again if that is due, for workers that fell silent.
    pub(in crate::scheduler) fn plan_if_due(&mut self, now: Instant) {
        let due = self.planned.map(|planned| planned + BETWEEN_PLANS);
        if due.is_none_or(|due| due <= now) {
            for worker in self.workers.values_mut() {
                worker.avoids.retain(|_, until| *until > now);
            }
            self.plan(now);
        }
    }

    /// The URL of the relay that a worker is, if it is one now.
    fn relay(&self, worker: WorkerId, now: Instant) -> Option<&Relay> {
        let worker = self.workers.get(&worker)?;
        let is_fit = worker.silent(now) <= LIVELY && worker.accusers.len() < ENOUGH;
        let feed = worker.feed.as_ref().filter(|_| is_fit)?;
        let relay = feed.participation.relay.as_ref();
        relay.filter(|_| feed.caught_up.load(Ordering::Relaxed))
    }

    /// Gives each worker with a feed its place, and tells the feeds.
    fn plan(&mut self, now: Instant) {
        self.planned = Some(now);
        let members = self.workers.iter().filter_map(|(&id, worker)| {
            let feed = worker.feed.as_ref()?;
            Some(Member {
                id,
                follows: feed.participation.follows,
                relays: self.relay(id, now).is_some(),
                now: feed.place,
            })
        });
        let members: Vec<Member> = members.collect();
        let may = |child: WorkerId, parent: WorkerId| {
            let Some(child) = self.workers.get(&child) else {
                return false;
            };
            let is_near = child
                .feed
                .as_ref()
                .is_some_and(|f| f.participation.is_local);
            let relay = self.relay(parent, now);
            let is_reachable = relay.is_some_and(|relay| is_near || !relay.is_local);
            let is_avoided = child.avoids.get(&parent).is_some_and(|until| *until > now);
            is_reachable && !is_avoided
        };
        let places = plan(&members, self.fan_out, may);
        for (id, place) in places {
            let parent = place.parent.and_then(|parent| {
                let url = Arc::clone(&self.relay(parent, now)?.url);
                Some(Parent {
                    worker: parent,
                    url,
                    depth: place.depth,
                })
            });
            let feed = self.workers.get_mut(&id).and_then(|of| of.feed.as_mut());
            if let Some(feed) = feed {
                feed.place = place;
                feed.parent.send_if_modified(|known| {
                    let is_new = *known != parent;
                    *known = parent;
                    is_new
                });
            }
        }
    }
}

impl super::Worker {
    /// From whom it gets the blocks of the feed: `None` if it reads none, `Some(None)` for the
    /// coordinator.
    pub fn feed_parent(&self) -> Option<Option<WorkerId>> {
        self.feed.as_ref().map(|feed| feed.place.parent)
    }

    /// Whether it offers to relay the feed.
    pub fn offers_relay(&self) -> bool {
        let feed = self.feed.as_ref();
        feed.is_some_and(|feed| feed.participation.relay.is_some())
    }
}

#[cfg(test)]
#[path = "feeds/tests.rs"]
mod tests;
