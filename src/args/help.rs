//! Help: laid out as kubectl's, on one screen with `-h`, whole with `--help`.

use clap::{Command, CommandFactory, FromArgMatches};

use super::Cli;

/// What kubectl prints in this order, too: what it is, examples, commands and flags, usage.
const LAYOUT: &str = "{about}{after-help}\n\n{all-args}\n\n{usage-heading}\n  {usage}\n\n{before-help}";

/// How many examples fit on a screen.
const NUM_EXAMPLES: usize = 2;

/// Flags whose defaults nearly always do, so that `-h` leaves them out, as it leaves out those of the connection.
const RARE: [&str; 4] = ["field_manager", "controller_wait", "pod_timeout", "stall_after"];

/// Returns the command line with its help laid out.
pub fn command() -> Command {
    let command = with_few_examples(Cli::command()).help_template(LAYOUT);
    command.before_help("Use \"kubectl daemonset COMMAND -h\" for more about a command.").mut_subcommands(laid_out)
}

/// Reads the command line of this process; prints help or what is wrong with it, and ends, if there is no more to do.
pub fn parse() -> Cli {
    let matches = command().get_matches();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command()).exit())
}

fn laid_out(verb: Command) -> Command {
    with_few_examples(verb).help_template(LAYOUT).mut_args(|flag| match RARE.contains(&flag.get_id().as_str()) {
        true => flag.hide_short_help(true),
        false => flag,
    })
}

/// Leaves the first examples in the short help, and all in the long one.
fn with_few_examples(command: Command) -> Command {
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let first: Vec<_> = examples.split("\n\n").take(NUM_EXAMPLES).collect();
    command.after_help(first.join("\n\n")).after_long_help(examples)
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn the_definition_holds_together() {
        command().debug_assert();
    }

    #[test]
    fn every_verb_has_examples() {
        for verb in command().get_subcommands() {
            let examples = verb.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.starts_with("Examples:\n  # "), "{}", verb.get_name());
            let uses = examples.matches(&format!("kubectl daemonset {}", verb.get_name())).count();
            assert!(uses > 0, "{}", verb.get_name());
        }
    }
}
