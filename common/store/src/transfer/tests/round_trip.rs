//! Importing exports and stores.

use super::*;
use crate::transfer::Previous;
use sproutnet_game::Sprouts;

#[test]
fn records_of_positions_that_no_drawing_has_are_left_out() {
    let (from, to, file) = (folder(), folder(), folder());
    let (rules, file) = (rules(), file.path().join("export"));
    let (from, to) = (open(from.path()), open(to.path()));
    fill(&from, &rules, &(0..40).map(|n| (n, 1, n % 4)).collect());
    let expected = values(&from);
    for text in ["0*9.abcabc", "0*9.A.B|ABC|0.1aCa"] {
        let position = Sprouts.parse_stored(text).unwrap();
        let subject = position.lands()[0].as_bytes();
        let key = Record::new(Sprouts.code(), Play::Normal, subject, 0).key;
        let record = Sourced {
            worth: crate::Worth::LEAST,
            key: &key,
            value: 1,
            source: 1,
        };
        from.merge(&[record], |key, known, new| rules.both(key, known, new))
            .unwrap();
    }
    export(&from, &file);
    let imported = import(&to, &file).unwrap();
    assert_eq!((imported.new, imported.impossible), (40, 2));
    assert_eq!(values(&to), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_same_records_arrive(rolls in rolls(900), room in prop_oneof![Just(ROOM), 200..30_000usize]) {
        let (from, to, file) = (folder(), folder(), folder());
        let (rules, file) = (rules(), file.path().join("export"));
        let (from, to) = (open(from.path()), open(to.path()));
        fill(&from, &rules, &rolls);
        put(&from, &result(7, Outcome::Loss, None));
        let written = export_of(&Play::ALL, &game::encodings(), room).write(&from, &file, &mut go_on);
        let written = written.unwrap();
        prop_assert_eq!(written.previous, Previous::None);
        prop_assert_eq!(written.header.counts.records, from.len() as u64);
        prop_assert_eq!(written.bytes, file.metadata().unwrap().len());

        let imported = import(&to, &file).unwrap();
        prop_assert_eq!(imported.new, from.len() as u64);
        prop_assert_eq!(imported.new_results, 1);
        prop_assert_eq!(values(&to), values(&from));
        prop_assert_eq!(provers(&to), provers(&from));

        // Once more changes nothing.
        let (cursor, documents) = (to.cursor(), documents(&to));
        let again = import(&to, &file).unwrap();
        prop_assert_eq!((again.new, again.new_results), (0, 0));
        prop_assert_eq!((to.cursor(), super::round_trip::documents(&to)), (cursor, documents));

        // Everything comes back unchanged, sources too.
        export(&to, &file);
        let back = import(&from, &file).unwrap();
        prop_assert_eq!((back.new, back.new_results), (0, 0));
        prop_assert_eq!(Sources::of(&from).unwrap().iter().count(), 3);
    }

    #[test]
    fn two_stores_become_their_union(left in rolls(500), right in rolls(500), of_folder: bool) {
        let (a, b, both, file) = (folder(), folder(), folder(), folder());
        let (rules, file) = (rules(), file.path().join("export"));
        let mut expected = Values::new();
        let both = open(both.path());
        for (dir, rolls) in [(&a, &left), (&b, &right)] {
            {
                let store = open(dir.path());
                fill(&store, &rules, rolls);
                export(&store, &file);
            }
            let path = if of_folder { dir.path() } else { &file };
            import(&both, path).unwrap();
            for &(number, roll, _) in rolls {
                let (key, new) = (key(&rules, number), value(number, roll));
                let known = expected.get(&key).copied().unwrap_or(new);
                let precise = rules.both(&key, known, new).unwrap();
                expected.insert(key, precise);
            }
        }
        prop_assert_eq!(values(&both), expected);
        prop_assert!(documents(&both).iter().all(|(name, _)| !name.starts_with("import/")));
    }
}

fn documents(store: &Store) -> Vec<(String, Vec<u8>)> {
    store.scan_documents("").collect::<Result<_, _>>().unwrap()
}

#[test]
fn one_convention_is_exported_alone() {
    let (from, to, file) = (folder(), folder(), folder());
    let (rules, file) = (rules(), file.path().join("export"));
    let (from, to) = (open(from.path()), open(to.path()));
    fill(&from, &rules, &(0..500).map(|n| (n, 1, 0)).collect());
    put(&from, &result(7, Outcome::Loss, None));
    let encodings = game::encodings();
    let export = export_of(&[Play::Misere], &encodings, ROOM);
    let written = export.write(&from, &file, &mut go_on).unwrap();
    assert_eq!(
        (written.header.counts.records, written.header.counts.results),
        (250, 0)
    );
    import(&to, &file).unwrap();
    let is_misere = |key: &[u8]| rules.kind(key).unwrap().play == Play::Misere;
    assert_eq!(to.len(), 250);
    assert!(values(&to).keys().all(|key| is_misere(key)));
}

#[test]
fn sources_are_told_apart_over_two_stores() {
    let (first, second, third, file) = (folder(), folder(), folder(), folder());
    let (rules, file) = (rules(), file.path().join("export"));
    let stores = [&first, &second, &third].map(|dir| open(dir.path()));
    fill(&stores[0], &rules, &vec![(0, 1, 0), (2, 1, 2)]);
    fill(&stores[1], &rules, &vec![(4, 1, 2)]);
    for (from, to) in [(0, 1), (1, 2)] {
        export(&stores[from], &file);
        import(&stores[to], &file).unwrap();
    }
    let sources = Sources::of(&stores[2]).unwrap();
    let source = |number| {
        let stored = stores[2].get(&key(&rules, number)).unwrap().unwrap();
        sources.describe(stored.source)
    };
    let id = |store: usize| format!("imported from store {:016x}: ", stores[store].id());
    assert_eq!(source(0), id(0) + "the coordinator");
    assert_eq!(source(2), id(0) + "worker 2 (desk:1)");
    assert_eq!(source(4), id(1) + "worker 2 (desk:1)");
}

#[test]
fn a_result_that_says_more_takes_the_place_of_one_that_says_less() {
    let (from, to, file) = (folder(), folder(), folder());
    let file = file.path().join("export");
    let (from, to) = (open(from.path()), open(to.path()));
    let name = Solved::name("sprouts", Play::Normal, "0*8");
    put(&to, &result(8, Outcome::Loss, None));
    put(&from, &result(8, Outcome::Loss, Some(0)));
    export(&from, &file);
    assert_eq!(import(&to, &file).unwrap().new_results, 1);
    let kept = to.get_document(&name).unwrap().unwrap();
    let kept = sproutnet_query::read_result(&name, &kept).unwrap();
    // Computations of the other store have no numbers here.
    assert_eq!((kept.nimber, kept.computation), (Some(0), None));
    export(&to, &file);
    put(&from, &result(8, Outcome::Loss, Some(0)));
    assert_eq!(import(&from, &file).unwrap().new_results, 0);
}
