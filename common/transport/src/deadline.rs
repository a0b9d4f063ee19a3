//! How long a call may take. The time is sent along as `grpc-timeout`, so that the server gives up as
//! well, and the client holds to it by itself: from the moment of the call, over connecting and waiting,
//! to the last byte of the answer.

use std::error::Error;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, Response};
use sproutnet_proto::UNARY;
use tonic::{Code, Status, TimeoutExpired};

use crate::connect::chain;

const HEADER: &str = "grpc-timeout";

/// The greatest number that the header can carry.
const LARGEST: u128 = 99_999_999;

const SECONDS_AN_HOUR: u64 = 3600;

/// The time that a call may take. One that the caller has set, with [`tonic::Request::set_timeout`],
/// holds for any call; without one, a unary call gets `default`, which is added to the headers, and a
/// stream none.
pub(crate) fn of_call(path: &str, headers: &mut HeaderMap, default: Duration) -> Option<Duration> {
    if let Some(set) = headers.get(HEADER).and_then(parse) {
        return Some(set);
    }
    if !UNARY.contains(&path) {
        return None;
    }
    headers.insert(HEADER, value(default));
    Some(default)
}

/// The status of a call that took longer.
pub(crate) fn passed(limit: Duration) -> Status {
    Status::deadline_exceeded(format!("no answer within {limit:?}"))
}

/// Whether the transport or the server gave up at the deadline.
pub(crate) fn given_up<B>(answer: &Result<Response<B>, tonic::transport::Error>) -> bool {
    match answer {
        Ok(answer) => {
            let code = answer.headers().get("grpc-status");
            let code = code.map(|code| Code::from_bytes(code.as_bytes()));
            matches!(code, Some(Code::Cancelled | Code::DeadlineExceeded))
        }
        Err(error) => chain(error).any(<dyn Error>::is::<TimeoutExpired>),
    }
}

/// Milliseconds where they fit; seconds otherwise, which go beyond three years.
fn value(limit: Duration) -> HeaderValue {
    let (number, unit) = match limit.as_millis() {
        millis @ ..=LARGEST => (millis, 'm'),
        _ => (u128::from(limit.as_secs()).min(LARGEST), 'S'),
    };
    HeaderValue::from_str(&format!("{number}{unit}")).expect("digits and a letter")
}

fn parse(value: &HeaderValue) -> Option<Duration> {
    let (number, unit) = value
        .to_str()
        .ok()?
        .split_at_checked(value.len().checked_sub(1)?)?;
    if number.len() > 8 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = number.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(number * SECONDS_AN_HOUR),
        "M" => Duration::from_secs(number * 60),
        "S" => Duration::from_secs(number),
        "m" => Duration::from_millis(number),
        "u" => Duration::from_micros(number),
        "n" => Duration::from_nanos(number),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
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
}
