//! A path of a drawing, as places. SVG, PNG and PDF each write it in their own way.

use crate::view::Text;

pub type Place = [i32; 2];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    Move(Place),
    Line(Place),
    Close,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Path(Vec<Stroke>);

impl Path {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn strokes(&self) -> &[Stroke] {
        &self.0
    }

    pub(crate) fn line(&mut self, places: &[Place]) {
        for (at, place) in places.iter().enumerate() {
            self.0.push(if at == 0 { Stroke::Move(*place) } else { Stroke::Line(*place) });
        }
    }

    pub(crate) fn outline(&mut self, ring: &[Place]) {
        self.line(ring);
        self.0.push(Stroke::Close);
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// What an SVG has as `d`.
    pub fn svg(&self) -> String {
        let mut text = String::new();
        for stroke in &self.0 {
            match stroke {
                Stroke::Move(to) => written(&mut text, 'M', to),
                Stroke::Line(to) => written(&mut text, 'L', to),
                Stroke::Close => text.push('Z'),
            }
        }
        text
    }
}

/// A letter of an SVG path with its numbers.
pub(crate) fn written(text: &mut String, command: char, numbers: &[i32]) {
    text.push(command);
    text.push_str(&join(numbers));
}

pub(crate) fn join(numbers: &[i32]) -> String {
    let mut text = String::new();
    for (at, n) in numbers.iter().enumerate() {
        if at > 0 {
            text.push(' ');
        }
        text.push_str(&n.to_string());
    }
    text
}

impl From<Path> for Text {
    fn from(path: Path) -> Self {
        path.svg().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_written_as_an_svg_has_it() {
        let mut path = Path::default();
        assert_eq!((path.is_empty(), path.svg().as_str()), (true, ""));
        path.outline(&[[0, 0], [150, 150], [-3, 300]]);
        path.line(&[[1, 2], [3, 4]]);
        assert_eq!(path.svg(), "M0 0L150 150L-3 300ZM1 2L3 4");
        assert_eq!(path.strokes().len(), 6);
    }
}
