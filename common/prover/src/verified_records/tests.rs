use super::*;
use sproutnet_game::Sprouts;
use sproutnet_solver::play::State;

fn records(play: Play, facts: &[&str]) -> Batch {
    let mut verified = VerifiedRecords::default();
    for fact in facts {
        verified.add(Ruleset::Sprouts, play, &fact.parse().expect("a fact"));
    }
    verified.into_records()
}

#[test]
fn facts_of_normal_play_are_the_nimbers_of_lands() {
    // The second in a form that others may write.
    let records = self::records(Play::Normal, &["0*3 = 1", "1a1a.0.0.0 = 0"]);
    let lands = ["0*3", "0*3.1a1a"].map(|land| nimber(&Sprouts, land, &Value::Heap(0)));
    for ((record, land), value) in records.iter().zip(lands).zip([3, 1]) {
        let key = land.expect("a land").key;
        assert_eq!((record.key, record.value), (&*key, value));
        assert_eq!(record.source, OWN | VERIFIED);
    }
    assert_eq!(records.len(), 2);
}

#[test]
fn lost_states_are_folded_as_the_search_folds_them() {
    // `0*2` is worth a game that the search evaluates directly, and two heaps of one are nothing.
    let facts = ["0*3.AB|0.AB = 2", "0*9+0*2 & 1 & (2 3)+1 & 1 lost"];
    let records = self::records(Play::Misere, &facts);
    let record = records.iter().next().expect("a record");
    let knowledge = Knowledge::default();
    let misere = &knowledge.game("sprouts").expect("a game").misere;
    let state = State::decode(&record.key[2..], &**misere).expect("a state");
    assert_eq!((records.len(), state.lands.len(), record.value), (1, 1, 0));
    let values: Vec<Tree> = misere.bags().summands(state.value).collect();
    assert_eq!(values.len(), 3, "0*2, (2 3) and one heap of one");
}
