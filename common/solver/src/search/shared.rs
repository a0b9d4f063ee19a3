//! The exchange between the searches of a fleet, so that they search one tree as one team.
//!
//! Each worker has its own table and threads. Two things make a team of them: the numbers of the states of much work,
//! and the places of all threads. Both guide a search and prove nothing, so they may be lost, late or wrong.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::{Entry, Numbers, Place, Table, Team};

/// The entries and places that workers send to each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Numbers of states.
    pub entries: Vec<Entry>,
    /// Places of threads.
    pub places: Vec<Place>,
}

/// The places that a worker has sent, to send only changes.
#[derive(Debug, Default)]
pub struct Teamwork {
    /// The last sent places.
    told: HashMap<u64, i32, FxBuildHasher>,
}

impl Teamwork {
    /// Marks a place whose arrival is uncertain.
    const UNKNOWN: i32 = -1;

    /// The changes since the last call.
    pub fn news(&mut self, team: &Team, table: &Table) -> News {
        let places = team.places();
        let now: HashMap<u64, i32, FxBuildHasher> = places
            .iter()
            .map(|place| (place.key, place.threads))
            .collect();
        let mut moved = places;
        moved.retain(|place| self.told.get(&place.key) != Some(&place.threads));
        let gone = self.told.keys().filter(|&key| !now.contains_key(key));
        moved.extend(gone.map(|&key| Place { key, threads: 0 }));
        self.told = now;
        News {
            entries: table.take_untold(),
            places: moved,
        }
    }

    /// Sends these places again, since their arrival is uncertain.
    pub fn repeat(&mut self, places: &[Place]) {
        for place in places {
            self.told.insert(place.key, Self::UNKNOWN);
        }
    }

    /// Adds the news of others. If it `starts_over`, they send all their places, and need all of ours.
    pub fn hear(&mut self, news: &News, starts_over: bool, team: &Team, table: &Table) {
        if starts_over {
            team.forget_others();
            self.told.clear();
        }
        for &place in &news.places {
            team.hear(place);
        }
        for &entry in &news.entries {
            table.hear(entry);
        }
    }
}

/// The numbers of the states of most work from all workers: the upper part of the tree.
pub struct Entries {
    by_key: HashMap<u64, Known, FxBuildHasher>,
    /// The approximate maximum number of entries.
    most: usize,
}

#[derive(Clone, Copy)]
struct Known {
    numbers: Numbers,
    work: u64,
}

impl Entries {
    /// An empty set of about `most` entries at most. Those of least work are dropped first.
    pub fn new(most: usize) -> Self {
        Self {
            by_key: HashMap::default(),
            most: most.max(2),
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// The memory of the entries, in bytes.
    pub fn bytes(&self) -> usize {
        self.by_key.allocation_size()
    }

    /// All entries, unordered.
    pub fn iter(&self) -> impl Iterator<Item = Entry> {
        let entry = |(&key, &Known { numbers, work }): (&u64, &Known)| Entry { key, numbers, work };
        self.by_key.iter().map(entry)
    }

    /// The numbers of a state.
    pub fn get(&self, key: u128) -> Option<Numbers> {
        let known = self.by_key.get(&(key as u64));
        known.map(|known| known.numbers)
    }

    /// The number of visits of a state.
    pub fn work(&self, key: u128) -> u64 {
        let known = self.by_key.get(&(key as u64));
        known.map_or(0, |known| known.work)
    }

    /// Adds numbers of a search. Numbers of more work stay.
    pub fn hear(&mut self, entry: Entry) {
        if entry.is_sound() && self.work(entry.key.into()) <= entry.work {
            self.set(entry);
        }
    }

    /// Sets the numbers of a state, whatever was known. Its work does not become less.
    pub fn set(&mut self, Entry { key, numbers, work }: Entry) {
        let work = work.max(self.work(key.into()));
        self.by_key.insert(key, Known { numbers, work });
        if self.by_key.len() > self.most {
            self.halve();
        }
    }

    /// Drops the half of least work.
    fn halve(&mut self) {
        let mut works: Vec<u64> = self.by_key.values().map(|known| known.work).collect();
        let middle = works.len() / 2;
        let (_, &mut middle, _) = works.select_nth_unstable(middle);
        self.by_key.retain(|_, known| known.work > middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, number: u32, work: u64) -> Entry {
        Entry {
            key,
            numbers: Numbers {
                proof: number,
                disproof: number,
            },
            work,
        }
    }

    /// The places that others know after these news.
    fn known_after(known: &mut HashMap<u64, i32, FxBuildHasher>, places: &[Place]) {
        for &Place { key, threads } in places {
            known.insert(key, threads);
        }
        known.retain(|_, threads| *threads != 0);
    }

    #[test]
    fn places_are_told_once_and_again_if_they_may_be_lost() {
        let (team, table) = (Team::new(2), Table::new(1 << 16).expect("memory"));
        let mut teamwork = Teamwork::default();
        let mut known = HashMap::default();
        let first = team.enter(1, true);
        let news = teamwork.news(&team, &table);
        assert_eq!(news.places, [Place { key: 1, threads: 1 }]);
        known_after(&mut known, &news.places);
        assert_eq!(teamwork.news(&team, &table).places, []);
        let second = team.enter(2, true);
        let lost = teamwork.news(&team, &table);
        teamwork.repeat(&lost.places);
        drop((first, second));
        // The lost message may have arrived nonetheless.
        let mut heard = known.clone();
        known_after(&mut heard, &lost.places);
        let news = teamwork.news(&team, &table);
        for known in [&mut known, &mut heard] {
            known_after(known, &news.places);
            assert!(known.is_empty());
        }
    }

    #[test]
    fn what_others_tell_guides_the_search_at_once() {
        let (team, table) = (Team::new(1), Table::new(1 << 16).expect("memory"));
        let mut teamwork = Teamwork::default();
        let _here = team.enter(1, true);
        teamwork.news(&team, &table);
        let news = News {
            entries: vec![entry(7, 9, 100)],
            places: vec![Place { key: 3, threads: 1 }],
        };
        let parent = entry(0, 4, 1).numbers;
        for starts_over in [false, true] {
            teamwork.hear(&news, starts_over, &team, &table);
            assert_eq!(table.get(7), Some(entry(7, 9, 100).numbers));
            assert!(team.disproof(3, 100, parent) > 100);
        }
        // Everything is sent again, except the news of others.
        let own = teamwork.news(&team, &table);
        assert_eq!(own.places, [Place { key: 1, threads: 1 }]);
        assert_eq!(own.entries, []);
    }

    #[test]
    fn entries_of_enough_work_are_told_once() {
        let table = Table::new(1 << 16).expect("memory");
        let Entry { numbers, .. } = entry(1, 9, 1);
        table.put(1, numbers, 1000);
        assert_eq!(table.take_untold(), []);
        table.tell_from(100);
        table.put(1, numbers, 1);
        table.put(1, numbers, 1);
        table.put(2, numbers, 99);
        assert_eq!(table.take_untold(), [entry(1, 9, 1002)]);
        assert_eq!(table.take_untold(), []);
        // Numbers of less work stay out.
        table.hear(entry(1, 5, 1001));
        assert_eq!(table.get(1), Some(numbers));
        table.hear(entry(1, 5, 2000));
        assert_eq!(table.get(1), Some(entry(1, 5, 1).numbers));
    }

    #[test]
    fn numbers_of_more_work_stay() {
        let mut entries = Entries::new(100);
        entries.hear(entry(1, 10, 500));
        entries.hear(entry(1, 20, 400));
        assert_eq!(entries.get(1), Some(entry(1, 10, 0).numbers));
        entries.hear(entry(1, 30, 600));
        assert_eq!(entries.get(1), Some(entry(1, 30, 0).numbers));
        entries.set(entry(1, 40, 1));
        assert_eq!(entries.get(1), Some(entry(1, 40, 0).numbers));
        assert_eq!(entries.work(1), 600);
    }

    #[test]
    fn no_entry_claims_an_outcome() {
        let mut entries = Entries::new(100);
        let claims = [0, Numbers::INFINITE].map(|number| entry(1, number, 1));
        for claim in claims.into_iter().chain([entry(1, 1, 0)]) {
            entries.hear(claim);
        }
        assert!(entries.is_empty());
    }

    #[test]
    fn entries_of_least_work_are_forgotten_first() {
        let mut entries = Entries::new(100);
        for key in 0..1000 {
            entries.hear(entry(key, 1, 1 + key % 100));
        }
        assert!(entries.len() <= 100);
        assert!(entries.iter().all(|entry| entry.work > 50));
        // All entries are alike, but some room is made.
        let mut entries = Entries::new(10);
        for key in 0..100 {
            entries.hear(entry(key, 1, 1));
            assert!(entries.len() <= 10);
        }
    }
}
