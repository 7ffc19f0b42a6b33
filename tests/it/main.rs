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
mod snapshot_files;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    let trials = [architecture::trials(), snapshot_files::trials()].into_iter().flatten().collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
