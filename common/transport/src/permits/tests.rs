use super::*;

#[test]
fn one_address_takes_half_and_others_the_rest() {
    let permits = Permits::new(200);
    let [one, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(|ip| Some(IpAddr::from(ip)));
    let mut held: Vec<Permit> = std::iter::from_fn(|| permits.take(one)).collect();
    assert_eq!(held.len(), 100);
    held.extend(std::iter::from_fn(|| permits.take(other)));
    assert_eq!(held.len(), 200);
    assert!(permits.take(None).is_none());
    held.truncate(99);
    assert!(permits.take(one).is_some());
    held.clear();
    assert_eq!(permits.taken().by_address.len(), 0);
    let all: Vec<Permit> = std::iter::from_fn(|| permits.take(None)).collect();
    assert_eq!(all.len(), 200);
}

#[test]
fn few_permits_may_all_go_to_one_address() {
    let permits = Permits::new(3);
    let one = Some(IpAddr::from([10, 0, 0, 1]));
    let held: Vec<Permit> = std::iter::from_fn(|| permits.take(one)).collect();
    assert_eq!(held.len(), 3);
}
