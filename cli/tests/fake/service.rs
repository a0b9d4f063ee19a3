//! The calls of the protocol.

use std::pin::Pin;
use std::sync::Arc;

use sproutnet_game as game;
use sproutnet_proto::v1::client_service_server::ClientService;
use sproutnet_proto::v1::export_response::Part;
use sproutnet_proto::v1::{self, Computation, Progress, Status::Paused};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status, Streaming};

use super::{State, running};

pub(super) struct Service(pub(super) Arc<State>);

type Answer<T> = Result<Response<T>, Status>;

fn status_of(computation: &Computation) -> v1::Status {
    computation.progress.as_ref().expect("progress").status()
}

fn is_under_way(computation: &Computation) -> bool {
    matches!(status_of(computation), v1::Status::Running | Paused)
}

impl Service {
    /// Changes the status of a computation, or refuses to.
    fn change(
        &self,
        id: u64,
        status: v1::Status,
        is_refused: fn(&Computation) -> bool,
    ) -> Result<(), Status> {
        let mut result = Err(Status::not_found("unknown computation"));
        self.0.computations.send_modify(|computations| {
            if let Some(found) = computations.iter_mut().find(|one| one.computation == id) {
                result = if is_refused(found) {
                    Err(Status::failed_precondition("the computation has ended"))
                } else {
                    Ok(())
                };
                if result.is_ok() {
                    found
                        .progress
                        .as_mut()
                        .expect("progress")
                        .set_status(status);
                }
            }
        });
        result
    }
}

#[tonic::async_trait]
impl ClientService for Service {
    async fn start(&self, request: Request<v1::StartRequest>) -> Answer<v1::StartResponse> {
        let request = request.into_inner();
        let (game, position) = game::parse(&request.position)
            .map_err(|error| Status::invalid_argument(error.to_string()))?;
        let canonical = game::qualified(game.as_ref(), &game.print(&position));
        let mut started = Computation {
            nimber: request.nimber,
            priority: request.priority.unwrap_or_default(),
            weight: request.weight.unwrap_or(1),
            owner: request.owner.clone(),
            label: request.label.clone(),
            ..running(random_id(), &canonical, request.play())
        };
        self.0.computations.send_modify(|computations| {
            let joined = computations.iter_mut().find(|one| {
                is_under_way(one) && one.canonical == canonical && one.play == request.play
            });
            match joined {
                Some(joined) => {
                    joined.priority = request.priority.unwrap_or(joined.priority);
                    started.computation = joined.computation;
                }
                None => computations.push(started.clone()),
            }
        });
        Ok(Response::new(v1::StartResponse {
            computation: started.computation,
            canonical,
        }))
    }

    async fn list(&self, _: Request<v1::ListRequest>) -> Answer<v1::ListResponse> {
        let computations = self.0.computations.borrow().clone();
        Ok(Response::new(v1::ListResponse { computations }))
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<Progress, Status>> + Send>>;

    async fn watch(&self, request: Request<v1::WatchRequest>) -> Answer<Self::WatchStream> {
        let id = request.into_inner().computation;
        let mut computations = self.0.computations.subscribe();
        let (sender, receiver) = mpsc::channel(1);
        let find = move |computations: &[Computation]| {
            let found = computations.iter().find(|one| one.computation == id);
            found.cloned()
        };
        if find(&computations.borrow()).is_none() {
            return Err(Status::not_found("unknown computation"));
        }
        tokio::spawn(async move {
            loop {
                let Some(found) = find(&computations.borrow_and_update()) else {
                    return;
                };
                let progress = found.progress.clone().expect("progress");
                if sender.send(Ok(progress)).await.is_err() || !is_under_way(&found) {
                    return;
                }
                if computations.changed().await.is_err() {
                    return;
                }
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }

    async fn explain(&self, request: Request<v1::ExplainRequest>) -> Answer<v1::ExplainResponse> {
        let id = request.into_inner().computation;
        let computations = self.0.computations.borrow();
        let found = computations.iter().find(|one| one.computation == id);
        let found = found.ok_or_else(|| Status::not_found("unknown computation"))?;
        let branch = v1::Branch {
            position: "0*7+1".to_owned(),
            value: "*2".to_owned(),
            numbers: Some(v1::Numbers {
                proof: 40,
                disproof: 12,
            }),
            jobs: 2,
        };
        let pace = |seconds, expansions, (proof, disproof)| v1::Pace {
            seconds,
            expansions,
            records: 4.0,
            before: Some(v1::Numbers { proof, disproof }),
        };
        let unknown = (u32::MAX, u32::MAX);
        Ok(Response::new(v1::ExplainResponse {
            computation: Some(found.clone()),
            branches: Some(v1::Branches {
                open: vec![branch],
                more: 5,
                are_parts: false,
            }),
            effort: Some(v1::Effort {
                expansions: 1000,
                unwanted_expansions: 100,
                new_records: 80,
                repeated_records: 20,
            }),
            paces: vec![pace(60.0, 3000.0, (30, 10)), pace(75.0, 160.0, unknown)],
        }))
    }

    async fn pause(&self, request: Request<v1::PauseRequest>) -> Answer<v1::PauseResponse> {
        let id = request.into_inner().computation;
        self.change(id, Paused, |computation| !is_under_way(computation))?;
        Ok(Response::new(v1::PauseResponse {}))
    }

    async fn resume(&self, request: Request<v1::ResumeRequest>) -> Answer<v1::ResumeResponse> {
        let id = request.into_inner().computation;
        self.change(id, v1::Status::Running, |computation| {
            status_of(computation) == v1::Status::Solved
        })?;
        Ok(Response::new(v1::ResumeResponse {}))
    }

    async fn set_weight(
        &self,
        request: Request<v1::SetWeightRequest>,
    ) -> Answer<v1::SetWeightResponse> {
        let v1::SetWeightRequest {
            computation,
            weight,
        } = request.into_inner();
        self.0.computations.send_modify(|computations| {
            let mut all = computations.iter_mut();
            if let Some(found) = all.find(|one| one.computation == computation) {
                found.weight = weight;
            }
        });
        Ok(Response::new(v1::SetWeightResponse {}))
    }

    async fn cancel(&self, request: Request<v1::CancelRequest>) -> Answer<v1::CancelResponse> {
        let id = request.into_inner().computation;
        self.change(id, v1::Status::Cancelled, |_| false)?;
        Ok(Response::new(v1::CancelResponse {}))
    }

    async fn query(&self, _: Request<v1::QueryRequest>) -> Answer<v1::QueryResponse> {
        Err(Status::unimplemented("query"))
    }

    async fn line(&self, _: Request<v1::LineRequest>) -> Answer<v1::LineResponse> {
        Err(Status::unimplemented("line"))
    }

    async fn table(&self, _: Request<v1::TableRequest>) -> Answer<v1::TableResponse> {
        Err(Status::unimplemented("table"))
    }

    async fn sources(&self, _: Request<v1::SourcesRequest>) -> Answer<v1::SourcesResponse> {
        Err(Status::unimplemented("no sources"))
    }

    type RecordsStream = tokio_stream::Empty<Result<v1::RecordsResponse, Status>>;

    async fn records(&self, _: Request<v1::RecordsRequest>) -> Answer<Self::RecordsStream> {
        Err(Status::unimplemented("no records"))
    }

    type ExportStream = Pin<Box<dyn Stream<Item = Result<v1::ExportResponse, Status>> + Send>>;

    /// The beginning of an export; the rest never arrives.
    async fn export(&self, request: Request<v1::ExportRequest>) -> Answer<Self::ExportStream> {
        let cursor = request.into_inner().cursor;
        let blocks = self.0.blocks.lock().expect("no panic").clone();
        let begin = Part::Begin(v1::ExportBegin {
            store: 1,
            epoch: 0,
            cursor,
            newest: cursor + 2,
            encodings: game::encodings().into_iter().map(Into::into).collect(),
        });
        let parts = [begin]
            .into_iter()
            .chain(blocks.into_iter().map(Part::Block));
        let parts = parts.map(|part| Ok(v1::ExportResponse { part: Some(part) }));
        let parts: Vec<_> = parts.collect();
        let parts = tokio_stream::iter(parts).chain(tokio_stream::pending());
        Ok(Response::new(Box::pin(parts)))
    }

    async fn revoke(&self, _: Request<v1::RevokeRequest>) -> Answer<v1::RevokeResponse> {
        Err(Status::unimplemented("nothing to revoke"))
    }

    type VerifyStream = tokio_stream::Empty<Result<v1::VerifyResponse, Status>>;

    type BackupStream = Self::ExportStream;

    async fn backup(&self, _: Request<v1::ExportRequest>) -> Answer<Self::BackupStream> {
        Err(Status::unimplemented("backup"))
    }

    type ImportStream = Pin<Box<dyn Stream<Item = Result<v1::ImportResponse, Status>> + Send>>;

    async fn import(&self, _: Request<Streaming<v1::ImportRequest>>) -> Answer<Self::ImportStream> {
        Err(Status::unimplemented("import"))
    }

    async fn verify(&self, _: Request<Streaming<v1::VerifyRequest>>) -> Answer<Self::VerifyStream> {
        Err(Status::unimplemented("verify"))
    }

    async fn fleet(&self, _: Request<v1::FleetRequest>) -> Answer<v1::FleetResponse> {
        let fleet = self.0.fleet.lock().expect("no panic").clone();
        Ok(Response::new(fleet))
    }
}

/// A random number, practically unique.
fn random_id() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}
