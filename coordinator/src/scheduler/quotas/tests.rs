use super::*;

#[test]
fn an_owner_has_its_own_quota_or_that_of_all_others() {
    let quotas = ["anna=3", "*=1", "a=b=2"].map(|text| text.parse::<Quota>().expect(text));
    let quotas: Quotas = quotas.into_iter().collect();
    let of = |owner| quotas.of(owner).map(Weight::get);
    assert_eq!(
        [of("anna"), of("bob"), of(""), of("a=b")],
        [Some(3), Some(1), Some(1), Some(2)]
    );
    assert_eq!(quotas.to_string(), "*=1,a=b=2,anna=3");
    assert_eq!(Quotas::default().of("anna"), None);
    for wrong in [
        "",
        "anna",
        "anna=",
        "anna=0",
        "anna=1001",
        "anna=-1",
        "anna=x",
        "=3",
        "anna=3;bob=2",
    ] {
        assert_eq!(wrong.parse::<Quota>(), Err(NoQuota), "{wrong}");
    }
}
