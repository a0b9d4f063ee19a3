#![allow(missing_docs, clippy::pedantic)]
use sproutnet_common::game::*;
use sproutnet_common::play::*;
use sproutnet_common::search::*;
use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
fn rss() -> f64 {
    let s = std::fs::read_to_string("/proc/self/statm").unwrap();
    s.split(' ').nth(1).unwrap().parse::<f64>().unwrap() * 4096.0
}
fn search<C: Convention>(text: &str) -> Vec<Record> {
    let lands = Arc::new(Lands::new(Arc::new(Sprouts)));
    let c = C::new(lands.clone());
    let p = Sprouts.parse(text).unwrap();
    let table = Table::new(256 << 20).unwrap();
    let state = c.state(&p);
    let control = Control::until(None);
    let (e, t) = (expansions_by_this_thread(), cpu());
    let n = Search::new(&c, &table, &control).run(&state);
    let (e, t) = (expansions_by_this_thread() - e, cpu() - t);
    println!(
        "{text} {:?} expansions {e} cpu {t:.2} s: {:.0}/s, visits {}, lands {}",
        n.outcome(),
        e as f64 / t,
        control.visits(),
        lands.len()
    );
    c.take_records()
}
fn write(path: &str, records: &[Record]) {
    let mut f = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    for r in records {
        f.write_all(&(r.key.len() as u32).to_le_bytes()).unwrap();
        f.write_all(&r.key).unwrap();
        f.write_all(&r.value.to_le_bytes()).unwrap();
    }
}
fn read(path: &str) -> Vec<Record> {
    let b = std::fs::read(path).unwrap();
    let mut at = 0;
    let mut out = vec![];
    while at < b.len() {
        let n = u32::from_le_bytes(b[at..at + 4].try_into().unwrap()) as usize;
        let key = b[at + 4..at + 4 + n].into();
        let value = u64::from_le_bytes(b[at + 4 + n..at + 12 + n].try_into().unwrap());
        out.push(Record { key, value });
        at += 12 + n;
    }
    out
}
fn generate(n: usize) -> Vec<Record> {
    let lands = Lands::new(Arc::new(Sprouts));
    let p = Sprouts.parse("0*16").unwrap();
    let root = lands.intern(&p.lands()[0]);
    let mut seen = HashSet::new();
    let mut queue = vec![root];
    let mut out = vec![];
    let mut r = 1u64;
    while out.len() < n {
        r = r.wrapping_mul(6364136223846793005).wrapping_add(1);
        let i = (r >> 33) as usize % queue.len();
        let id = queue.swap_remove(i);
        for o in lands.options(id, &|| false).unwrap().iter() {
            for &l in o {
                if lands.length(l) > 12 && seen.insert(l) {
                    queue.push(l);
                    out.push(Record::new(
                        &Sprouts,
                        Play::Normal,
                        lands.land(l).as_bytes(),
                        2 << 60,
                    ));
                }
            }
        }
    }
    out.truncate(n);
    out
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let run = move || match &args[1][..] {
        "normal" => write("/tmp/play-n.bin", &search::<Normal>(&args[2])),
        "misere" => write("/tmp/play-m.bin", &search::<Misere>(&args[2])),
        "generate" => write("/tmp/play-g.bin", &generate(args[2].parse().unwrap())),
        "learn" => {
            let records = read(&args[2]);
            let len: usize = records.iter().map(|r| r.key.len()).sum();
            let k = Knowledge::default();
            let (m, t, w) = (rss(), cpu(), Instant::now());
            for r in &records {
                k.learn(&r.key, r.value).unwrap();
            }
            println!(
                "learn {} records of {:.1} B: {:.3} us cpu ({:.3} wall), {:.1} B each",
                records.len(),
                len as f64 / records.len() as f64,
                (cpu() - t) * 1e6 / records.len() as f64,
                w.elapsed().as_secs_f64() * 1e6 / records.len() as f64,
                (rss() - m) / records.len() as f64
            );
            let t = cpu();
            for r in &records {
                k.learn(&r.key, r.value).unwrap();
            }
            println!(
                "again {:.3} us cpu; bytes() says {:.1} B each",
                (cpu() - t) * 1e6 / records.len() as f64,
                k.bytes() as f64 / records.len() as f64
            );
            let lands = k.game("sprouts").unwrap().lands.len();
            println!("{lands} lands");
            let t = cpu();
            for _ in 0..10 {
                for r in &records {
                    k.learn(&r.key, r.value).unwrap();
                }
            }
            println!(
                "again {:.3} us cpu; bytes() says {:.1} B each",
                (cpu() - t) * 1e5 / records.len() as f64,
                k.bytes() as f64 / records.len() as f64
            );
            let lands = k.game("sprouts").unwrap().lands.len();
            println!("{lands} lands");
            let k = Knowledge::default();
            let t = cpu();
            let some = &records[..records.len().min(500_000)];
            for r in some {
                k.check(&r.key, r.value).unwrap();
            }
            println!("check {:.3} us cpu", (cpu() - t) * 1e6 / some.len() as f64);
        }
        _ => panic!(),
    };
    std::thread::Builder::new()
        .stack_size(1 << 30)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}
