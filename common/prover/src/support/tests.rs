//! Sets of meaningless claims, small enough to try all of them.

use std::cell::Cell;

use proptest::prelude::*;

use super::{Claim, Effort, Grounds, Logic, minimize};

/// Claims by number, with their needs. A claim rests only on claims of lower number.
#[derive(Clone, Debug)]
struct Made {
    needs: Vec<Vec<Vec<Vec<Claim>>>>,
    asked: Vec<u32>,
}

impl Logic for Made {
    fn rank(&self, claim: Claim) -> u32 {
        claim
    }

    fn needs(&mut self, claim: Claim) -> Vec<Grounds> {
        self.asked[claim as usize] += 1;
        self.needs[claim as usize]
            .iter()
            .map(|need| grounds(need))
            .collect()
    }

    fn work(&self) -> u64 {
        0
    }

    fn bytes(&self) -> usize {
        0
    }
}

fn grounds(need: &[Vec<Claim>]) -> Grounds {
    need.iter().map(|ground| ground.clone().into()).collect()
}

impl Made {
    /// Whether the claims whose bits are set support themselves and meet a need.
    fn is_enough(&self, set: u32, root: &[Vec<Claim>]) -> bool {
        let has = |claim: Claim| set >> claim & 1 == 1;
        let is_met = |need: &[Vec<Claim>]| {
            let is_had = |ground: &Vec<Claim>| ground.iter().all(|&claim| has(claim));
            need.iter().any(is_had)
        };
        let all = 0..self.needs.len() as Claim;
        let supported = |claim: Claim| self.needs[claim as usize].iter().all(|need| is_met(need));
        is_met(root) && all.into_iter().all(|claim| !has(claim) || supported(claim))
    }
}

/// One ground or a few, of one claim or a few below a number.
fn need(below: Claim) -> impl Strategy<Value = Vec<Vec<Claim>>> {
    let ground = prop::collection::btree_set(0..below, 1..4);
    let ground = ground.prop_map(|claims| claims.into_iter().collect::<Vec<_>>());
    prop::collection::vec(ground, 0..4)
}

fn made(claims: Claim) -> impl Strategy<Value = (Made, Vec<Vec<Claim>>)> {
    let needs: Vec<_> = (0..claims)
        .map(|claim| prop::collection::vec(need(claim.max(1)), 0..if claim == 0 { 1 } else { 4 }))
        .collect();
    (needs, need(claims)).prop_map(move |(needs, root)| {
        let asked = vec![0; claims as usize];
        (Made { needs, asked }, root)
    })
}

/// The set found with this effort, as bits.
fn found(made: &mut Made, root: &[Vec<Claim>], effort: u64) -> Option<u32> {
    let reported = Cell::new(usize::MAX);
    let effort = Effort {
        steps: effort,
        seed: 7,
        max_bytes: usize::MAX,
        report: &|size| reported.set(size),
    };
    let claims = minimize(made, &grounds(root), &effort).ok()?;
    assert_eq!(reported.get(), claims.len());
    Some(claims.iter().fold(0, |set, claim| set | 1 << claim))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_found_supports_itself_and_little_is_found_in_vain((mut made, root) in made(11)) {
        let all = 0..1_u32 << made.needs.len();
        let enough = all.filter(|&set| made.is_enough(set, &root));
        let smallest = enough.map(u32::count_ones).min();
        for effort in [0, 1, 1_000_000] {
            made.asked.fill(0);
            match found(&mut made, &root, effort) {
                Some(set) if effort == 0 => {
                    prop_assert!(made.is_enough(set, &root));
                    for (claim, asked) in made.asked.iter().enumerate() {
                        prop_assert_eq!(*asked, set >> claim & 1, "only needs of the set are asked for");
                    }
                }
                Some(set) => {
                    prop_assert!(made.is_enough(set, &root));
                    let least = smallest.expect("there is one");
                    if effort > 1 {
                        prop_assert!(set.count_ones() <= least + 1, "{} of {least}", set.count_ones());
                    }
                    for claim in (0..made.needs.len()).filter(|claim| set >> claim & 1 == 1) {
                        let less = set & !(1 << claim);
                        prop_assert!(!made.is_enough(less, &root), "{claim} can be taken out");
                    }
                }
                // A greedy choice may lead to a claim that cannot be supported, although another would not.
                None => prop_assert!(made.needs.iter().flatten().any(Vec::is_empty) || smallest.is_none()),
            }
            prop_assert!(made.asked.iter().all(|&asked| asked <= 1), "asked once each");
        }
    }
}

#[test]
fn what_serves_two_needs_is_preferred() {
    // 3 needs 0 or 1, and 1 or 2.
    let needs = vec![
        vec![],
        vec![],
        vec![],
        vec![vec![vec![0], vec![1]], vec![vec![1], vec![2]]],
    ];
    let asked = vec![0; 4];
    let mut made = Made { needs, asked };
    for effort in [0, 1_000_000] {
        made.asked.fill(0);
        let set = found(&mut made, &[vec![3]], effort);
        assert_eq!(set, Some(0b1010));
    }
}

/// Lets claim 0 meet each of its needs, too, once it may search for more.
struct Learner {
    made: Made,
    /// The limit on memory of that search.
    max_bytes: Option<usize>,
}

impl Logic for Learner {
    fn rank(&self, claim: Claim) -> u32 {
        self.made.rank(claim)
    }

    fn needs(&mut self, claim: Claim) -> Vec<Grounds> {
        let mut needs = self.made.needs(claim);
        if self.max_bytes.is_some() {
            for grounds in &mut needs {
                grounds.push([0].into());
            }
        }
        needs
    }

    fn find_more(&mut self, work: u64, max_bytes: usize) -> bool {
        if work > 0 {
            self.max_bytes = Some(max_bytes);
        }
        work > 0
    }

    fn work(&self) -> u64 {
        0
    }

    fn bytes(&self) -> usize {
        0
    }
}

#[test]
fn further_grounds_are_used_and_leave_memory_for_the_sets() {
    // 3 needs 1, and 2.
    let needs = vec![vec![], vec![], vec![], vec![vec![vec![1]], vec![vec![2]]]];
    let asked = vec![0; 4];
    let made = Made { needs, asked };
    for (effort, expected) in [(0, vec![1, 2, 3]), (1_000_000, vec![0, 3])] {
        let mut learner = Learner {
            made: made.clone(),
            max_bytes: None,
        };
        let max_bytes = 1 << 30;
        let effort = Effort {
            steps: effort,
            seed: 7,
            max_bytes,
            report: &|_| (),
        };
        let claims = minimize(&mut learner, &grounds(&[vec![3]]), &effort);
        assert_eq!(claims, Ok(expected));
        assert!(learner.max_bytes.is_none_or(|bytes| bytes < max_bytes));
    }
}

#[test]
fn a_claim_that_cannot_be_met_is_reported() {
    let needs = vec![vec![vec![]], vec![vec![vec![0]]]];
    let asked = vec![0; 2];
    let mut made = Made { needs, asked };
    assert_eq!(found(&mut made, &[vec![1]], 0), None);
}

#[test]
fn without_memory_for_all_needs_one_pass_has_to_do() {
    // Each of 2,600 claims rests on one of two sets of 200 others: a million members.
    let below = |claim: Claim| {
        let ground = |step: Claim| (0..200).map(|other| (other * step) % claim).collect();
        vec![vec![ground(1), ground(7)]]
    };
    let needs: Vec<_> = (0..4000)
        .map(|claim| if claim < 1400 { vec![] } else { below(claim) })
        .collect();
    let asked = vec![0; needs.len()];
    let made = Made { needs, asked };
    let root: Vec<Vec<Claim>> = vec![(1400..4000).collect()];
    let minimized = |steps, max_bytes| {
        let effort = Effort {
            steps,
            seed: 7,
            max_bytes,
            report: &|_| (),
        };
        let mut made = made.clone();
        (
            minimize(&mut made, &grounds(&root), &effort).expect("there is a set"),
            made.asked,
        )
    };
    let (in_one_pass, _) = minimized(0, usize::MAX);
    let (small, asked) = minimized(1_000_000, 1 << 20);
    assert_eq!(small, in_one_pass);
    assert_eq!(asked.iter().max(), Some(&2), "a first set was given up");
    let (large, asked) = minimized(1_000_000, 1 << 30);
    assert!(large.len() <= in_one_pass.len());
    assert_eq!(asked.iter().max(), Some(&1), "the first set was kept");
}
