use prost::Message;
use prost_types::FileDescriptorSet;

use super::*;

#[test]
fn every_call_has_a_role() {
    let described = FileDescriptorSet::decode(sproutnet_proto::FILE_DESCRIPTOR_SET).unwrap();
    let mut calls = 0;
    for file in &described.file {
        for service in &file.service {
            for method in &service.method {
                let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                assert!(role_of(&path).is_some(), "{path}");
                calls += 1;
            }
        }
    }
    assert!(calls > 15, "{calls}");
    assert_eq!(needed("/sproutnet.v1.ClientService/Unknown"), Role::Admin);
    assert_eq!(needed("/other.Service/Call"), Role::Admin);
}
