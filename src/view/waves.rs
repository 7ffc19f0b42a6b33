//! The view of waves: into what an OnDelete rollout is cut up, and what happens between its parts.

use crate::drive::{self, PauseAfter, Read, Settings, Wave, WaveName};

use super::words::{counted, duration, names};

/// Says how the rollout is cut up, one sentence a line; nothing if it is not.
pub fn intent(read: Read<'_>, settings: &Settings) -> Vec<String> {
    let waves = drive::waves(&settings.cut, read.plan, read.nodes);
    let mut lines = Vec::new();
    if waves.iter().any(|wave| wave.name.group().is_some()) {
        let words: Vec<String> = waves.iter().map(words).collect();
        lines.push(format!("In {}, one after the other: {}.", counted(words.len(), "wave"), words.join(", ")));
    }
    if !settings.soak.is_zero() {
        let soak = duration(settings.soak);
        lines.push(format!("Each is watched for {soak} from when its last pod became Ready (--soak)."));
    }
    if settings.has_gate {
        lines.push("Before each batch that follows updated pods, the command of --gate has to succeed.".to_owned());
    }
    if let Some(pause_after) = settings.pause_after {
        let what = match pause_after {
            PauseAfter::Canary => "the canary",
            PauseAfter::Group => "the canary and each group",
        };
        let until = if settings.goes_on { "but for what is done already" } else { "until --continue" };
        lines.push(format!("Ends after {what}, {until}."));
    }
    lines
}

/// Words a wave with its nodes: how many, and which where nobody would guess.
fn words(wave: &Wave<'_>) -> String {
    let (enough, arrived) = wave.count();
    let all: Vec<&str> = wave.nodes.iter().map(|node| node.name.as_str()).collect();
    let is_guessed = matches!(wave.name, WaveName::Group { .. } | WaveName::Rest);
    let count = if wave.name == WaveName::Canary { enough } else { all.len() };
    let nodes = match count == all.len() && !is_guessed {
        true => names(&all),
        false => counted(count, "node"),
    };
    let done = match wave.done_since() {
        Some(_) => ", done".to_owned(),
        None if arrived > 0 => format!(", {arrived} updated"),
        None => String::new(),
    };
    format!("{} ({nodes}{done})", wave.name)
}
