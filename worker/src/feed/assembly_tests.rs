use super::*;

const MS: Duration = Duration::from_millis(1);

/// A block that belongs to a cursor.
fn block(cursor: u64) -> Vec<u8> {
    format!("block {cursor}").into_bytes()
}

fn digest(cursor: u64) -> FeedPart {
    let block = block(cursor);
    FeedPart {
        cursor,
        digest: Some(Digest {
            sha256: Sha256::digest(&block).into(),
            length: block.len(),
        }),
        ..FeedPart::default()
    }
}

/// With a parent next to the coordinator, which waits for 100 ms.
fn assembly() -> Assembly {
    let mut assembly = Assembly::default();
    assembly.set_parent(Some(1));
    assembly
}

/// The cursors of all parts that are complete.
fn taken(assembly: &mut Assembly) -> Vec<u64> {
    let mut taken = Vec::new();
    while let Some(part) = assembly.next() {
        assert_eq!(part.block, block(part.cursor));
        taken.push(part.cursor);
    }
    taken
}

#[test]
fn parts_come_in_order_whichever_comes_first() {
    let (mut assembly, now) = (assembly(), Instant::now());
    assembly.arrive(1, block(1), now).expect("right");
    assembly.arrive(3, block(3), now).expect("right");
    assert!(taken(&mut assembly).is_empty());
    for cursor in [1, 2, 3] {
        assembly.announce(digest(cursor), now).expect("right");
    }
    assert_eq!(taken(&mut assembly), [1]);
    assert_eq!(assembly.wanted(now), [2], "the parent passed it over");
    assembly.take(2, block(2)).expect("right");
    assert_eq!(taken(&mut assembly), [2, 3]);
    assert_eq!(assembly.due(), None);
}

#[test]
fn blocks_of_the_coordinator_count_as_they_are() {
    let (mut assembly, now) = (assembly(), Instant::now());
    let part = FeedPart {
        block: block(5),
        cursor: 5,
        caught_up: true,
        ..FeedPart::default()
    };
    assembly.announce(part, now).expect("right");
    let empty = FeedPart {
        cursor: 5,
        caught_up: true,
        ..FeedPart::default()
    };
    assembly.announce(empty, now).expect("right");
    let parts = [assembly.next(), assembly.next(), assembly.next()];
    let blocks = parts.map(|part| part.map(|part| (part.block, part.caught_up)));
    assert_eq!(
        blocks,
        [Some((block(5), true)), Some((Vec::new(), true)), None]
    );
}

#[test]
fn a_block_that_is_late_is_fetched_with_all_that_are() {
    let (mut assembly, began) = (assembly(), Instant::now());
    for cursor in 1..=3 {
        let at = began + 10 * MS * cursor as u32;
        assembly.announce(digest(cursor), at).expect("right");
    }
    assert_eq!(assembly.due(), Some(began + 110 * MS));
    assert!(assembly.wanted(began + 109 * MS).is_empty());
    assert_eq!(assembly.wanted(began + 120 * MS), [1, 2]);
    assembly.take(1, block(1)).expect("right");
    assembly
        .take(2, Vec::new())
        .expect("it is part of a later one");
    assert_eq!(assembly.next().map(|part| part.block), Some(block(1)));
    assert_eq!(assembly.next().map(|part| part.block), Some(Vec::new()));
    // Now it is known to take half a second: it gets more time.
    assembly
        .arrive(1, block(1), began + 510 * MS)
        .expect("late");
    assembly
        .announce(digest(4), began + 520 * MS)
        .expect("right");
    assembly
        .arrive(3, block(3), began + 520 * MS)
        .expect("late");
    assert_eq!(taken(&mut assembly), [3]);
    assert!(
        assembly.due() > Some(began + 720 * MS),
        "{:?}",
        assembly.due()
    );
}

#[test]
fn a_parent_sends_blocks_in_order() {
    let (mut assembly, now) = (assembly(), Instant::now());
    assembly.arrive(1000, block(1000), now).expect("unknown");
    assert_eq!(assembly.arrive(1, block(1), now), Err(Wrong(1)));
}

#[test]
fn a_wrong_block_is_told_and_fetched() {
    let (mut assembly, now) = (assembly(), Instant::now());
    assembly.announce(digest(1), now).expect("right");
    assert_eq!(assembly.arrive(1, block(7), now), Err(Wrong(1)));
    let longer = [block(1), block(1)].concat();
    assert_eq!(assembly.arrive(1, longer, now), Err(Wrong(1)));
    assembly.arrive(2, block(7), now).expect("it may be right");
    assert_eq!(assembly.announce(digest(2), now), Err(Wrong(2)));
    assembly.set_parent(None);
    assert_eq!(assembly.wanted(now), [1, 2]);
    assert_eq!(assembly.take(1, block(7)), Err(Wrong(1)));
    assembly.take(1, block(1)).expect("right");
    assembly.take(2, block(2)).expect("right");
    assert_eq!(taken(&mut assembly), [1, 2]);
}

#[test]
fn without_a_parent_nothing_is_waited_for() {
    let (mut assembly, now) = (assembly(), Instant::now());
    assembly.arrive(2, block(2), now).expect("right");
    assembly.set_parent(None);
    assembly.announce(digest(2), now).expect("right");
    assert_eq!(
        assembly.wanted(now),
        [2],
        "it was forgotten with the parent"
    );
}

#[test]
fn a_parent_is_late_if_blocks_are_for_a_while_and_none_comes_in_time() {
    let (mut assembly, began) = (assembly(), Instant::now());
    let mut now = began;
    for cursor in 1..=12 {
        assembly.announce(digest(cursor), now).expect("right");
        now += 100 * MS;
        assert_eq!(assembly.wanted(now), [cursor]);
        assembly.take(cursor, block(cursor)).expect("right");
        assert_eq!(assembly.is_parent_late(now), cursor >= 11, "{cursor}");
    }
    assembly.announce(digest(13), now).expect("right");
    assembly.arrive(13, block(13), now).expect("in time");
    assert!(!assembly.is_parent_late(now + LATE_TIME));
}

#[test]
fn blocks_that_there_are_not_take_bounded_memory() {
    let (mut assembly, now) = (assembly(), Instant::now());
    for cursor in 1000..1100 {
        assembly
            .arrive(cursor, vec![0; 1 << 20], now)
            .expect("unknown");
    }
    assert!(assembly.early_bytes <= MOST_EARLY);
    assert_eq!(assembly.early.len(), MOST_EARLY >> 20);
    assembly.announce(digest(1), now).expect("right");
    assert!(assembly.early_bytes > 0);
    assembly.announce(digest(2000), now).expect("right");
    assert_eq!(assembly.early_bytes, 0, "they were never announced");
    for _ in 2..MOST_EXPECTED {
        assert!(assembly.has_room());
        assembly.announce(digest(3000), now).expect("right");
    }
    assert!(!assembly.has_room());
}
