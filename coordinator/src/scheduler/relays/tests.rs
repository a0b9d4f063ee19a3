use super::*;

/// So many members, each with its place, of which `relays` says which relay.
fn members(count: u64, relays: impl Fn(u64) -> bool) -> Vec<Member> {
    let member = |id| Member {
        id: WorkerId(id),
        follows: true,
        relays: relays(id),
        now: Place::default(),
    };
    (1..=count).map(member).collect()
}

fn children(places: &BTreeMap<WorkerId, Place>, of: Option<WorkerId>) -> usize {
    places.values().filter(|place| place.parent == of).count()
}

/// Looks at what holds of every plan.
fn check(members: &[Member], fan_out: usize, places: &BTreeMap<WorkerId, Place>) {
    assert_eq!(places.len(), members.len());
    for (child, place) in places {
        let depth = match place.parent {
            None => 0,
            Some(parent) => {
                let relay = members.iter().find(|member| member.id == parent);
                assert!(relay.expect("a member").relays, "{child} below {parent}");
                assert!(children(places, Some(parent)) <= fan_out);
                places[&parent].depth + 1
            }
        };
        // So there are no cycles.
        assert_eq!(place.depth, depth, "{child}");
    }
}

fn planned(
    members: &mut [Member],
    fan_out: usize,
    may: impl Fn(WorkerId, WorkerId) -> bool,
) -> BTreeMap<WorkerId, Place> {
    let places = plan(members, fan_out, may);
    check(members, fan_out, &places);
    for member in members {
        member.now = places[&member.id];
    }
    places
}

#[test]
fn the_tree_is_as_shallow_as_its_fan_out_allows() {
    let places = planned(&mut members(32, |_| true), 8, |_, _| true);
    assert_eq!(children(&places, None), 8);
    assert_eq!(places.values().map(|place| place.depth).max(), Some(1));
    let places = planned(&mut members(1000, |_| true), 8, |_, _| true);
    assert_eq!(children(&places, None), 8);
    assert_eq!(places.values().map(|place| place.depth).max(), Some(3));
}

#[test]
fn relays_are_nearer_than_those_that_only_follow() {
    // The relays come last.
    let mut members = members(20, |id| id > 17);
    let places = planned(&mut members, 4, |_, _| true);
    for id in 18..=20 {
        assert_eq!(places[&WorkerId(id)].depth, 0);
    }
    // Four places of the coordinator and four of each relay are not enough for 20.
    assert_eq!(children(&places, None), 8);
}

#[test]
fn without_relays_or_without_a_fan_out_the_coordinator_has_all_children() {
    let places = planned(&mut members(20, |_| false), 4, |_, _| true);
    assert_eq!(children(&places, None), 20);
    let places = planned(&mut members(20, |_| true), 0, |_, _| true);
    assert_eq!(children(&places, None), 20);
}

#[test]
fn who_cannot_follow_gets_its_blocks_from_the_coordinator() {
    let mut members = members(20, |_| true);
    for member in &mut members[..6] {
        member.follows = false;
    }
    let places = planned(&mut members, 4, |_, _| true);
    assert!((1..=6).all(|id| places[&WorkerId(id)].parent.is_none()));
    assert_eq!(children(&places, None), 6);
}

#[test]
fn whoever_may_stay_stays() {
    let mut members = members(40, |id| id % 2 == 0);
    let before = planned(&mut members, 3, |_, _| true);
    assert_eq!(planned(&mut members, 3, |_, _| true), before);
    // A relay next to the coordinator goes.
    let gone = WorkerId(2);
    assert_eq!(before[&gone].depth, 0);
    members.retain(|member| member.id != gone);
    let after = planned(&mut members, 3, |_, _| true);
    let moved = |(id, place): &(&WorkerId, &Place)| before[id].parent != place.parent;
    let moved: Vec<_> = after.iter().filter(moved).collect();
    let orphans = children(&before, Some(gone));
    assert!(moved.len() <= 3 * orphans, "{moved:?}, {orphans} orphans");
}

#[test]
fn nobody_is_below_a_relay_that_it_avoids() {
    let mut members = members(30, |_| true);
    let before = planned(&mut members, 2, |_, _| true);
    let (child, parent) = (WorkerId(30), before[&WorkerId(30)].parent);
    let may = |who, relay| (who, Some(relay)) != (child, parent);
    let after = planned(&mut members, 2, may);
    assert_ne!(after[&child].parent, parent);
    // A relay that everybody avoids has no children.
    let places = planned(&mut members, 2, |_, relay| relay != WorkerId(1));
    assert_eq!(children(&places, Some(WorkerId(1))), 0);
    let places = planned(&mut members, 2, |_, _| false);
    assert_eq!(children(&places, None), 30);
}

#[test]
fn whatever_comes_and_goes_the_tree_is_whole_and_not_deep() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut members = members(1, |_| true);
    for next in 2..600 {
        if random.u32(..3) > 0 {
            members.push(Member {
                id: WorkerId(next),
                follows: random.u32(..9) > 0,
                relays: random.u32(..3) > 0,
                now: Place::default(),
            });
        } else if !members.is_empty() {
            members.swap_remove(random.usize(..members.len()));
        }
        let avoided = WorkerId(random.u64(..next));
        let places = planned(&mut members, 4, |_, relay| relay != avoided);
        let relays = members.iter().filter(|member| member.relays).count();
        // One more for those that only follow, one for the relay that is avoided.
        let deepest = places.values().map(|place| place.depth).max().unwrap_or(0);
        assert!(deepest <= depth_of(relays, 4) + 2, "{deepest} of {relays}");
    }
}
