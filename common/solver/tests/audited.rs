//! Records proved again: true ones are confirmed, false ones are contradicted, and nothing rests on itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use sproutnet_game as game;
use sproutnet_solver::play::{
    Archive, Convention, Knowledge, Outcome, Play, Record, Rules, Worth, merge, news,
};
use sproutnet_solver::search::{AuditVerdict, Auditor, Control, Search, Table};

/// Enough for any record of these games.
const VISITS: u64 = 200_000;

#[derive(Default)]
struct Records(Mutex<HashMap<Box<[u8]>, u64>>);

impl Records {
    fn change(&self, key: &[u8], value: u64) -> u64 {
        let before = self.0.lock().expect("no panic").insert(key.into(), value);
        before.expect("a record that is there")
    }
}

impl Archive for Records {
    fn value(&self, key: &[u8]) -> Option<u64> {
        self.0.lock().expect("no panic").get(key).copied()
    }
}

/// All that a search of a position proves.
fn proved(text: &str, play: Play) -> (Arc<Records>, Vec<Record>) {
    let knowledge = Knowledge::default();
    let (game, position) = game::parse(text).expect("a position");
    let known = knowledge.game(game.name()).expect("a game");
    match play {
        Play::Normal => solve(&*known.normal, &position),
        Play::Misere => solve(&*known.misere, &position),
    }
    let records = knowledge.take_records();
    let all = records
        .iter()
        .map(|record| (record.key.clone(), record.value));
    (Arc::new(Records(Mutex::new(all.collect()))), records)
}

fn solve<C: Convention>(convention: &C, position: &game::Position) {
    let (table, control) = (Table::new(1 << 24).expect("memory"), Control::until(None));
    let mut state = convention.state(position);
    let numbers = Search::new(convention, &table, &control).run_on(1, &state);
    let outcome = numbers.expect("a thread").outcome().expect("no bound");
    convention.resolve(&mut state);
    convention.settle(&state, outcome);
}

fn judge(auditor: &mut Auditor, key: &[u8], value: u64) -> AuditVerdict {
    let control = Control::with_visits(VISITS);
    auditor.judge(key, value, &control).expect("a thread")
}

/// Another possible value of a record: another nimber, the only nimber that it has, the other outcome.
fn lie(key: &[u8], truth: u64, nimber: Option<u64>) -> u64 {
    match (key[1], nimber) {
        (b'm', _) => 1 - truth,
        (_, Some(nimber)) if truth & 1 == 0 => 2 << nimber,
        (_, _) => truth ^ 2,
    }
}

#[test]
fn what_is_true_is_confirmed_and_what_is_not_is_contradicted() {
    for (text, play) in [
        ("0*7", Play::Normal),
        ("0*9", Play::Misere),
        ("kayles:40+29", Play::Normal),
        ("nim:63+64", Play::Normal),
    ] {
        let (archive, records) = proved(text, play);
        assert!(records.len() > 10, "{text}: {} records", records.len());
        let mut auditor = Auditor::over(Arc::clone(&archive) as Arc<dyn Archive>);
        for Record { key, value, .. } in &records {
            assert_eq!(
                judge(&mut auditor, key, *value),
                AuditVerdict::Confirmed,
                "{text}"
            );
            // The lie is in the archive as well: it must not stand in for its own proof.
            let nimber = (0..10).find(|nimber| {
                *value & 1 == 0
                    && judge(&mut auditor, key, 2 * nimber + 1) == AuditVerdict::Confirmed
            });
            if *value & 1 == 0 && play == Play::Normal && nimber.is_none() {
                continue;
            }
            let told = lie(key, *value, nimber);
            archive.change(key, told);
            assert_eq!(
                judge(&mut auditor, key, told),
                AuditVerdict::Contradicted,
                "{text}"
            );
            archive.change(key, *value);
        }
    }
}

/// Of several false records, the smallest is contradicted, whatever the others are.
#[test]
fn the_smallest_of_many_lies_is_contradicted() {
    for (text, play, seed) in [("0*7", Play::Normal, 1), ("0*9", Play::Misere, 2)] {
        let (archive, records) = proved(text, play);
        let mut auditor = Auditor::over(Arc::clone(&archive) as Arc<dyn Archive>);
        let mut random = fastrand::Rng::with_seed(seed);
        let exact = |record: &&Record| play == Play::Misere || record.value & 1 == 1;
        for _ in 0..20 {
            let mut lies: Vec<&Record> = records.iter().filter(exact).collect();
            random.shuffle(&mut lies);
            lies.truncate(10);
            for Record { key, value, .. } in &lies {
                archive.change(key, lie(key, *value, None));
            }
            lies.sort_by_key(|record| auditor.size(&record.key));
            let least = auditor.size(&lies[0].key).expect("canonical");
            for Record { key, value, .. } in &lies {
                if auditor.size(key) == Some(least) {
                    let verdict = judge(&mut auditor, key, lie(key, *value, None));
                    assert_eq!(verdict, AuditVerdict::Contradicted, "{text}");
                }
            }
            for Record { key, value, .. } in &lies {
                archive.change(key, *value);
            }
        }
    }
}

#[test]
fn a_search_that_is_too_short_tells_nothing() {
    let (_, records) = proved("0*7", Play::Normal);
    let mut alone = Auditor::over(Arc::new(Records::default()));
    let judge = |record: &Record| {
        let control = Control::with_visits(1);
        let judged = alone.judge(&record.key, record.value, &control);
        judged.expect("a thread")
    };
    let verdicts: Vec<AuditVerdict> = records.iter().map(judge).collect();
    assert!(verdicts.contains(&AuditVerdict::Open));
    assert!(!verdicts.contains(&AuditVerdict::Contradicted));
}

#[test]
fn what_is_no_canonical_form_is_idle() {
    let mut alone = Auditor::over(Arc::new(Records::default()));
    assert_eq!(judge(&mut alone, b"nothing", 1), AuditVerdict::Idle);
    assert_eq!(alone.size(b"nothing"), None);
}

#[test]
fn only_what_was_not_known_is_news() {
    let (game, position) = game::parse("0*8").expect("a position");
    let land = position.lands()[0].as_bytes();
    let key = Record::new(game.code(), Play::Normal, land, 0).key;
    assert_eq!(news(&key, None, 0b1010), 0b1010);
    assert_eq!(news(&key, Some(0b0010), 0b1010), 0b1000);
    assert_eq!(news(&key, Some(0b0010), 5), 5);
    assert_eq!(merge(&key, 0b0010, 0b1000).expect("they fit"), 0b1010);
    let known = Knowledge::default();
    let known = known.game("sprouts").expect("a game");
    let state = known.normal.state(&position).encode(&*known.normal);
    let record = known.record_of(Play::Normal, &state.expect("small"), Outcome::Loss);
    assert_eq!(
        record.expect("of one land"),
        Record {
            key,
            value: 1,
            worth: Worth::LEAST
        }
    );
}
