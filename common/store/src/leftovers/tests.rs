use super::*;
use crate::{
    Store,
    tests::{append, collect, folder, open, records},
};

/// A store whose log has been rewritten often, so that a snapshot matters.
fn store(dir: &Path) {
    for round in 0..4 {
        let store = open(dir);
        for start in (0..6_000).step_by(300) {
            append(&store, &records(start..start + 400, round));
        }
    }
    drop(open(dir));
}

/// The only snapshot.
fn snapshot(dir: &Path) -> PathBuf {
    let mut found = snapshots(dir).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn unfinished_and_damaged_snapshots_do_no_harm() {
    let dir = folder();
    store(dir.path());
    let content = collect(open(dir.path()).iter());
    let sound = fs::read(snapshot(dir.path())).unwrap();
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 1;
    let damaged = [&[][..], &sound[..5], &sound[..sound.len() - 1], &flipped];
    for bytes in damaged {
        fs::write(snapshot(dir.path()), bytes).unwrap();
        for name in ["snap.FFFF.generating", "snap.0000000000000000.generating"] {
            fs::write(dir.path().join(name), bytes).unwrap();
        }
        assert_eq!(collect(open(dir.path()).iter()), content);
        snapshot(dir.path());
    }
    assert!(dir.path().join(QUARANTINE).is_dir());
}

#[test]
fn parameters_written_in_part_are_written_again() {
    let dir = folder();
    store(dir.path());
    let content = collect(open(dir.path()).iter());
    let path = dir.path().join(PARAMETERS);
    let sound = fs::read(&path).unwrap();
    assert_eq!(sound.len(), PARAMETERS_SIZE);
    for length in 0..sound.len() {
        fs::write(&path, &sound[..length]).unwrap();
        assert_eq!(
            collect(open(dir.path()).iter()).len(),
            content.len(),
            "{length}"
        );
        assert_eq!(fs::read(&path).unwrap(), sound, "{length}");
    }
    fs::write(&path, vec![0; sound.len()]).unwrap();
    assert_eq!(collect(open(dir.path()).iter()), content);
    // Those of another program are left alone.
    let other = b"segment_size: 8192\nuse_compression: true\n";
    fs::write(&path, other).unwrap();
    assert!(Store::open(dir.path(), &[]).is_err());
    assert_eq!(fs::read(&path).unwrap(), other);
}
