use super::*;

fn entry(key: u64, work: u64) -> Entry {
    Entry {
        key,
        numbers: Numbers {
            proof: 3,
            disproof: 7,
        },
        work,
    }
}

#[test]
fn what_is_kept_comes_back_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let checkpoints = Checkpoints::beside(folder.path()).expect("a folder");
    assert_eq!(checkpoints.get(), []);
    let entries = [entry(1, 300), entry(2, 5), entry(u64::MAX, 1 << 40)];
    checkpoints.put(&encode(&entries)).expect("written");
    let again = Checkpoints::beside(folder.path()).expect("a folder");
    assert_eq!(again.get(), [entries[0], entries[2]]);
    again.remove();
    again.remove();
    assert_eq!(again.get(), []);
}

#[test]
fn a_damaged_checkpoint_is_not_believed() {
    let entries: Vec<_> = (0..10).map(|key| entry(key, 1000)).collect();
    let whole = encode(&entries);
    assert_eq!(decode(&whole).map(|entries| entries.len()), Some(10));
    for length in 0..whole.len() {
        assert_eq!(decode(&whole[..length]), None);
    }
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        assert_eq!(decode(&damaged), None);
    }
}
