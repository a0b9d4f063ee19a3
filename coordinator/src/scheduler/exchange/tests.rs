use super::*;
use sproutnet_solver::search::Numbers;

const A: WorkerId = WorkerId(1);
const B: WorkerId = WorkerId(2);

fn place(key: u64, threads: i32) -> News {
    News {
        places: vec![Place { key, threads }],
        ..News::default()
    }
}

fn entry(key: u64, work: u64) -> Entry {
    Entry {
        key,
        numbers: Numbers {
            proof: 3,
            disproof: 5,
        },
        work,
    }
}

fn entries(all: impl IntoIterator<Item = Entry>) -> News {
    News {
        entries: all.into_iter().collect(),
        ..News::default()
    }
}

/// A correct worker: it sends the number of threads at its places, and sums the changes of others.
struct Worker {
    id: WorkerId,
    cursor: u64,
    own: BTreeMap<u64, i32>,
    others: BTreeMap<u64, i32>,
    told_all: bool,
}

impl Worker {
    fn new(id: WorkerId) -> Self {
        Self {
            id,
            cursor: 0,
            own: BTreeMap::new(),
            others: BTreeMap::new(),
            told_all: true,
        }
    }

    fn call(&mut self, exchange: &mut Exchange, moved: &[(u64, i32)], is_lost: bool, now: Instant) {
        let mut places: Vec<Place> = Vec::new();
        for &(key, threads) in moved {
            self.own.insert(key, threads);
            places.push(Place { key, threads });
        }
        if !self.told_all {
            let all = self.own.iter();
            places = all.map(|(&key, &threads)| Place { key, threads }).collect();
        }
        let news = News {
            places,
            ..News::default()
        };
        let told = exchange.exchange(self.id, self.cursor, news, now);
        if is_lost {
            return;
        }
        if told.starts_over {
            self.others.clear();
        }
        self.told_all = !told.starts_over;
        for Place { key, threads } in told.news.places {
            *self.others.entry(key).or_default() += threads;
        }
        self.cursor = told.cursor;
    }

    fn sees(&self) -> BTreeMap<u64, i32> {
        let seen = self.others.clone().into_iter();
        seen.filter(|&(_, threads)| threads != 0).collect()
    }

    fn is_at(&self) -> BTreeMap<u64, i32> {
        let own = self.own.clone().into_iter();
        own.filter(|&(_, threads)| threads != 0).collect()
    }
}

#[test]
fn places_add_up_whatever_answers_are_lost() {
    let now = Instant::now();
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..200 {
        let mut exchange = Exchange::default();
        let (mut a, mut b) = (Worker::new(A), Worker::new(B));
        for _ in 0..random.usize(1..60) {
            let moved: Vec<_> = (0..random.usize(0..4))
                .map(|_| (random.u64(0..5), random.i32(0..3)))
                .collect();
            let is_lost = random.u8(0..4) == 0;
            let worker = if random.bool() { &mut a } else { &mut b };
            worker.call(&mut exchange, &moved, is_lost, now);
            if random.u8(0..20) == 0 {
                exchange.leave(A);
            }
        }
        for _ in 0..3 {
            a.call(&mut exchange, &[], false, now);
            b.call(&mut exchange, &[], false, now);
        }
        assert_eq!(a.sees(), b.is_at());
        assert_eq!(b.sees(), a.is_at());
    }
}

#[test]
fn nobody_hears_itself() {
    let now = Instant::now();
    let mut exchange = Exchange::default();
    let told = exchange.exchange(A, 0, entries([entry(7, 100)]), now);
    assert!(told.starts_over);
    let told = exchange.exchange(A, told.cursor, place(7, 1), now);
    assert_eq!(told.news, News::default());
    let told = exchange.exchange(B, 0, News::default(), now);
    assert!(told.starts_over);
    assert_eq!(told.news.entries, [entry(7, 100)]);
    assert_eq!(told.news.places, place(7, 1).places);
}

#[test]
fn a_silent_worker_is_nowhere() {
    let now = Instant::now();
    let mut exchange = Exchange::default();
    let cursor = exchange.exchange(B, 0, News::default(), now).cursor;
    let of_a = exchange.exchange(A, 0, News::default(), now).cursor;
    exchange.exchange(A, of_a, place(7, 2), now);
    let told = exchange.exchange(B, cursor, News::default(), now);
    assert_eq!(told.news.places, place(7, 2).places);
    let later = now + Duration::from_secs(30);
    let told = exchange.exchange(B, told.cursor, News::default(), later);
    exchange.expire(Duration::from_secs(30), later);
    let told = exchange.exchange(B, told.cursor, News::default(), later);
    assert_eq!(told.news.places, place(7, -2).places);
    // When it returns, it sends all its places.
    assert!(
        exchange
            .exchange(A, of_a, News::default(), later)
            .starts_over
    );
}

#[test]
fn who_comes_too_late_starts_over() {
    let now = Instant::now();
    let mut exchange = Exchange::default();
    let cursor = exchange.exchange(B, 0, News::default(), now).cursor;
    let many = (0..=MOST_LOGGED as u64).map(|key| entry(key, 100));
    exchange.exchange(A, 0, entries(many), now);
    let told = exchange.exchange(B, cursor, News::default(), now);
    assert!(told.starts_over);
    let told = exchange.exchange(B, told.cursor, News::default(), now);
    assert!(!told.starts_over);
    // A cursor from the future is no better.
    assert!(
        exchange
            .exchange(B, u64::MAX, News::default(), now)
            .starts_over
    );
    exchange.clear();
    assert!(
        exchange
            .exchange(B, told.cursor, News::default(), now)
            .starts_over
    );
}

#[test]
fn a_long_log_comes_in_pieces() {
    let now = Instant::now();
    let mut exchange = Exchange::default();
    let mut cursor = exchange.exchange(B, 0, News::default(), now).cursor;
    let many = (0..3 * MOST_TOLD as u64).map(|key| entry(key, 100));
    exchange.exchange(A, 0, entries(many), now);
    let mut heard = 0;
    loop {
        let told = exchange.exchange(B, cursor, News::default(), now);
        assert!(!told.starts_over && told.news.entries.len() <= MOST_TOLD);
        if told.cursor == cursor {
            break;
        }
        heard += told.news.entries.len();
        cursor = told.cursor;
    }
    assert_eq!(heard, 3 * MOST_TOLD);
}

#[test]
fn the_least_work_keeps_the_rate_within_its_bound() {
    let mut now = Instant::now();
    let mut exchange = Exchange::default();
    // Half as many states take twice as much work.
    let rate = |least: u64| 4_000_000 / least;
    for _ in 0..100 {
        let many = (0..rate(exchange.least_work()) / 4).map(|key| entry(key, 1 << 30));
        exchange.exchange(A, 0, entries(many), now);
        now += PERIOD;
    }
    assert!(rate(exchange.least_work()) <= ENTRIES_PER_SECOND);
    assert!(rate(exchange.least_work()) >= ENTRIES_PER_SECOND / 4);
    for _ in 0..100 {
        exchange.exchange(A, 0, News::default(), now);
        now += PERIOD;
    }
    assert_eq!(exchange.least_work(), LEAST_WORK);
}

#[test]
fn nonsense_is_ignored() {
    let now = Instant::now();
    let mut exchange = Exchange::default();
    let cursor = exchange.exchange(B, 0, News::default(), now).cursor;
    let claims = [0, Numbers::INFINITE].map(|number| Entry {
        numbers: Numbers {
            proof: number,
            disproof: number,
        },
        ..entry(7, 100)
    });
    let of_a = exchange.exchange(A, 0, entries(claims), now).cursor;
    let of_a = exchange.exchange(A, of_a, place(7, -3), now).cursor;
    exchange.exchange(A, of_a, place(8, i32::MAX), now);
    let told = exchange.exchange(B, cursor, News::default(), now);
    assert_eq!(told.news, place(8, i32::from(i16::MAX)));
    assert!(exchange.entries().is_empty());
}

#[test]
fn a_worker_at_the_oldest_item_may_tell_as_much_as_it_likes() {
    let now = Instant::now();
    let mut exchange = Exchange::default();
    let mut begin = |worker| exchange.exchange(worker, 0, News::default(), now).cursor;
    let (a, b) = (begin(A), begin(B));
    let many = |work| entries((0..MOST_LOGGED as u64).map(|key| entry(key, work)));
    // All items of A come after the last one that B got, and fill the log.
    exchange.exchange(A, a, many(100), now);
    assert_eq!((exchange.first, exchange.log.len()), (b, MOST_LOGGED));
    let told = exchange.exchange(B, b, many(200), now);
    assert!(!told.starts_over);
    assert_eq!(told.news.entries.len(), MOST_TOLD);
    assert_eq!(exchange.log.len(), MOST_LOGGED);
    // The items that it did not get are no longer kept.
    let told = exchange.exchange(B, told.cursor, News::default(), now);
    assert!(told.starts_over);
}
