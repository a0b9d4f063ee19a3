use super::*;

const QUERY: &str = "/sproutnet.v1.ClientService/Query";
const DEFAULT: Duration = Duration::from_secs(30);

#[test]
fn unary_calls_are_known() {
    assert!(UNARY.contains(&QUERY));
    assert!(UNARY.contains(&"/sproutnet.v1.WorkerService/Report"));
    assert!(!UNARY.contains(&"/sproutnet.v1.ClientService/Watch"));
    assert!(!UNARY.contains(&"/sproutnet.v1.WorkerService/Feed"));
}

#[test]
fn only_unary_calls_get_the_default() {
    let mut headers = HeaderMap::new();
    assert_eq!(of_call(QUERY, &mut headers, DEFAULT), Some(DEFAULT));
    assert_eq!(headers[HEADER], "30000m");
    let mut headers = HeaderMap::new();
    let watch = "/sproutnet.v1.ClientService/Watch";
    assert_eq!(of_call(watch, &mut headers, DEFAULT), None);
    assert!(headers.is_empty());
}

#[test]
fn the_callers_time_holds() {
    for limit in [1, 999, 1000, 90_000, 3_600_000, 86_400_000_000].map(Duration::from_millis) {
        let mut request = tonic::Request::new(());
        request.set_timeout(limit);
        let mut headers = request.metadata().clone().into_headers();
        assert_eq!(of_call(QUERY, &mut headers, DEFAULT), Some(limit));
    }
}

#[test]
fn every_time_can_be_sent() {
    for limit in [Duration::ZERO, Duration::from_millis(1), DEFAULT] {
        assert_eq!(parse(&value(limit)), Some(limit));
    }
    let longest = parse(&value(Duration::MAX));
    assert_eq!(longest, Some(Duration::from_secs(99_999_999)));
}

#[test]
fn nonsense_is_no_time() {
    for text in [
        "",
        "m",
        "1",
        "1x",
        "-1m",
        "+1m",
        "1.5S",
        "123456789m",
        "1 m",
    ] {
        let value = HeaderValue::from_static(text);
        // The unit alone would be an empty number.
        assert_eq!(parse(&value), None, "{text}");
    }
    let value = HeaderValue::from_bytes("1µ".as_bytes()).unwrap();
    assert_eq!(parse(&value), None);
}
