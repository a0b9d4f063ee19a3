use std::sync::mpsc;

use axum::body::to_bytes;

use super::*;

#[tokio::test]
async fn all_that_is_written_arrives() {
    let sent = vec![7; 3 * PART + 1];
    let written = sent.clone();
    let body = download(Duration::from_secs(60), move |mut out, _| {
        out.write_all(&written)?;
        out.flush()
    });
    assert_eq!(to_bytes(body, usize::MAX).await.expect("a body"), sent);
}

#[tokio::test]
async fn a_body_that_cannot_be_made_ends_with_the_error() {
    let body = download(Duration::from_secs(60), |mut out, _| {
        out.write_all(b"all but ")?;
        out.flush()?;
        Err(io::Error::other("the rest"))
    });
    let error = to_bytes(body, usize::MAX).await.expect_err("no end");
    assert!(format!("{error:?}").contains("the rest"), "{error:?}");
}

#[tokio::test]
async fn the_writer_learns_that_the_client_has_left() {
    let (sender, ended) = mpsc::channel();
    let body = download(Duration::from_secs(60), move |mut out, taker| {
        let left = loop {
            if let Err(left) = out.write_all(&vec![7; PART]) {
                break left;
            }
        };
        let _ = sender.send((left.kind(), taker.is_gone()));
        Ok(())
    });
    drop(body);
    let told = tokio::task::spawn_blocking(move || ended.recv()).await;
    let told = told.expect("no panic").expect("a result");
    assert_eq!(told, (io::ErrorKind::BrokenPipe, true));
}

#[tokio::test]
async fn a_client_who_takes_nothing_is_too_slow() {
    let (sender, ended) = mpsc::channel();
    let body = download(Duration::from_millis(50), move |mut out, taker| {
        let slow = out
            .write_all(&vec![7; 4 * PART])
            .expect_err("nobody takes it");
        let _ = sender.send((slow.kind(), taker.is_gone()));
        Ok(())
    });
    let told = tokio::task::spawn_blocking(move || ended.recv()).await;
    let told = told.expect("no panic").expect("a result");
    assert_eq!(told, (io::ErrorKind::TimedOut, true));
    drop(body);
}
