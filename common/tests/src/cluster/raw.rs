//! gRPC messages that no client generated from the `.proto` files would send.

use bytes::{Buf, BufMut};
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Request, Status};

use super::soon;

/// Sends bytes as the message of a call.
pub async fn call(channel: Channel, path: &'static str, message: &[u8]) -> Result<(), Status> {
    let mut grpc = Grpc::new(channel);
    soon(grpc.ready()).await.expect("a connection");
    let (request, path) = (
        Request::new(message.to_vec()),
        PathAndQuery::from_static(path),
    );
    soon(grpc.unary(request, path, Bytes)).await.map(drop)
}

struct Bytes;

impl Codec for Bytes {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Bytes {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, message: Vec<u8>, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put_slice(&message);
        Ok(())
    }
}

impl Decoder for Bytes {
    type Item = Vec<u8>;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        let length = from.remaining();
        Ok(Some(from.copy_to_bytes(length).to_vec()))
    }
}
