//! The log of a thread, for tests.

use std::io;
use std::sync::{Arc, Mutex};

/// The log of this thread.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Collects what this thread logs, as long as the guard lives.
    pub fn listen(&self) -> tracing::subscriber::DefaultGuard {
        let log = self.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false);
        let subscriber = subscriber.with_writer(move || log.clone()).finish();
        tracing::subscriber::set_default(subscriber)
    }

    /// What was logged since the last call.
    pub fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
