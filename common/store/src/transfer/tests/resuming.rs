//! Interrupted exports and imports resume.

use super::*;
use crate::transfer::Previous;
use sproutnet_solver::play::Rules as _;
use std::fs;

fn store_of(dir: &Path, records: u32) -> Store {
    let store = open(dir);
    fill(
        &store,
        &rules(),
        &(0..records).map(|n| (n, 1, n % 4)).collect(),
    );
    put(&store, &result(7, Outcome::Loss, None));
    put(&store, &result(8, Outcome::Loss, None));
    store
}

#[test]
fn an_export_that_ends_anywhere_becomes_the_same_file() {
    let dir = folder();
    let store = store_of(&dir.path().join("store"), 700);
    let file = dir.path().join("export");
    let part = dir.path().join("export.part");
    let write =
        || export_of(&Play::ALL, &game::encodings(), 20_000).write(&store, &file, &mut go_on);
    let whole = write().unwrap();
    let bytes = fs::read(&file).unwrap();
    assert!(!part.exists());
    let (mut replaced, mut resumed) = (0, Vec::new());
    for length in (0..=bytes.len()).step_by(61).chain([bytes.len()]) {
        fs::write(&part, &bytes[..length]).unwrap();
        let again = write().unwrap();
        match again.previous {
            Previous::Resumed(records) => resumed.push(records),
            Previous::None => assert_eq!(length, 0),
            Previous::Replaced => replaced += 1,
        }
        assert_eq!(
            (&again.header, again.bytes),
            (&whole.header, whole.bytes),
            "{length}"
        );
        assert!(
            fs::read(&file).unwrap() == bytes,
            "{length} of {}",
            bytes.len()
        );
    }
    // Only a file without a whole header is useless.
    assert!(replaced < 10, "{replaced}");
    assert!(resumed.is_sorted());
    assert_eq!(resumed.first().zip(resumed.last()), Some((&0, &700)));
}

#[test]
fn an_export_of_a_store_that_has_changed_starts_over() {
    let dir = folder();
    let store = store_of(&dir.path().join("store"), 300);
    let file = dir.path().join("export");
    let part = dir.path().join("export.part");
    export(&store, &file);
    fs::rename(&file, &part).unwrap();
    fill(&store, &rules(), &vec![(500, 1, 0)]);
    let again = export(&store, &file);
    assert_eq!(
        (again.previous, again.header.counts.records),
        (Previous::Replaced, 301)
    );
    let to = open(&dir.path().join("to"));
    import(&to, &file).unwrap();
    assert_eq!(values(&to), values(&store));

    fs::rename(&file, &part).unwrap();
    let encodings = game::encodings();
    let export = export_of(&[Play::Normal], &encodings, ROOM);
    let normal = export.write(&store, &file, &mut go_on).unwrap();
    assert_eq!(
        (normal.previous, normal.header.counts.records),
        (Previous::Replaced, 151)
    );
}

#[test]
fn an_export_has_the_records_of_enough_worth() {
    let dir = folder();
    let (store, file) = (open(&dir.path().join("store")), dir.path().join("export"));
    let (rules, encodings) = (rules(), game::encodings());
    let keys: Vec<_> = (0..400).map(|number| key(&rules, number)).collect();
    let record = |(number, key): (u32, _)| Sourced {
        key,
        value: value(number, 1),
        worth: Worth::of_visits(number.into()),
        source: 0,
    };
    let keys = keys.iter().map(|key| &**key);
    let records: Vec<_> = (0..).zip(keys).map(record).collect();
    store.merge(&records, |_, _, _| None).unwrap();
    let expected = |least: u32| -> BTreeMap<_, _> {
        let worthy = records[least as usize..].iter();
        worthy
            .map(|record| (record.key.into(), record.value))
            .collect()
    };

    // The file of an export with another choice is of no use.
    let part = dir.path().join("export.part");
    let mut previous = Previous::None;
    for least in [0, 64, 256, 512] {
        let export = Export {
            least: Worth::of_visits(least),
            ..export_of(&Play::ALL, &encodings, 20_000)
        };
        let written = export.write(&store, &file, &mut go_on).unwrap();
        assert_eq!(written.previous, previous, "{least}");
        let expected = expected(least.min(400) as u32);
        let header = written.header;
        assert_eq!(header.counts.records, expected.len() as u64, "{least}");
        assert_eq!(header.least_visits, least.max(1));
        let to = open(&dir.path().join(least.to_string()));
        import(&to, &file).unwrap();
        assert_eq!(values(&to), expected);
        fs::rename(&file, &part).unwrap();
        previous = Previous::Replaced;
    }
}

#[test]
fn an_export_that_is_stopped_leaves_no_file_and_goes_on() {
    let dir = folder();
    let store = store_of(&dir.path().join("store"), 700);
    let file = dir.path().join("export");
    let stop = &mut |step: Step| match step.what {
        "writing" if step.done > 300 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let stopped = export_of(&Play::ALL, &game::encodings(), ROOM).write(&store, &file, stop);
    assert!(matches!(stopped, Err(StoreError::Stopped)));
    assert!(!file.exists());
    let again = export(&store, &file);
    assert!(
        matches!(again.previous, Previous::Resumed(300..)),
        "{:?}",
        again.previous
    );
}

#[test]
fn an_import_that_is_stopped_goes_on() {
    let dir = folder();
    let rules = rules();
    let from = open(&dir.path().join("from"));
    let positions = (0..100_000u32).map(|n| {
        let land = Kayles
            .parse(&format!("{}+{}", 200 + n % 9_000, 9_300 + n / 9_000))
            .unwrap();
        let misere = &*rules.game("kayles").unwrap().misere;
        misere.state(&land).encode(misere).unwrap()
    });
    let keys: Vec<_> = positions
        .map(|p| Record::new(Kayles.code(), Play::Misere, &p, 0).key)
        .collect();
    let records: Vec<_> = keys
        .iter()
        .map(|key| Sourced {
            worth: crate::Worth::LEAST,
            key,
            value: 1,
            source: 0,
        })
        .collect();
    from.merge(&records, |_, _, _| None).unwrap();
    let file = dir.path().join("export");
    export(&from, &file);
    let of_folder = dir.path().join("from");
    drop(from);
    for path in [&file, &of_folder] {
        let to = folder();
        let to = open(to.path());
        let stop = &mut |step: Step| match step.what {
            "importing" | "merging" if to.len() > 1_000 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let stopped = import_watched(&to, path, stop);
        assert!(matches!(stopped, Err(StoreError::Stopped)));
        let before = to.len() as u64;
        assert!((60_000..100_000).contains(&before), "{before}");
        let rest = import(&to, path).unwrap();
        assert!(rest.resumed_at > 0);
        assert_eq!(
            (rest.records, rest.new, to.len()),
            (100_000, 100_000, 100_000)
        );
        assert_eq!(to.scan_documents("import/").count(), 0);
    }
}
