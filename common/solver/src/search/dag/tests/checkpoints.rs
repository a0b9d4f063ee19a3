//! Checkpoints: what survives, and what is refused.

use crate::play::Rules;
use xxhash_rust::xxh3::xxh3_64;

use super::invariants::check;
use super::*;
use sproutnet_game::Kayles;

/// The checkpoint of a DAG, its convention and its root.
fn checkpointed<C: Convention>(text: &str, leaves: usize) -> (Vec<u8>, Arc<C>, State<C::Value>) {
    let (convention, root) = start(text);
    let mut dag = Dag::new(Arc::clone(&convention), root.clone());
    grow(&mut dag, leaves);
    (dag.checkpoint(), convention, root)
}

/// The bytes with a checksum that agrees with them.
fn vouched_for(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes
}

fn without_checksum(checkpoint: &[u8]) -> Vec<u8> {
    checkpoint[..checkpoint.len() - 8].to_vec()
}

#[test]
fn all_that_is_not_solved_survives() {
    fn in_play<C: Convention>(text: &str) {
        let (convention, root) = start::<C>(text);
        let mut dag = Dag::new(Arc::clone(&convention), root.clone());
        for leaves in [0, 1, 10, 300] {
            grow(&mut dag, leaves);
            // Parts are made anew with what is known by now; then nothing is left to change.
            let fresh = Dag::restore(Arc::clone(&convention), root.clone(), &dag.checkpoint());
            dag = fresh.expect("a checkpoint");
            let out: Vec<NodeId> = (0..9).map_while(|_| dag.lock()).collect();
            let locked = dag.checkpoint();
            dag.expand(out[0], Vec::new());
            for &leaf in &out[1..] {
                dag.unlock(leaf);
            }
            let checkpoint = dag.checkpoint();
            assert!(checkpoint != locked, "tries are told");
            let restored = Dag::restore(Arc::clone(&convention), root.clone(), &checkpoint);
            let mut restored = restored.expect("a checkpoint");
            check(&restored, &[]);
            assert_eq!(restored.root(), dag.root());
            assert!(restored.checkpoint() == checkpoint);
            let again: Vec<NodeId> = (0..9).map_while(|_| restored.lock()).collect();
            assert!(restored.checkpoint() == checkpoint, "locks are not told");
            assert_eq!(again.len(), out.len());
            for (&leaf, &other) in out.iter().zip(&again) {
                assert_eq!(
                    restored.state(other).expect("it is there"),
                    dag.state(leaf).expect("it is there")
                );
                assert_eq!(restored.tries(other), dag.tries(leaf));
            }
            dag.trim(usize::MAX);
            assert_eq!(restored.nodes(), dag.nodes());
        }
    }
    in_play::<Normal>("0*12");
    in_play::<Misere>("0*11");
    in_play::<Normal>("0*7+0*8+0*9");
}

#[test]
fn another_process_reads_it() {
    let (checkpoint, convention, root) = checkpointed::<Misere>("0*11", 300);
    let before = Dag::restore(convention, root, &checkpoint).expect("a checkpoint");
    let (fresh, root) = start::<Misere>("0*11");
    // Numbers of lands differ there.
    fresh
        .lands()
        .intern_position(&Sprouts.parse("0*9+0*10").expect("a position"));
    let restored = Dag::restore(fresh, root, &checkpoint).expect("a checkpoint");
    check(&restored, &[]);
    assert_eq!(
        (restored.root(), restored.nodes()),
        (before.root(), before.nodes())
    );
}

#[test]
fn facts_newer_than_the_checkpoint_count() {
    fn in_play<C: Convention>(text: &str) {
        let (convention, root) = start::<C>(text);
        let mut dag = Dag::new(Arc::clone(&convention), root.clone());
        let mut checkpoints = Vec::new();
        while dag.root().outcome().is_none() {
            checkpoints.push(dag.checkpoint());
            grow(&mut dag, 50);
        }
        checkpoints.push(dag.checkpoint());
        assert!(checkpoints.len() > 3, "{}", checkpoints.len());
        for checkpoint in checkpoints {
            let restored = Dag::restore(Arc::clone(&convention), root.clone(), &checkpoint);
            let restored = restored.expect("a checkpoint");
            check(&restored, &[]);
            assert_eq!(restored.root(), dag.root());
        }
    }
    in_play::<Normal>("0*8");
    in_play::<Misere>("0*8");
    in_play::<Normal>("0*5+0*6+0*7");
}

#[test]
fn what_is_not_this_roots_is_refused_by_name() {
    let (checkpoint, convention, root) = checkpointed::<Normal>("0*9", 30);
    let (_, other) = (
        0,
        convention.state(&Sprouts.parse("0*10").expect("a position")),
    );
    let refused = |result: Result<Dag<Normal>, _>| result.err().expect("refused");
    let error = refused(Dag::restore(Arc::clone(&convention), other, &checkpoint));
    assert_eq!(error, CheckpointError::Root);

    let (misere, root_in_misere) = start::<Misere>("0*9");
    let error = Dag::restore(misere, root_in_misere, &checkpoint).err();
    let error = error.expect("refused").to_string();
    let version = Sprouts.encoding_version();
    assert_eq!(
        error,
        format!(
            "the checkpoint is of `sprouts normal {version}`, not of `sprouts misere {version}`"
        )
    );

    let kayles = Arc::new(Normal::new(Arc::new(Lands::new(Arc::new(Kayles)))));
    let row = kayles.state(&Kayles.parse("9").expect("a position"));
    let error = refused(Dag::restore(kayles, row, &checkpoint)).to_string();
    assert!(error.contains("not of `kayles normal"), "{error}");

    let mut newer = checkpoint.clone();
    newer[0] = 2;
    let error = refused(Dag::restore(Arc::clone(&convention), root.clone(), &newer));
    assert_eq!(error, CheckpointError::Format(2));

    let mut longer = without_checksum(&checkpoint);
    longer.push(0);
    let error = refused(Dag::restore(convention, root, &vouched_for(longer))).to_string();
    let end = checkpoint.len() - 8;
    assert_eq!(
        error,
        format!("malformed checkpoint at byte {end}: more follows the last node")
    );
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let (checkpoint, convention, root) = checkpointed::<Misere>("0*9", 40);
    let restore = |bytes: &[u8]| Dag::restore(Arc::clone(&convention), root.clone(), bytes);
    assert!(restore(&checkpoint).is_ok());
    for length in 0..checkpoint.len() {
        assert!(restore(&checkpoint[..length]).is_err(), "{length} bytes");
    }
    let mut random = Random(1);
    for _ in 0..5000 {
        let mut damaged = checkpoint.clone();
        let at = random.below(checkpoint.len());
        damaged[at] ^= 1 << random.below(8);
        assert!(restore(&damaged).is_err(), "byte {at}");
    }
}

/// Bytes that somebody vouched for, but that say nonsense, are refused or make a DAG that works.
#[test]
fn nonsense_does_no_harm() {
    fn in_play<C: Convention>(text: &str, leaves: usize, tries: usize) {
        let (checkpoint, convention, root) = checkpointed::<C>(text, leaves);
        let bytes = without_checksum(&checkpoint);
        let mut made = 0;
        let mut attempt = |bytes: Vec<u8>| {
            let checkpoint = vouched_for(bytes);
            let restored = Dag::restore(Arc::clone(&convention), root.clone(), &checkpoint);
            let Ok(mut dag) = restored else { return };
            made += 1;
            check(&dag, &[]);
            let mut out: Vec<NodeId> = (0..5).map_while(|_| dag.lock()).collect();
            check(&dag, &out);
            if let Some(leaf) = out.pop() {
                dag.expand(leaf, Vec::new());
            }
            dag.trim(dag.nodes() / 2);
            check(&dag, &out);
        };
        for length in 0..bytes.len() {
            attempt(bytes[..length].to_vec());
        }
        let mut random = Random(7);
        for _ in 0..tries {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => damaged[at] ^= 1 << random.below(8),
                    1 => damaged[at] = damaged[random.below(bytes.len())],
                    2 => damaged[at] = damaged[at].wrapping_add(1),
                    _ => damaged[at] = random.next() as u8,
                }
            }
            attempt(damaged);
        }
        assert!(made > tries / 20, "{made} of {tries} were read");
    }
    in_play::<Normal>("0*8", 15, 4000);
    in_play::<Misere>("0*7", 10, 4000);
    in_play::<Normal>("0*5+0*6+0*7", 8, 4000);
}

#[test]
fn a_checkpoint_solves_nothing() {
    let (checkpoint, convention, root) = checkpointed::<Normal>("0*9", 0);
    // The last two bytes before the checksum end the numbers of the root, which is a leaf.
    let bytes = without_checksum(&checkpoint);
    let last = bytes.len() - 1;
    assert!(bytes[last] < 0x80 && bytes[last - 1] >= 0x80, "two bytes");
    let with_end = |end: &[u8]| {
        let checkpoint = vouched_for([&bytes[..last - 1], end].concat());
        Dag::restore(Arc::clone(&convention), root.clone(), &checkpoint)
    };
    for end in [&[0][..], &[0xff, 0xff, 0xff, 0xff, 0x0f]] {
        let error = with_end(end).err().expect("refused");
        assert!(
            matches!(error, CheckpointError::Malformed { .. }),
            "{error}"
        );
    }
    let largest = with_end(&[0xfe, 0xff, 0xff, 0xff, 0x0f]).expect("a number");
    assert_eq!(largest.root().disproof, Numbers::INFINITE - 1);
    assert_eq!(largest.root().outcome(), None);
}
