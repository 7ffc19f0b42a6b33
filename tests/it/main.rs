//! The one integration binary: everything that needs more than a unit test.
//!
//! It has its own `main`, so that its last lines can say plainly what was left out.

/// Lists the test functions of a module.
macro_rules! trials {
    ($($name:ident),* $(,)?) => {
        pub fn trials() -> Vec<libtest_mimic::Trial> {
            vec![$(libtest_mimic::Trial::test(concat!(module_path!(), "::", stringify!($name)), || {
                $name();
                Ok(())
            })),*]
        }
    };
}

mod architecture;
mod cases;
mod cli;
mod cluster;
mod completion;
mod findings;
mod go;
mod guides;
mod live;
mod oracle;
mod readme;
mod release;
mod snapshot_files;
mod support;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Mutex;

use libtest_mimic::Arguments;

/// What this run did not test, and why.
static LEFT_OUT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Notes something that this run does not test.
fn left_out(what: &'static str) {
    LEFT_OUT.lock().expect("no test panics while it holds the lock").insert(what);
}

fn main() -> ExitCode {
    let modules = [
        architecture::trials(),
        cases::trials(),
        cli::all_trials(),
        cluster::all_trials(),
        completion::all_trials(),
        findings::trials(),
        guides::trials(),
        live::all_trials(),
        oracle::trials(),
        readme::trials(),
        release::all_trials(),
        snapshot_files::trials(),
    ];
    let trials = modules.into_iter().flatten().collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    cluster::end_shared();
    for what in LEFT_OUT.lock().expect("no test panics while it holds the lock").iter() {
        println!("left out: {what}");
    }
    conclusion.exit_code()
}
