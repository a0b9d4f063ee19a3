//! Wire messages, and the domain types that they become.

use prost::Message;
use sproutnet_coordinator::rpc::convert;
use sproutnet_coordinator::scheduler::Grant;
use sproutnet_coordinator::{Fault, Finding, Report, ReportContent};
use sproutnet_game as game;
use sproutnet_model::{Answer, Verdict};
use sproutnet_proto::v1::report_request::Content;
use sproutnet_proto::{convert as mapping, v1};
use sproutnet_solver::play::Play;
use sproutnet_solver::search::{Entry, Found, Numbers};
use sproutnet_worker::client::{Leased, leased};
use std::time::Duration;
use tonic::{Code, Status};

/// The laws of one message, on its bytes.
type Door = fn(&[u8]);

/// The messages, chosen by the first byte of the input. The corpus depends on their order.
const DOORS: [Door; 32] = [
    |bytes| of(bytes, report),
    |bytes| of(bytes, lease),
    |bytes| of(bytes, answer),
    |bytes| of(bytes, line),
    |bytes| of(bytes, |message: v1::StartRequest| play(message.play)),
    |bytes| of(bytes, |message: v1::QueryRequest| play(message.play)),
    |bytes| of(bytes, |message: v1::LineRequest| play(message.play)),
    |bytes| of(bytes, |numbers: v1::Numbers| numbers_of(Some(numbers))),
    |bytes| of(bytes, |message: v1::Computation| play_told(message.play)),
    |bytes| of(bytes, |message: v1::TableEntry| play_told(message.play)),
    |bytes| of(bytes, drop::<v1::TableResponse>),
    |bytes| of(bytes, drop::<v1::Progress>),
    |bytes| of(bytes, drop::<v1::FleetResponse>),
    |bytes| of(bytes, drop::<v1::ListResponse>),
    |bytes| of(bytes, drop::<v1::ListRequest>),
    |bytes| of(bytes, drop::<v1::StartResponse>),
    |bytes| of(bytes, drop::<v1::WatchRequest>),
    |bytes| of(bytes, drop::<v1::PauseRequest>),
    |bytes| of(bytes, drop::<v1::ResumeRequest>),
    |bytes| of(bytes, drop::<v1::CancelRequest>),
    |bytes| of(bytes, drop::<v1::TableRequest>),
    |bytes| of(bytes, drop::<v1::FleetRequest>),
    |bytes| of(bytes, drop::<v1::RegisterRequest>),
    |bytes| of(bytes, drop::<v1::RegisterResponse>),
    |bytes| of(bytes, drop::<v1::LeaseRequest>),
    |bytes| of(bytes, drop::<v1::ReportResponse>),
    |bytes| of(bytes, drop::<v1::RenewRequest>),
    |bytes| of(bytes, drop::<v1::RenewResponse>),
    |bytes| of(bytes, drop::<v1::ReleaseRequest>),
    |bytes| of(bytes, drop::<v1::FeedRequest>),
    |bytes| of(bytes, drop::<v1::FeedResponse>),
    |bytes| of(bytes, drop::<v1::SetWeightRequest>),
];

/// A decoded message survives encoding and decoding. A message is refused as invalid, with a reason, or becomes a
/// domain value; converted back, this gives the same message, except for unused fields.
pub fn wire(bytes: &[u8]) {
    let Some((&door, message)) = bytes.split_first() else {
        return;
    };
    DOORS[usize::from(door) % DOORS.len()](message);
}

fn of<M: Message + Default>(bytes: &[u8], door: fn(M)) {
    let Ok(message) = M::decode(bytes) else {
        return;
    };
    // Compares bytes, since NaN is not equal to itself.
    let encoded = message.encode_to_vec();
    assert_eq!(encoded.len(), message.encoded_len());
    let again = M::decode(&encoded[..]).expect("what was encoded can be decoded");
    assert_eq!(again.encode_to_vec(), encoded);
    door(message);
}

fn assert_invalid(refused: &Status) {
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert!(!refused.message().is_empty());
}

fn play(told: i32) {
    match convert::play_from(told) {
        Ok(play) => assert_eq!(mapping::play_field(play), told),
        Err(refused) => {
            assert_invalid(&refused);
            assert!(!matches!(told, 1 | 2));
        }
    }
}

/// Asserts that a required convention survives conversion.
fn play_told(told: i32) {
    if let Ok(play) = convert::play_from(told) {
        assert_eq!(mapping::play(told), Some(play));
        assert_eq!(mapping::play_field(play), told);
    }
}

fn are_numbers(told: Option<&v1::Numbers>) -> bool {
    told.is_some_and(|told| told.proof > 0 || told.disproof > 0)
}

fn numbers_of(told: Option<v1::Numbers>) {
    match convert::numbers_from(told, "numbers") {
        Ok(Numbers { proof, disproof }) => {
            assert_eq!(Some(v1::Numbers { proof, disproof }), told);
        }
        Err(refused) => {
            assert_invalid(&refused);
            assert!(!are_numbers(told.as_ref()));
        }
    }
}

fn report(message: v1::ReportRequest) {
    let is_good = match &message.content {
        None => false,
        Some(Content::Finding(finding)) => are_numbers(finding.numbers.as_ref()),
        Some(Content::Delivery(_) | Content::Fault(_)) => true,
    };
    let report = match convert::report(message.clone()) {
        Ok(report) => report,
        Err(refused) => {
            assert!(!is_good, "{message:?}: {refused}");
            match message.content {
                Some(_) => assert_invalid(&refused),
                None => assert_eq!(refused.code(), Code::NotFound),
            }
            return;
        }
    };
    assert!(is_good, "{message:?}");
    // The message as a worker would have sent it.
    let mut expected = message;
    let mut told = None;
    if let Some(Content::Finding(finding)) = &mut expected.content {
        if is_solved(finding) {
            finding.children.clear();
        }
        told = finding.numbers;
    }
    assert_eq!(message_of(report, told), expected);
}

fn is_solved(finding: &v1::Finding) -> bool {
    let numbers = finding.numbers;
    numbers.is_some_and(|told| told.proof == 0 || told.disproof == 0)
}

/// Converts a report back to its message. The numbers are taken from `told`, and a solved state has no children.
fn message_of(report: Report, told: Option<v1::Numbers>) -> v1::ReportRequest {
    let content = match report.content {
        ReportContent::Delivery(blocks) => v1::Delivery { blocks }.into(),
        ReportContent::Finding(finding) => finding_of(finding, told).into(),
        ReportContent::Fault(Fault {
            lease,
            reason,
            disputed,
        }) => {
            let fault = v1::Fault {
                lease: lease.map(u64::from),
                reason,
                disputed: disputed.unwrap_or_default(),
            };
            fault.into()
        }
    };
    v1::ReportRequest {
        worker: report.worker.0,
        content: Some(content),
    }
}

fn finding_of(finding: Finding, told: Option<v1::Numbers>) -> v1::Finding {
    let children = match finding.found {
        Found::Solved(outcome) => {
            let read = convert::numbers_from(told, "report").expect("they were read before");
            assert_eq!(read.outcome(), Some(outcome));
            Vec::new()
        }
        Found::Open { children, .. } => children,
    };
    let child = |Entry { key, numbers, work }| v1::Entry {
        key,
        proof: numbers.proof,
        disproof: numbers.disproof,
        work,
    };
    v1::Finding {
        lease: finding.lease.0,
        numbers: told,
        children: children.into_iter().map(child).collect(),
        visits: finding.visits,
        expansions: finding.expansions,
        blocks: finding.blocks,
    }
}

fn lease(message: v1::LeaseResponse) {
    let Some(message) = message.job else {
        return;
    };
    let job = match leased(message.clone()) {
        Leased::Job(job) => job,
        Leased::Unreadable(lease, reason) => {
            assert_eq!(lease.0, message.lease);
            assert!(!reason.is_empty());
            assert!(!matches!(message.play, 1 | 2));
            return;
        }
    };
    // A coordinator gives out jobs of known games only.
    let Some(game) = game::by_name(&job.game) else {
        return;
    };
    let grant = Grant {
        lease: job.lease,
        computation: job.computation,
        game: game.name(),
        play: job.play,
        state: job.state,
        limit: job.limit,
        slice: job.slice,
        // Workers do not use it: they renew long before.
        expires: Duration::from_millis(message.expires_ms.into()),
    };
    let mut expected = message;
    expected.limit.get_or_insert(Numbers::UNLIMITED.into());
    assert_eq!(convert::job(grant), expected);
}

fn answer(message: v1::QueryResponse) {
    let mut expected = message.clone();
    for standing in [&mut expected.normal, &mut expected.misere] {
        let standing = standing.get_or_insert_default();
        known(&mut standing.outcome);
        source(&mut standing.source);
        basis(&mut standing.basis);
    }
    for verdict in expected.lands.iter_mut().chain(&mut expected.moves) {
        known(&mut verdict.normal);
        known(&mut verdict.misere);
        plays(&mut verdict.verified);
    }
    let (answer, moves): (Answer, Vec<Verdict>) = message.into();
    let again = v1::QueryResponse::from((answer, moves));
    assert_eq!(again.encode_to_vec(), expected.encode_to_vec());
}

fn line(message: v1::LineResponse) {
    let mut expected = message.clone();
    for step in &mut expected.steps {
        known(&mut step.outcome);
    }
    assert_eq!(
        v1::LineResponse::from(mapping::line(message, Play::Normal)),
        expected
    );
}

/// Resets an outcome that only a later version knows.
fn known(outcome: &mut i32) {
    if v1::Outcome::try_from(*outcome).is_err() {
        *outcome = v1::Outcome::Unspecified.into();
    }
}

/// Each convention once, in their order.
fn plays(plays: &mut Vec<i32>) {
    let told = Play::ALL.map(mapping::play_field).into_iter();
    *plays = told.filter(|play| plays.contains(play)).collect();
}

/// Resets a basis that only a later version knows.
fn basis(basis: &mut i32) {
    if v1::Basis::try_from(*basis).is_err() {
        *basis = v1::Basis::Unspecified.into();
    }
}

fn source(source: &mut i32) {
    if v1::Source::try_from(*source).is_err() {
        *source = v1::Source::Unspecified.into();
    }
}
