//! Does the work grow with the cluster, and no faster?
//!
//! Writes synthetic clusters, lets `plan` read each under callgrind, and compares the instructions of a cluster with those
//! of one ten times its size. Run it with `cargo bench --bench scale`; it needs valgrind, 2 GB of disk and half an hour.
//! Arguments choose formats: `cargo bench --bench scale -- json`.

mod cluster;

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use cluster::Format;

/// Most that the instructions may grow when the cluster grows tenfold.
const MAX_RATIO: f64 = 10.5;

/// The clusters, smaller first. Valgrind takes hours for YAML of 100,000 nodes; a tenth shows the same.
const SERIES: [(&str, Format, [usize; 2]); 2] =
    [("json", Format::Json, [10_000, 100_000]), ("yaml", Format::Yaml, [1_000, 10_000])];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let mut out = std::io::stdout();
    let mut is_linear = true;
    writeln!(out, "{:<8}{:>9}{:>16}{:>20}{:>8}", "FORMAT", "NODES", "BYTES", "INSTRUCTIONS", "RATIO")?;
    for (name, format, sizes) in
        SERIES.iter().filter(|(name, ..)| chosen.is_empty() || chosen.iter().any(|c| c == name))
    {
        let mut before = None;
        for nodes in sizes {
            let (bytes, instructions) = measure(name, *format, *nodes)?;
            let ratio = before.map(|before| ratio(instructions, before));
            let shown = ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
            writeln!(out, "{name:<8}{nodes:>9}{bytes:>16}{instructions:>20}{shown:>8}")?;
            is_linear &= ratio.is_none_or(|ratio| ratio <= MAX_RATIO);
            before = Some(instructions);
        }
    }
    if !is_linear {
        writeln!(out, "a cluster ten times as large takes more than {MAX_RATIO} times the instructions")?;
    }
    Ok(if is_linear { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[allow(clippy::cast_precision_loss, reason = "two digits are shown")]
fn ratio(instructions: u64, before: u64) -> f64 {
    instructions as f64 / before as f64
}

/// Writes a cluster and plans on it; returns the size of the file and the instructions that took.
fn measure(name: &str, format: Format, nodes: usize) -> Result<(u64, u64), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("scale-{nodes}.{name}"));
    let mut writer = BufWriter::new(File::create(&file)?);
    cluster::write(nodes, format, &mut writer)?;
    writer.flush()?;
    let bytes = fs::metadata(&file)?.len();
    let instructions = count_instructions(&file, &folder.join("callgrind.out"));
    fs::remove_file(&file)?;
    Ok((bytes, instructions?))
}

fn count_instructions(snapshot: &Path, profile: &Path) -> Result<u64, Box<dyn Error>> {
    let run = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(env!("CARGO_BIN_EXE_kubectl-daemonset"))
        .args(["plan", "--output", "json", "--snapshot"])
        .arg(snapshot)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()?;
    let messages = String::from_utf8_lossy(&run.stderr);
    if !run.status.success() {
        return Err(format!("plan under valgrind: {}: {messages}", run.status).into());
    }
    let text = fs::read_to_string(profile)?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")));
    let total = total.and_then(|total| total.split_whitespace().next()).ok_or("callgrind wrote no total")?;
    Ok(total.parse()?)
}
