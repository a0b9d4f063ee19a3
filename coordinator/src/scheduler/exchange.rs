//! The news that workers share: the numbers of states that took much work, and the places of their threads.
//!
//! It is one log. A worker sends its news, and gets the items of other workers since its cursor. If an answer is lost,
//! the worker repeats the call with the same cursor. It sends the number of threads at a place, not the change. So a
//! call may be repeated. Only the newest part of the log is kept. A worker with an older cursor gets all places of the
//! others, and goes on from there.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use sproutnet_notation::WorkerId;
use sproutnet_solver::search::{Entries, Entry, News, Place};

/// The maximum number of entries kept: 48 MiB with their table.
const MOST_ENTRIES: usize = 1 << 20;

/// The maximum number of log items kept.
const MOST_LOGGED: usize = 1 << 16;

/// The maximum number of log items, or of entries, in one answer.
const MOST_TOLD: usize = 1 << 13;

/// The maximum number of places kept for one worker. More are ignored.
const MOST_PLACES: usize = 1 << 14;

/// The maximum rate of entries of all workers together, per second. Each worker gets all of them, 24 bytes each.
const ENTRIES_PER_SECOND: u64 = 4000;

/// The time between two adjustments of the least work.
const PERIOD: Duration = Duration::from_millis(250);

/// The bounds of the least work of an entry that workers share, in visits.
const LEAST_WORK: u64 = 16;
const MOST_WORK: u64 = 1 << 20;

/// The initial least work, in visits.
const FIRST_WORK: u64 = 32;

/// The pause between two calls of a worker: `PAUSE` for each `WORKERS_PER_PAUSE` workers, rounded up.
const PAUSE: Duration = Duration::from_millis(5);
const WORKERS_PER_PAUSE: u32 = 16;

/// The pause of a worker that is alone.
const PAUSE_ALONE: Duration = Duration::from_millis(20);

/// The answer to a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The cursor for the next call.
    pub cursor: u64,
    /// The worker is new, or its cursor is too old. The answer has all places of the others instead of changes, and the
    /// worker has to send all its own places.
    pub starts_over: bool,
    /// The news of others.
    pub news: News,
    /// The least work of an entry that the worker is to send, in visits.
    pub least_work: u64,
    /// The pause before the next call.
    pub pause: Duration,
}

/// The shared entries and places of all workers.
pub struct Exchange {
    entries: Entries,
    log: VecDeque<(WorkerId, Item)>,
    /// The cursor of the first item of the log.
    first: u64,
    members: BTreeMap<WorkerId, Member>,
    least_work: u64,
    /// The number of entries received since `since`.
    told: u64,
    since: Option<Instant>,
}

#[derive(Clone, Copy)]
enum Item {
    Entry(Entry),
    /// How the number of threads at a place changed.
    Change(Place),
    /// The worker started over. Takes a number in the log, so that cursors before and after differ.
    Began,
}

struct Member {
    places: HashMap<u64, i32, FxBuildHasher>,
    heard: Instant,
    /// The cursor when it started over. A worker with an earlier cursor did not get that answer.
    since: u64,
}

impl Default for Exchange {
    fn default() -> Self {
        Self {
            entries: Entries::new(MOST_ENTRIES),
            log: VecDeque::new(),
            // Not zero, which is the first cursor of a new worker.
            first: 1,
            members: BTreeMap::new(),
            least_work: FIRST_WORK,
            told: 0,
            since: None,
        }
    }
}

impl Exchange {
    /// The entries of all workers.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// The entries of all workers, for changes.
    pub fn entries_mut(&mut self) -> &mut Entries {
        &mut self.entries
    }

    /// The least work of an entry that workers send, in visits.
    pub fn least_work(&self) -> u64 {
        self.least_work
    }

    /// Takes in the news of a worker. Returns the news of others since the cursor.
    pub fn exchange(&mut self, worker: WorkerId, cursor: u64, news: News, now: Instant) -> Told {
        let since = self.members.get(&worker).map(|member| member.since);
        let starts_over =
            since.is_none_or(|since| !(since.max(self.first)..=self.end()).contains(&cursor));
        if starts_over {
            // It is uncertain which of its places arrived.
            self.leave(worker);
            // So that no earlier cursor is taken for a later one.
            self.push(worker, Item::Began);
        }
        let since = self.end();
        let member = self.members.entry(worker).or_insert_with(|| Member {
            places: HashMap::default(),
            heard: now,
            since,
        });
        member.heard = now;
        let mut changes = Vec::new();
        let places = if starts_over { Vec::new() } else { news.places };
        for Place { key, threads } in places {
            let before = member.places.get(&key).copied().unwrap_or(0);
            let threads = threads.clamp(0, i32::from(i16::MAX));
            match threads {
                0 => member.places.remove(&key),
                _ if before == 0 && member.places.len() >= MOST_PLACES => continue,
                _ => member.places.insert(key, threads),
            };
            if threads != before {
                changes.push(Place {
                    key,
                    threads: threads - before,
                });
            }
        }
        for change in changes {
            self.push(worker, Item::Change(change));
        }
        for entry in news.entries {
            if entry.is_sound() {
                self.entries.hear(entry);
                self.push(worker, Item::Entry(entry));
                self.told += 1;
            }
        }
        self.follow(now);
        let told = self.tell(worker, (!starts_over).then_some(cursor));
        // Not earlier, as the cursor has to stay within the log.
        self.trim();
        told
    }

    /// Removes a worker and its places.
    pub fn leave(&mut self, worker: WorkerId) {
        let places = self.members.remove(&worker).map(|member| member.places);
        for (key, threads) in places.into_iter().flatten() {
            let threads = -threads;
            self.push(worker, Item::Change(Place { key, threads }));
        }
        self.trim();
    }

    /// Removes the workers whose last call was at least `silence` ago.
    pub fn expire(&mut self, silence: Duration, now: Instant) {
        let is_silent = |member: &Member| now.saturating_duration_since(member.heard) >= silence;
        let silent = self.members.iter();
        let silent: Vec<WorkerId> = silent
            .filter_map(|(&worker, member)| is_silent(member).then_some(worker))
            .collect();
        for worker in silent {
            self.leave(worker);
        }
    }

    /// Drops everything. All workers start over.
    pub fn clear(&mut self) {
        let first = self.end();
        *self = Self {
            first: first + 1,
            ..Self::default()
        };
    }

    fn end(&self) -> u64 {
        self.first + self.log.len() as u64
    }

    fn push(&mut self, worker: WorkerId, item: Item) {
        self.log.push_back((worker, item));
    }

    /// Drops the oldest part of the log if it is too long.
    fn trim(&mut self) {
        let surplus = self.log.len().saturating_sub(MOST_LOGGED);
        self.log.drain(..surplus);
        self.first += surplus as u64;
    }

    /// The news of others since the cursor; with `None`, all their places and the entries of most work.
    fn tell(&self, worker: WorkerId, cursor: Option<u64>) -> Told {
        let mut told = Told {
            cursor: self.end(),
            starts_over: cursor.is_none(),
            least_work: self.least_work,
            pause: self.pause(),
            ..Told::default()
        };
        let Some(cursor) = cursor else {
            let others = self.members.iter().filter(|(other, _)| **other != worker);
            let places = others.flat_map(|(_, member)| &member.places);
            let place = |(&key, &threads): (&u64, &i32)| Place { key, threads };
            told.news.places = places.map(place).collect();
            // Earlier entries help a new worker.
            let mut entries: Vec<Entry> = self.entries.iter().collect();
            entries.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.work));
            entries.truncate(MOST_TOLD);
            told.news.entries = entries;
            return told;
        };
        let skip = (cursor - self.first) as usize;
        let count = MOST_TOLD.min(self.log.len() - skip);
        told.cursor = cursor + count as u64;
        for (author, item) in self.log.range(skip..skip + count) {
            if *author != worker {
                match *item {
                    Item::Entry(entry) => told.news.entries.push(entry),
                    Item::Change(place) => told.news.places.push(place),
                    Item::Began => {}
                }
            }
        }
        told
    }

    fn pause(&self) -> Duration {
        match self.members.len() as u32 {
            0 | 1 => PAUSE_ALONE,
            workers => PAUSE * workers.div_ceil(WORKERS_PER_PAUSE),
        }
    }

    /// Adjusts the least work to keep entries within their rate.
    fn follow(&mut self, now: Instant) {
        let since = *self.since.get_or_insert(now);
        let time = now.saturating_duration_since(since);
        if time < PERIOD {
            return;
        }
        let rate = (self.told as f64 / time.as_secs_f64()) as u64;
        if rate > ENTRIES_PER_SECOND {
            self.least_work = (self.least_work * 2).min(MOST_WORK);
        } else if rate < ENTRIES_PER_SECOND / 4 {
            self.least_work = (self.least_work / 2).max(LEAST_WORK);
        }
        self.told = 0;
        self.since = Some(now);
    }
}

#[cfg(test)]
mod tests;
