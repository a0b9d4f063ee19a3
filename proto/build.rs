//! Compiles the `.proto` files with protox, so that no `protoc` is needed.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use prost::Message as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A folder stands for every file in it.
    println!("cargo::rerun-if-changed=sproutnet");
    let files = ["sproutnet/v1/client.proto", "sproutnet/v1/worker.proto"];
    let descriptors = protox::compile(files, ["."])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;

    let mut unary = String::from("&[");
    for file in &descriptors.file {
        for service in &file.service {
            for method in &service.method {
                if !method.client_streaming() && !method.server_streaming() {
                    let path = (file.package(), service.name(), method.name());
                    write!(unary, "\"/{}.{}/{}\",", path.0, path.1, path.2)?;
                }
            }
        }
    }
    unary.push(']');
    fs::write(out.join("unary.rs"), unary)?;

    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
