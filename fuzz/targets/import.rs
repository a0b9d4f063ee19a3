#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sproutnet_fuzz::import(bytes));
