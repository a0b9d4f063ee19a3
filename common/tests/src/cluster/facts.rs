//! Facts about positions, in all their forms: states, children, outcomes, records, blocks.

use sproutnet_game as game;
use sproutnet_proto::v1;
use sproutnet_solver::play::{
    Knowledge, Normal, Outcome, Play, ProvedOutcomes, Record, Rules, State,
};
use sproutnet_solver::search::{Children, Control, Search, Table};
use sproutnet_store::{OWN, Sourced, Worth, block};

/// The bytes of a position's state under normal play.
pub fn state(text: &str) -> Vec<u8> {
    let knowledge = Knowledge::default();
    let (game, position) = game::parse(text).expect("a position");
    let normal = &knowledge.game(game.name()).expect("a game").normal;
    let state = normal.state(&position);
    state.encode(&**normal).expect("a small value")
}

/// A record of one land, even if the land cannot occur.
pub fn impossible(text: &str, play: Play) -> Record {
    let (game, position) = game::parse_stored(text).expect("a position");
    let knowledge = Knowledge::default();
    let misere = &*knowledge.game(game.name()).expect("a game").misere;
    let subject = match play {
        Play::Normal => position.lands()[0].as_bytes().to_vec(),
        Play::Misere => misere
            .state(&position)
            .encode(misere)
            .expect("a small value"),
    };
    Record::new(game.code(), play, &subject, 1)
}

/// The key of the record of a position that is one land, under normal play.
pub fn land_key(text: &str) -> Vec<u8> {
    let (game, position) = game::parse(text).expect("a position");
    let [land] = position.lands() else {
        panic!("`{text}` is not one land");
    };
    Record::new(game.code(), Play::Normal, land.as_bytes(), 0)
        .key
        .into()
}

/// A record with any key and value.
pub fn record(key: &[u8], value: u64) -> Record {
    Record {
        key: key.into(),
        value,
        worth: Worth::LEAST,
    }
}

/// The record that a land has this nimber.
pub fn exact(position: &str, nimber: u64) -> Record {
    record(&land_key(position), 2 * nimber + 1)
}

/// The record that a land does not have this nimber.
pub fn excluded(position: &str, nimber: u32) -> Record {
    record(&land_key(position), 2 << nimber)
}

/// Records as blocks.
pub fn blocks(mut records: Vec<Record>) -> Vec<Vec<u8>> {
    records.sort();
    let encode = |records: &[Record]| {
        let records = records.iter().map(|record| Sourced {
            key: &record.key,
            value: record.value,
            worth: Worth::LEAST,
            source: OWN,
        });
        block::encode(records).expect("records with different keys")
    };
    records.chunks(block::RECORDS).map(encode).collect()
}

/// A Sprouts state under normal play, and a convention that knows it.
fn read(state: &[u8]) -> (Knowledge, State<u32>) {
    let knowledge = Knowledge::default();
    let normal = &knowledge.game("sprouts").expect("a game").normal;
    let mut state = State::decode(state, &**normal).expect("a state");
    normal.resolve(&mut state);
    (knowledge, state)
}

/// The work of a child that becomes a separate job: more than any job is to take.
pub const MUCH_WORK: u64 = 1 << 40;

/// The children of a job's state, under normal play of Sprouts: their bytes, and numbers that ascend.
pub fn children_with_states(job: &v1::Job) -> Vec<(Vec<u8>, v1::Entry)> {
    let (knowledge, state) = read(&job.state);
    let normal: &Normal = &knowledge.game("sprouts").expect("a game").normal;
    let children = sproutnet_solver::search::children(normal, &state, &|| false);
    let Some(children) = children.and_then(Children::open) else {
        panic!("the state is decided at once");
    };
    let child = |(n, child): (u32, &State<u32>)| {
        let entry = v1::Entry {
            key: normal.key(child) as u64,
            proof: 1000,
            disproof: 10 + n,
            work: MUCH_WORK,
        };
        (child.encode(normal).expect("a small value"), entry)
    };
    (0..).zip(&children).map(child).collect()
}

/// The numbers of the children of a job's state, under normal play of Sprouts.
pub fn children(job: &v1::Job) -> Vec<v1::Entry> {
    let children = children_with_states(job).into_iter();
    children.map(|(_, entry)| entry).collect()
}

/// The true outcome of a state under normal play of Sprouts.
pub fn true_outcome(state: &[u8]) -> Outcome {
    let (knowledge, state) = read(state);
    let normal: &Normal = &knowledge.game("sprouts").expect("a game").normal;
    let (table, control) = (Table::new(1 << 20).expect("memory"), Control::until(None));
    let numbers = Search::new(normal, &table, &control).run(&state);
    numbers.outcome().expect("searched to the end")
}

/// The true record of a job's state with one land, under normal play of Sprouts.
pub fn true_record(job: &v1::Job) -> Record {
    let knowledge = Knowledge::default();
    let known = knowledge.game("sprouts").expect("a game");
    let record = known.record_of(Play::Normal, &job.state, true_outcome(&job.state));
    record.expect("the state is one land")
}
