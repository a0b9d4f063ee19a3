//! Certificates: those of the atlas to download, and the check of others.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use headers::{ContentLength, ETag, HeaderMapExt, IfNoneMatch};
use serde::{Deserialize, Serialize};
use sproutnet_coordinator::{CheckProgress, CoordinatorError};
use sproutnet_model::{CheckedCertificate, Proof, proofs};
use utoipa::{IntoParams, ToSchema};

use super::download::download;
use super::paging::{Page, Wanted};
use super::{Api, ApiResult, ROOT, busy};
use crate::extract::{Asked, At, Name};
use crate::problem::Problem;

/// The maximum number of simultaneous downloads; further ones are refused with 503.
pub(super) const DOWNLOADS: usize = 32;

/// The maximum number of certificates that wait for their check, one at a time; further ones are refused with 503.
pub(super) const CHECKS: usize = 8;

/// The maximum size of a certificate to be checked, in bytes.
const LARGEST: usize = 1024 * 1024;

/// The time limit of a check, with the wait for others.
const LONGEST: Duration = Duration::from_secs(10);

/// The time limit for the client to take a whole file.
const PATIENCE: Duration = Duration::from_secs(300);

/// The media types of a certificate to be checked, and of one of the atlas.
const BYTES: &str = "application/octet-stream";
const GZIP: &str = "application/gzip";

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new()
        .route("/certificates", get(list).post(check))
        .route("/certificates/{name}", get(file))
}

/// A certificate of the atlas.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Called {
    /// The name of the certificate.
    #[param(min_length = 1, max_length = 100, example = "normal-8")]
    name: String,
}

impl Name for Called {
    const MISSING: &'static str = "the atlas has no such certificate";
}

/// A certificate of the atlas.
#[derive(Serialize, ToSchema)]
#[schema(as = Certificate)]
pub(super) struct Listed {
    #[serde(flatten)]
    proof: Proof,
    /// Where it can be downloaded; null if this coordinator has only the list.
    download: Option<String>,
}

/// The certificates of the atlas
#[utoipa::path(
    get,
    path = "/certificates",
    operation_id = "certificates",
    params(Wanted),
    responses((status = 200, body = Page<Listed>))
)]
pub(super) async fn list(
    State(api): State<Arc<Api>>,
    Asked(wanted): Asked<Wanted>,
) -> ApiResult<Page<Listed>> {
    let has_files = api.coordinator.config().atlas.is_some();
    let listed = proofs().iter().map(|proof| Listed {
        proof: proof.clone(),
        download: has_files.then(|| format!("{ROOT}/certificates/{}", proof.name)),
    });
    Ok(Json(wanted.of(listed.collect())?))
}

/// A certificate of the atlas, as a file
///
/// Its entity tag is the SHA-256 that the atlas lists.
#[utoipa::path(
    get,
    path = "/certificates/{name}",
    operation_id = "certificate",
    params(Called),
    responses(
        (
            status = 200,
            description = "The file.",
            body = String,
            content_type = "application/gzip",
            headers(("ETag" = String, description = "The SHA-256 of the file, in quotes."))
        ),
        (status = 304, description = "The file that If-None-Match names is still the one.")
    )
)]
pub(super) async fn file(
    State(api): State<Arc<Api>>,
    At(called): At<Called>,
    asked: HeaderMap,
) -> Result<Response, Problem> {
    // Only names of the list become names of files.
    let proof = proofs().iter().find(|proof| proof.name == called.name);
    let proof = proof.ok_or_else(|| Problem::missing(Called::MISSING))?;
    let folder = api.coordinator.config().atlas.clone();
    let folder = folder.ok_or_else(|| {
        Problem::missing(
            "this coordinator has no files of the atlas; its option --atlas names their folder",
        )
    })?;
    let tag = format!("\"{}\"", proof.sha256);
    let tag: ETag = tag.parse().expect("digits in quotes are a tag");
    let known = asked.typed_get::<IfNoneMatch>();
    let is_known = known.is_some_and(|known| !known.precondition_passes(&tag));
    let mut headers = HeaderMap::new();
    headers.typed_insert(tag);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if is_known {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let place = Arc::clone(&api.downloads).try_acquire_owned();
    let place = place.map_err(|_| busy())?;
    let file = crate::blocking(move || open(&folder, proof)).await??;
    headers.typed_insert(ContentLength(proof.bytes));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(GZIP));
    let shown = format!("attachment; filename=\"{}\"", proof.file());
    if let Ok(shown) = HeaderValue::from_str(&shown) {
        headers.insert(header::CONTENT_DISPOSITION, shown);
    }
    let body = download(PATIENCE, move |mut out, _| {
        let _place = place;
        io::copy(&mut { file }, &mut out)?;
        out.flush()
    });
    Ok((headers, body).into_response())
}

/// Check a certificate
///
/// Checks a certificate of up to 1 MiB by the rules alone, for ten seconds at most; nothing is kept. `sproutnet verify`
/// has no limits.
#[utoipa::path(
    post,
    path = "/certificates",
    operation_id = "check",
    request_body(
        content = String,
        content_type = "application/octet-stream",
        description = "A certificate, as `sproutnet prove`, `sequence` or `quotient` writes it."
    ),
    responses((
        status = 200,
        description = "Whether it is accepted.",
        body = CheckedCertificate
    ), (
        status = 422,
        description = "The check took too much time or memory.",
        body = crate::problem::Body
    ))
)]
pub(super) async fn check(
    State(api): State<Arc<Api>>,
    request: Request,
) -> ApiResult<CheckedCertificate> {
    let _place = api.checks.try_acquire().map_err(|_| busy())?;
    let body = api.bodies.read(request, BYTES, LARGEST).await?;
    let until = api.coordinator.queries.until(LONGEST);
    let turn = tokio::time::timeout_at(until.into(), api.check_turn.lock()).await;
    let _turn = turn.map_err(|_| busy())?;
    // Stops it if the client leaves, too.
    let progress = Arc::new(CheckProgress::default());
    let stopping = StopOnDrop(Arc::clone(&progress));
    let checking = api.ask(move |coordinator, _| {
        let checked = coordinator
            .queries
            .check_certificate(&body.bytes, until, &progress);
        drop(body.room);
        Ok(checked)
    });
    let mut checking = pin!(checking);
    let checked = tokio::select! {
        checked = &mut checking => checked?,
        () = tokio::time::sleep_until(until.into()) => {
            stopping.0.stop();
            checking.await?
        }
    };
    let too_much = |text| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, text);
    match checked {
        Ok(checked) => Ok(Json(checked)),
        Err(CoordinatorError::Stopped) => {
            let text = "the check took too long; `sproutnet verify` has no limits";
            Err(too_much(text.to_owned()))
        }
        Err(CoordinatorError::NotNow(why)) => Err(too_much(why)),
        Err(error) => Err(error.into()),
    }
}

/// Stops a check when it is dropped.
struct StopOnDrop(Arc<CheckProgress>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Opens the file of a certificate.
fn open(folder: &Path, proof: &Proof) -> Result<File, Problem> {
    let name = proof.file();
    let file = File::open(folder.join(&name)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Problem::missing(format!("this coordinator has no file {name}")),
        _ => Problem::fault(&error),
    })?;
    let size = file.metadata().map_err(|error| Problem::fault(&error))?;
    let (size, listed) = (size.len(), proof.bytes);
    if size != listed {
        let text = format!("{name} has {size} bytes, but the atlas lists {listed}");
        return Err(Problem::fault(&io::Error::other(text)));
    }
    Ok(file)
}
