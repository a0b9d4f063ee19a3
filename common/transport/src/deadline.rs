//! Deadlines of calls. The time is sent along as `grpc-timeout`, so that the server gives up as well. The client
//! enforces it by itself: from the moment of the call, over connecting and waiting, to the last byte of the answer.

use std::error::Error;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, Response};
use sproutnet_proto::UNARY;
use sproutnet_system::causes::chain;
use tonic::{Code, Status, TimeoutExpired};

const HEADER: &str = "grpc-timeout";

/// The greatest number that the header can carry.
const LARGEST: u128 = 99_999_999;

const SECONDS_AN_HOUR: u64 = 3600;

/// The time limit of a call. A limit set by the caller, with [`tonic::Request::set_timeout`], holds for any call.
/// Without one, a unary call gets `default`, which is added to the headers, and a stream gets no limit.
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

/// The status of a call beyond its limit.
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

/// A limit in milliseconds if they fit; otherwise in seconds, for more than three years.
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
mod tests;
