//! Senders of all speeds, in simulated time.

use std::future::pending;

use tokio_stream::wrappers::ReceiverStream;

use super::*;

/// Sends `count` pieces, each after a pause. Returns the number of bytes received, and the seconds after which the
/// sender was too slow, if it was.
async fn send(
    count: usize,
    bytes: usize,
    pause: u64,
    patience: Option<Duration>,
) -> (usize, Option<u64>) {
    let (sender, requests) = mpsc::channel(1);
    let (slow, mut is_slow) = oneshot::channel();
    let began = Instant::now();
    let mut pieces = Pieces::of(ReceiverStream::new(requests), patience, slow, pending());
    let sending = async move {
        for _ in 0..count {
            sleep(Duration::from_secs(pause)).await;
            let _ = sender.send(Ok(vec![0; bytes])).await;
        }
    };
    let reading = async move {
        let mut came = 0;
        while let Some(piece) = pieces.coming.recv().await {
            came += piece.expect("no error").len();
        }
        came
    };
    let mut all = pin!(async { tokio::join!(sending, reading).1 });
    tokio::select! {
        came = &mut all => (came, None),
        Ok(()) = &mut is_slow => (0, Some(began.elapsed().as_secs())),
    }
}

#[tokio::test(start_paused = true)]
async fn a_sender_may_be_slow_but_not_for_long() {
    let patience = Some(PATIENCE);
    let second = SLOWEST as usize;
    assert_eq!(send(600, second, 1, patience).await, (600 * second, None));
    // One pause is allowed, and the next after enough bytes in between.
    assert_eq!(send(5, 30 * second, 29, patience).await.1, None);
    assert_eq!(send(5, second, 29, patience).await.1, Some(31));
    // Half of the rate, and single bytes.
    assert_eq!(send(600, second / 2, 1, patience).await.1, Some(59));
    assert_eq!(send(600, 1, 1, patience).await.1, Some(30));
    assert_eq!(send(2, 1, 3_600, None).await, (2, None));
}
