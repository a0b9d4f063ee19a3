//! Tools find the services of the port.

use crate::stand::{SOON, Stand, asking, knowing};
use sproutnet_proto::FILE_DESCRIPTOR_SET;
use tokio::time::timeout;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

async fn ask(stand: &Stand, question: MessageRequest) -> MessageResponse {
    let request = ServerReflectionRequest {
        message_request: Some(question),
        ..ServerReflectionRequest::default()
    };
    let mut client = ServerReflectionClient::new(stand.connect(&knowing()));
    let answers = client.server_reflection_info(tokio_stream::once(request));
    let mut answers = timeout(SOON, answers).await.unwrap().unwrap().into_inner();
    let answer = timeout(SOON, answers.message()).await.unwrap().unwrap();
    answer.unwrap().message_response.unwrap()
}

#[tokio::test]
async fn services_and_their_files_are_told() {
    let stand = Stand::start(asking()).await;
    let answer = ask(&stand, MessageRequest::ListServices(String::new())).await;
    let MessageResponse::ListServicesResponse(services) = answer else {
        panic!("{answer:?}");
    };
    let names: Vec<_> = services
        .service
        .into_iter()
        .map(|service| service.name)
        .collect();
    for name in ["sproutnet.v1.ClientService", "sproutnet.v1.WorkerService"] {
        assert!(names.iter().any(|found| found == name), "{names:?}");
        let answer = ask(
            &stand,
            MessageRequest::FileContainingSymbol(name.to_owned()),
        )
        .await;
        let MessageResponse::FileDescriptorResponse(files) = answer else {
            panic!("{answer:?}");
        };
        assert!(!files.file_descriptor_proto.is_empty());
    }
}

#[test]
fn the_descriptors_are_complete() {
    let set = <prost_types::FileDescriptorSet as prost::Message>::decode(FILE_DESCRIPTOR_SET);
    let names: Vec<_> = set
        .unwrap()
        .file
        .into_iter()
        .map(|file| file.name.unwrap())
        .collect();
    for name in ["client.proto", "common.proto", "worker.proto"] {
        assert!(names.contains(&format!("sproutnet/v1/{name}")), "{names:?}");
    }
}
