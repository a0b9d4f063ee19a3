use super::*;

fn numbers(n: u32) -> Numbers {
    Numbers {
        proof: n,
        disproof: n,
    }
}

/// The keys of a large table's buckets are spread by these bits.
fn key(n: u32) -> u128 {
    u128::from(n) | u128::from(n.wrapping_mul(0x9e37_79b1)) << 32
}

#[test]
fn forgets_least_work_first() {
    let table = Table::new(0).expect("memory");
    // All in one bucket.
    for n in 1..=u128::from(WAYS as u32) {
        table.put(n, numbers(n as u32), n as u64);
    }
    table.put(99, numbers(99), 3);
    assert_eq!(table.get(1), None);
    assert_eq!(table.get(2), Some(numbers(2)));
    assert_eq!(table.get(99), Some(numbers(99)));
    table.put(2, numbers(7), 1);
    assert_eq!(table.get(2), Some(numbers(7)));
}

#[test]
fn takes_memory_as_it_fills_up_to_the_bound() {
    let table = Table::new(3 * FIRST * size_of::<Bucket>()).expect("memory");
    let length = |size: usize| table.sizes[size].get().map(|buckets| buckets.len());
    assert_eq!((length(0), length(1)), (Some(FIRST), None));
    for n in 0..3 * (FIRST * WAYS) as u32 {
        table.put(key(n), numbers(n), 1);
    }
    assert_eq!((length(1), length(2)), (Some(3 * FIRST), None));
    let last = 3 * (FIRST * WAYS) as u32 - 1;
    assert_eq!(table.get(key(last)), Some(numbers(last)));
}

#[test]
fn grows_by_small_steps_at_first() {
    let table = Table::new(32 * FIRST * size_of::<Bucket>()).expect("memory");
    let sizes: Vec<usize> = (0..5).map(|size| table.buckets(size) / FIRST).collect();
    assert_eq!(sizes, [1, 4, 16, 32, 32]);
}

#[test]
fn threads_never_see_a_mix_of_two_entries() {
    let table = Table::new(0).expect("memory");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let table = &table;
            scope.spawn(move || {
                for n in 0..200_000_u32 {
                    let n = n.wrapping_mul(7 + thread) % 8;
                    // Keys without likeness to the numbers, as in practice.
                    let key = u128::from(n.wrapping_mul(0x9e37_79b1));
                    let found = table.get(key);
                    assert!(found.is_none_or(|found| found == numbers(n)));
                    table.put(key, numbers(n), 1);
                }
            });
        }
    });
}
