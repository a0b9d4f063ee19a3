//! Runs, filters, and how often runs are merged.

use super::{
    run::{LEAST_BITS, Run},
    writer::Writer,
    *,
};
use crate::tests::folder;
use std::{fs, io, path::Path};

#[test]
fn a_run_has_the_entries_that_were_written() {
    for count in [1u64, 255, 3_000, 70_000] {
        let dir = folder();
        let mut entries: Vec<_> = (0..count)
            .map(|key| Entry {
                hash: KeyHash::of(&key.to_be_bytes()),
                block: 1_000 + key / 7,
            })
            .collect();
        entries.sort_unstable();
        let footer = Footer {
            after: 999,
            extent: Extent::default(),
            numbering: 5,
            entries: count,
            bits: 0,
        };
        let mut writer = Writer::begin(&dir.path().join("new"), footer).unwrap();
        for &entry in &entries {
            writer.push(entry).unwrap();
        }
        let run = writer.finish(&dir.path().join("run")).unwrap();
        let mut read = Vec::new();
        for part in 0..1 << LEAST_BITS {
            run.part(part, |entry| read.push(entry)).unwrap();
        }
        assert_eq!(read, entries);
        let same = |entry: &Entry| {
            entries
                .iter()
                .filter(|other| other.hash == entry.hash)
                .count()
        };
        for entry in entries.iter().step_by(97) {
            assert!(run.may_have(entry.hash));
            let mut blocks = Vec::new();
            run.blocks(entry.hash, |block| blocks.push(block)).unwrap();
            assert!(blocks.contains(&entry.block) && blocks.len() == same(entry));
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}

#[test]
fn few_absent_hashes_pass_a_filter() {
    let hash = |number: u64| KeyHash(xxh3_64(&number.to_be_bytes()) & (u64::MAX << 28));
    let mut filter = Filter::with_room(100_000);
    (0..100_000).for_each(|number| filter.add(hash(number)));
    assert!((0..100_000).all(|number| filter.may_have(hash(number))));
    let absent = 100_000..200_000;
    let passed = absent
        .filter(|&number| filter.may_have(hash(number)))
        .count();
    assert!(passed < 2_500, "{passed}");
    let mut bytes = Vec::new();
    let written: Result<(), ()> = filter.write(|part| {
        bytes.extend_from_slice(part);
        Ok(())
    });
    assert_eq!((written, bytes.len()), (Ok(()), Filter::size(100_000)));
    let mut rest = &bytes[..];
    let read = Filter::read(100_000, |part| io::Read::read_exact(&mut rest, part));
    assert!(read.unwrap() == filter && rest.is_empty());
}

#[test]
fn runs_stay_few_and_are_seldom_merged() {
    let mut runs: Vec<u64> = Vec::new();
    let (mut written, mut most) = (0, 0);
    for _ in 0..1_000 {
        runs.push(1);
        while let Some(count) = merged(runs.iter().copied()) {
            let sum = runs.drain(runs.len() - count..).sum();
            written += sum;
            runs.push(sum);
        }
        most = most.max(runs.len());
    }
    assert_eq!(runs.iter().sum::<u64>(), 1_000);
    assert!(most <= 12, "{most} runs");
    assert!(
        written <= 6_000,
        "each entry is written {written} / 1000 times"
    );
}

/// Writes the first run of a store again with one entry that names another block.
pub(crate) fn forge_run(dir: &Path) {
    let mut entries = fs::read_dir(dir.join(files::FOLDER)).unwrap();
    let run = Run::open(&entries.next().unwrap().unwrap().path()).unwrap();
    let mut entries = Vec::new();
    for part in 0..1 << LEAST_BITS {
        run.part(part, |entry| entries.push(entry)).unwrap();
    }
    // The first of a bucket; those in the middle are looked at when the store opens.
    entries[0].block = entries[0].block % 5 + 1;
    entries.sort_unstable();
    let path = run.path.clone();
    let mut writer = Writer::begin(&path.with_extension("new"), run.footer).unwrap();
    for entry in entries {
        writer.push(entry).unwrap();
    }
    writer.finish(&path).unwrap();
}
