//! Checks that the generated code is current. With `SPROUTNET_GENERATE` set, writes it instead.

use std::fs;
use std::path::Path;

use prost_types::FileDescriptorSet;

/// Each path with one request and one response.
fn unary(descriptors: &FileDescriptorSet) -> String {
    let mut paths = String::from("&[\n");
    for file in &descriptors.file {
        for service in &file.service {
            for method in &service.method {
                if !method.client_streaming() && !method.server_streaming() {
                    let (package, service) = (file.package(), service.name());
                    paths.push_str(&format!(
                        "    \"/{package}.{service}/{}\",\n",
                        method.name()
                    ));
                }
            }
        }
    }
    paths + "]\n"
}

#[test]
fn generated_code_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["client.proto", "worker.proto"].map(|name| root.join("sproutnet/v1").join(name));
    let descriptors = protox::compile(files, [root]).unwrap();
    let out = tempfile::tempdir().unwrap();
    let encoded = prost::Message::encode_to_vec(&descriptors);
    let paths = unary(&descriptors);
    tonic_prost_build::configure()
        .out_dir(out.path())
        .compile_fds(descriptors)
        .unwrap();
    let code = fs::read(out.path().join("sproutnet.v1.rs")).unwrap();
    let generated = root.join("src/generated");
    for (name, content) in [
        ("descriptors.bin", encoded),
        ("unary.in", paths.into_bytes()),
        ("sproutnet.v1.in", code),
    ] {
        let file = generated.join(name);
        if std::env::var_os("SPROUTNET_GENERATE").is_some() {
            fs::create_dir_all(&generated).unwrap();
            fs::write(&file, content).unwrap();
        } else {
            let stored = fs::read(&file).unwrap_or_default();
            assert!(
                stored == content,
                "{name} is old: run with SPROUTNET_GENERATE=1"
            );
        }
    }
}
