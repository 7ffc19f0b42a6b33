//! Screen: draws a text where the one before it stood, at the end of what is on the terminal.
//!
//! There is no other screen to switch to and nothing to restore: whatever was drawn last remains.

use super::line::width;

/// Columns and lines of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub columns: usize,
    /// Lines.
    pub lines: usize,
}

/// What stands on the terminal.
#[derive(Debug, Default)]
pub struct Screen {
    /// Lines with their colors.
    drawn: Vec<String>,
}

impl Screen {
    /// Returns what takes the text away that was drawn last.
    pub fn clear(&mut self, size: Size) -> String {
        let rows: usize = self.drawn.drain(..).map(|line| rows(&line, size.columns)).sum();
        // What has scrolled away cannot be reached.
        match rows.min(size.lines.saturating_sub(1)) {
            0 => String::new(),
            rows => format!("\x1b[{rows}A\r\x1b[J"),
        }
    }

    /// Returns what draws a text in the place of the last one. Of a text that is too long the beginning is drawn.
    pub fn draw(&mut self, text: &str, size: Size) -> String {
        let mut drawing = self.clear(size);
        self.drawn = fitting(text, size);
        for line in &self.drawn {
            drawing.push_str(line);
            drawing.push('\n');
        }
        drawing
    }
}

/// Returns the lines that fit, and as the last one how many more there are.
fn fitting(text: &str, size: Size) -> Vec<String> {
    // The last line of the terminal is where the cursor stands.
    let room = size.lines.saturating_sub(1).max(1);
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = num_fitting(&lines, room, size.columns);
    let mut drawn = Vec::new();
    if shown < lines.len() {
        shown = num_fitting(&lines, room - 1, size.columns);
        drawn.push(format!("… {} more lines", lines.len() - shown));
    }
    drawn.splice(..0, lines[..shown].iter().map(|line| (*line).to_owned()));
    drawn
}

/// Returns how many of the lines fit in so many lines of the terminal.
fn num_fitting(lines: &[&str], room: usize, columns: usize) -> usize {
    let mut taken = 0;
    let fits = |line: &&&str| {
        taken += rows(line, columns);
        taken <= room
    };
    lines.iter().take_while(fits).count()
}

/// Returns the lines that a text takes on a terminal of so many columns.
fn rows(line: &str, columns: usize) -> usize {
    let plain = anstream::adapter::strip_str(line).to_string();
    width(&plain).div_ceil(columns.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::{Screen, Size};

    const SIZE: Size = Size { columns: 10, lines: 5 };

    #[test]
    fn a_text_takes_the_place_of_the_last_one() {
        let mut screen = Screen::default();
        assert_eq!(screen.draw("one\ntwo\n", SIZE), "one\ntwo\n");
        assert_eq!(screen.draw("\u{1b}[31mthree\u{1b}[0m\n", SIZE), "\u{1b}[2A\r\u{1b}[J\u{1b}[31mthree\u{1b}[0m\n");
        assert_eq!(screen.clear(SIZE), "\u{1b}[1A\r\u{1b}[J");
        assert_eq!(screen.clear(SIZE), "");
    }

    #[test]
    fn long_lines_take_several_lines_of_the_terminal() {
        let mut screen = Screen::default();
        screen.draw("0123456789\n01234567890\n", SIZE);
        assert_eq!(screen.clear(SIZE), "\u{1b}[3A\r\u{1b}[J");
        screen.draw("0123456789\n", SIZE);
        // The terminal has become narrower since, and has broken the line.
        assert_eq!(screen.clear(Size { columns: 5, ..SIZE }), "\u{1b}[2A\r\u{1b}[J");
    }

    #[test]
    fn of_a_long_text_the_beginning_is_drawn() {
        let mut screen = Screen::default();
        assert_eq!(screen.draw("1\n2\n3\n4\n", SIZE), "1\n2\n3\n4\n");
        let cleared = "\u{1b}[4A\r\u{1b}[J";
        assert_eq!(screen.draw("1\n2\n3\n4\n5\n", SIZE), format!("{cleared}1\n2\n3\n… 2 more lines\n"));
        assert_eq!(screen.draw("1\n01234567890\n3\n4\n", SIZE), format!("{cleared}1\n01234567890\n… 2 more lines\n"));
        assert_eq!(screen.draw("1\n2\n", Size { lines: 1, ..SIZE }), "… 2 more lines\n");
    }
}
