//! HTTP requests over kept connections, with a thread for each, and what they cost the process that answers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};

/// Requests to one server, by their number.
pub struct Load<'a> {
    pub to: SocketAddr,
    pub connections: usize,
    pub requests: usize,
    pub request: &'a (dyn Fn(usize) -> Vec<u8> + Sync),
    /// Of every response.
    pub status: u16,
}

pub struct Measured {
    /// Processor time of the server for one request, in microseconds.
    pub cpu_micros: f64,
    pub per_second: f64,
    pub median_wait: Duration,
}

impl Load<'_> {
    /// `pid` is the server's process.
    pub fn measure(&self, pid: u32) -> Result<Measured> {
        let connections = (0..self.connections)
            .map(|_| TcpStream::connect(self.to).context("a connection"))
            .collect::<Result<Vec<_>>>()?;
        let (cpu, begun) = (cpu_time(pid)?, now());
        let turns = thread::scope(|scope| {
            let threads: Vec<_> = connections
                .into_iter()
                .enumerate()
                .map(|(first, stream)| scope.spawn(move || self.turn(first, stream)))
                .collect();
            threads
                .into_iter()
                .map(|one| one.join().map_err(|_| anyhow!("a thread panicked"))?)
                .collect::<Result<Vec<_>>>()
        })?;
        let (cpu, took) = (cpu_time(pid)?.saturating_sub(cpu), begun.elapsed());
        let mut waits = turns.concat();
        waits.sort();
        let count = waits.len() as f64;
        Ok(Measured {
            cpu_micros: cpu.as_secs_f64() * 1e6 / count,
            per_second: count / took.as_secs_f64(),
            median_wait: waits.get(waits.len() / 2).copied().unwrap_or_default(),
        })
    }

    fn turn(&self, first: usize, mut stream: TcpStream) -> Result<Vec<Duration>> {
        stream.set_nodelay(true)?;
        let mut waits = Vec::with_capacity(self.requests / self.connections + 1);
        let mut buffer = Vec::with_capacity(64 * 1024);
        for number in (first..self.requests).step_by(self.connections) {
            let request = (self.request)(number);
            let begun = now();
            stream.write_all(&request)?;
            let status = read_response(&mut stream, &mut buffer)?;
            waits.push(begun.elapsed());
            ensure!(status == self.status, "{}", String::from_utf8_lossy(&buffer));
        }
        Ok(waits)
    }
}

/// Reads one response, whose length must be given; its status.
fn read_response(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<u16> {
    buffer.clear();
    let mut part = [0; 16 * 1024];
    let mut whole = None;
    loop {
        let count = stream.read(&mut part)?;
        ensure!(count > 0, "the server closed the connection");
        buffer.extend_from_slice(part.get(..count).unwrap_or_default());
        if whole.is_none()
            && let Some(head) = buffer.windows(4).position(|four| four == b"\r\n\r\n")
        {
            let text = String::from_utf8_lossy(buffer.get(..head).unwrap_or_default()).to_ascii_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
            let Some(length) = length.and_then(|text| text.trim().parse::<usize>().ok()) else {
                bail!("a response without a length: {text}");
            };
            let status = text.split(' ').nth(1).and_then(|word| word.parse().ok()).context("a status")?;
            whole = Some((head + 4 + length, status));
        }
        if let Some((length, status)) = whole
            && buffer.len() >= length
        {
            return Ok(status);
        }
    }
}

/// Processor time of a process up to now, in user and system mode.
pub fn cpu_time(pid: u32) -> Result<Duration> {
    /// Linux tells processor times in hundredths of a second, on every machine.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).context("processor times are read from /proc")?;
    // The name of the program is in parentheses and may hold spaces.
    let fields: Vec<&str> = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).and_then(|text| text.parse::<u64>().ok()).context("a time in /proc");
    Ok(Duration::from_secs_f64((ticks(11)? + ticks(12)?) as f64 / TICKS_PER_SECOND))
}

/// Memory that a process holds, in bytes.
pub fn resident_bytes(pid: u32) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("VmRSS in /proc")?;
    Ok(line.trim().trim_end_matches(" kB").trim().parse::<u64>()? * 1024)
}

#[allow(clippy::disallowed_methods, reason = "measures real time")]
pub fn now() -> Instant {
    Instant::now()
}
