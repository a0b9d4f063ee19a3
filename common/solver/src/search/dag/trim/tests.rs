use super::*;

#[test]
fn the_limit_leaves_at_most_so_many() {
    let order: Vec<Slot> = (0..6).map(Slot).collect();
    let prices = [ALWAYS, 5, 5, 9, 7, NEVER];
    let kept = |most| {
        let limit = limit(&order, &prices, most);
        prices.iter().filter(|&&price| price < limit).count()
    };
    assert_eq!([6, 5, 4, 3, 2, 1, 0].map(kept), [5, 5, 4, 3, 1, 1, 0]);
}
