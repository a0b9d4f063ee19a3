//! The number of connections, in all and from one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of permits below which one address may take all.
const FEW: usize = 64;

/// Permits for connections. One address may take at most half of them, so that it cannot keep all others out.
#[derive(Clone, Debug)]
pub struct Permits(Arc<Mutex<Taken>>);

#[derive(Debug)]
struct Taken {
    free: usize,
    from_one_address: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// A permit, which returns when this is dropped.
#[derive(Debug)]
pub struct Permit {
    permits: Permits,
    address: Option<IpAddr>,
}

impl Permits {
    /// `most` free permits.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Taken {
            free: most,
            from_one_address: most.div_ceil(2).max(FEW.min(most)),
            by_address: HashMap::new(),
        })))
    }

    /// Takes a permit for a connection from an address, if known. `None` if none is left, or none for this address.
    pub fn take(&self, address: Option<IpAddr>) -> Option<Permit> {
        let mut taken = self.taken();
        taken.free.checked_sub(1)?;
        if let Some(address) = address {
            let most = taken.from_one_address;
            let of_address = taken.by_address.entry(address).or_default();
            if *of_address == most {
                return None;
            }
            *of_address += 1;
        }
        taken.free -= 1;
        Some(Permit {
            permits: self.clone(),
            address,
        })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut taken = self.permits.taken();
        taken.free += 1;
        if let Some(address) = self.address
            && let Some(of_address) = taken.by_address.get_mut(&address)
        {
            *of_address -= 1;
            if *of_address == 0 {
                taken.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests;
