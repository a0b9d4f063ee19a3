//! Sets of claims that mean nothing, small enough to try all of them.

use std::cell::Cell;

use proptest::prelude::*;

use super::{Claim, Grounds, Least, Logic, least};

/// Claims by number, each with its needs; one rests on those of lower number.
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

    fn look_further(&mut self, _work: u64, _most_bytes: usize) -> bool {
        false
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

/// What is found with so much effort, as bits.
fn found(made: &mut Made, root: &[Vec<Claim>], effort: u64) -> Option<u32> {
    let told = Cell::new(usize::MAX);
    let how = Least {
        effort,
        seed: 7,
        most_bytes: usize::MAX,
        tell: &|size| told.set(size),
    };
    let claims = least(made, &grounds(root), &how).ok()?;
    assert_eq!(told.get(), claims.len());
    Some(claims.iter().fold(0, |set, claim| set | 1 << claim))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_found_supports_itself_and_little_is_found_in_vain((mut made, root) in made(11)) {
        let all = 0..1_u32 << made.needs.len();
        let enough = all.filter(|&set| made.is_enough(set, &root));
        let smallest = enough.map(u32::count_ones).min();
        for effort in [0, 1_000_000] {
            made.asked.fill(0);
            match found(&mut made, &root, effort) {
                Some(set) => {
                    prop_assert!(made.is_enough(set, &root));
                    let least = smallest.expect("there is one");
                    if effort > 0 {
                        prop_assert!(set.count_ones() <= least + 1, "{} of {least}", set.count_ones());
                    }
                    for claim in (0..made.needs.len()).filter(|claim| set >> claim & 1 == 1) {
                        let less = set & !(1 << claim);
                        prop_assert!(!made.is_enough(less, &root), "{claim} can be taken out");
                    }
                }
                // A greedy choice may lead to a claim that cannot be met, though another would not.
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
    let set = found(&mut made, &[vec![3]], 1_000_000);
    assert_eq!(set, Some(0b1010));
}

/// Learns, where it may look further, that each of its needs is met by claim 0 too.
struct Learner {
    made: Made,
    /// How much memory might be taken for that.
    most_bytes: Option<usize>,
}

impl Logic for Learner {
    fn rank(&self, claim: Claim) -> u32 {
        self.made.rank(claim)
    }

    fn needs(&mut self, claim: Claim) -> Vec<Grounds> {
        let mut needs = self.made.needs(claim);
        if self.most_bytes.is_some() {
            for grounds in &mut needs {
                grounds.push([0].into());
            }
        }
        needs
    }

    fn look_further(&mut self, work: u64, most_bytes: usize) -> bool {
        if work > 0 {
            self.most_bytes = Some(most_bytes);
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
fn what_is_learned_by_looking_further_is_made_use_of_with_memory_left() {
    // 3 needs 1, and 2.
    let needs = vec![vec![], vec![], vec![], vec![vec![vec![1]], vec![vec![2]]]];
    let asked = vec![0; 4];
    let made = Made { needs, asked };
    for (effort, expected) in [(0, vec![1, 2, 3]), (1_000_000, vec![0, 3])] {
        let mut learner = Learner {
            made: made.clone(),
            most_bytes: None,
        };
        let most_bytes = 1 << 30;
        let how = Least {
            effort,
            seed: 7,
            most_bytes,
            tell: &|_| (),
        };
        let claims = least(&mut learner, &grounds(&[vec![3]]), &how);
        assert_eq!(claims, Ok(expected));
        assert!(learner.most_bytes.is_none_or(|bytes| bytes < most_bytes));
    }
}

#[test]
fn a_claim_that_cannot_be_met_is_told() {
    let needs = vec![vec![vec![]], vec![vec![vec![0]]]];
    let asked = vec![0; 2];
    let mut made = Made { needs, asked };
    assert_eq!(found(&mut made, &[vec![1]], 0), None);
}
