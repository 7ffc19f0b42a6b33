//! The binary: streams, exit code, and nothing else.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use kubectl_daemonset::args::{self, Cli};
use kubectl_daemonset::commands::{self, Io};
use kubectl_daemonset::completion;
use kubectl_daemonset::error;
use kubectl_daemonset::render::{self, Size};

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(request) = completion::Request::read(std::env::args_os(), |name| std::env::var_os(name)) {
        // A shell that does not listen any more is not told.
        let _ = io::stdout().write_all(completion::answer(request).as_bytes());
        return ExitCode::SUCCESS;
    }
    let cli = args::parse();
    match run(&cli) {
        Ok(code) => code,
        Err(error) if error::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // If stderr is gone there is nobody to tell.
            let _ = writeln!(io::stderr(), "{}", error::text(&error));
            ExitCode::from(error::code(&error))
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut io = Io {
        stdin: &mut io::stdin().lock(),
        out: &mut out,
        err: &mut io::stderr().lock(),
        width: terminal_size(&io::stdout()).map(|size| size.columns),
        size: || terminal_size(&io::stdout()),
        in_color: render::is_wanted(cli.output.color, &io::stdout()),
        err_width: terminal_size(&io::stderr()).map(|size| size.columns),
        err_in_color: render::is_wanted(cli.output.color, &io::stderr()),
        // A question that nobody sees is not answered.
        is_interactive: io::stdin().is_terminal() && io::stderr().is_terminal(),
    };
    let code = commands::run(cli, &mut io)?;
    match out.flush().map_err(anyhow::Error::from) {
        Err(error) if !error::is_closed_pipe(&error) => Err(error),
        // Where the reader has gone the code still tells.
        _ => Ok(code),
    }
}

/// Returns the size of the terminal that a stream is; `COLUMNS` overrides what the terminal says.
fn terminal_size(stream: &impl IsTerminal) -> Option<Size> {
    if !stream.is_terminal() {
        return None;
    }
    let measured = terminal_size::terminal_size().map(|(width, height)| (usize::from(width.0), usize::from(height.0)));
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let columns = columns.or(measured.map(|(columns, _)| columns)).filter(|columns| *columns > 0)?;
    // A terminal that does not know its lines has as many as the first ones had.
    let lines = measured.map(|(_, lines)| lines).filter(|lines| *lines > 0).unwrap_or(24);
    Some(Size { columns, lines })
}
