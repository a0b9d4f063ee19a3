//! Records and results that cannot both be right.

use super::*;
use crate::{KeptContradiction, Worth, documents::CONTRADICTIONS};

fn kept(store: &Store) -> Vec<KeptContradiction> {
    let documents = store.scan_documents(CONTRADICTIONS);
    let read = |bytes: Vec<u8>| serde_json::from_slice(&bytes).unwrap();
    documents
        .map(|document| read(document.unwrap().1))
        .collect()
}

#[test]
fn a_record_that_contradicts_stops_the_import_and_is_kept() {
    let (from, to, file) = (folder(), folder(), folder());
    let (rules, file) = (rules(), file.path().join("export"));
    let stores = [&from, &to].map(|dir| open(dir.path()));
    let of = key(&rules, 10);
    for (store, value) in stores.iter().zip([7, 5]) {
        fill(store, &rules, &vec![(20, 1, 1)]);
        let record = Sourced {
            worth: Worth::LEAST,
            key: &of,
            value,
            source: 2,
        };
        store.merge(&[record], |_, _, _| None).unwrap();
    }
    let [from, to] = stores;
    export(&from, &file);
    let before = values(&to);
    // As often as it is tried.
    for _ in 0..2 {
        let error = import(&to, &file).unwrap_err();
        let StoreError::Contradiction(text) = &error else {
            panic!("{error}")
        };
        let from = format!("imported from store {:016x}: worker 2 (desk:1)", from.id());
        let expected = format!(
            "contradiction about kayles:210 normal: nimber 2, from worker 2 (desk:1), is known; \
             nimber 3, from {from}, was to be imported"
        );
        assert_eq!(*text, expected);
        assert!(error.to_string().starts_with(&expected), "{error}");
        assert_eq!(values(&to), before);
        let [kept] = &kept(&to)[..] else {
            panic!("one is kept")
        };
        assert_eq!((kept.known, kept.new, kept.met_at), (5, 7, NOW));
        assert_eq!(kept.new_from, from);
    }
}

#[test]
fn so_does_a_result() {
    let (from, to, file) = (folder(), folder(), folder());
    let file = file.path().join("export");
    let (from, to) = (open(from.path()), open(to.path()));
    put(&from, &result(8, Outcome::Win, None));
    put(&to, &result(8, Outcome::Loss, Some(0)));
    export(&from, &file);
    let error = import(&to, &file).unwrap_err().to_string();
    assert!(
        error.contains("0*8") && error.contains("loss, nimber 0"),
        "{error}"
    );
    let name = Solved::name("sprouts", Play::Normal, "0*8");
    let stays = to.get_document(&name).unwrap().unwrap();
    assert_eq!(
        sproutnet_query::read_result(&name, &stays).unwrap().outcome,
        Outcome::Loss
    );
    assert_eq!(kept(&to).len(), 1);
}

#[test]
fn what_cannot_be_is_refused() {
    let name = Solved::name("sprouts", Play::Normal, "0*8");
    let arrives = |solved: &Solved| {
        let bytes = serde_json::to_vec(solved).unwrap();
        sproutnet_query::merge_result(&name, None, &bytes).is_ok()
    };
    assert!(arrives(&result(8, Outcome::Loss, Some(0))));
    assert!(!arrives(&result(8, Outcome::Win, Some(0))));
    assert!(!arrives(&result(9, Outcome::Win, None)));
    let mut misere = result(8, Outcome::Win, None);
    misere.play = Play::Misere;
    assert!(!arrives(&misere));
    let mut strange = result(8, Outcome::Win, None);
    strange.position = "0.0*7".to_owned();
    let name = Solved::name("sprouts", Play::Normal, &strange.position);
    let bytes = serde_json::to_vec(&strange).unwrap();
    assert!(sproutnet_query::merge_result(&name, None, &bytes).is_err());
}
