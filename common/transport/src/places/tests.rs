use super::*;

#[test]
fn one_address_takes_half_and_others_the_rest() {
    let places = Places::new(200);
    let [one, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(|ip| Some(IpAddr::from(ip)));
    let mut held: Vec<Place> = std::iter::from_fn(|| places.take(one)).collect();
    assert_eq!(held.len(), 100);
    held.extend(std::iter::from_fn(|| places.take(other)));
    assert_eq!(held.len(), 200);
    assert!(places.take(None).is_none());
    held.truncate(99);
    assert!(places.take(one).is_some());
    held.clear();
    assert_eq!(places.taken().by_address.len(), 0);
    let all: Vec<Place> = std::iter::from_fn(|| places.take(None)).collect();
    assert_eq!(all.len(), 200);
}

#[test]
fn few_places_may_all_go_to_one_address() {
    let places = Places::new(3);
    let one = Some(IpAddr::from([10, 0, 0, 1]));
    let held: Vec<Place> = std::iter::from_fn(|| places.take(one)).collect();
    assert_eq!(held.len(), 3);
}
