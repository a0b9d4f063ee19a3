//! Compiles the `.proto` files with protox, so that no `protoc` is needed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = ["sproutnet/v1/client.proto", "sproutnet/v1/worker.proto"];
    for file in files {
        println!("cargo::rerun-if-changed={file}");
    }
    println!("cargo::rerun-if-changed=sproutnet/v1/common.proto");
    let descriptors = protox::compile(files, ["."])?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
