//! Notes of many files, each said once.

use std::path::PathBuf;

/// Notes that differ only in the file they are of become one.
pub(crate) fn said_once(notes: Vec<String>, files: &[PathBuf]) -> Vec<String> {
    let mut names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    names.extend(files.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())));
    let file_of = |note: &str| {
        let own =
            names.iter().find(|name| note.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(": ")))?;
        Some((own.clone(), note[own.len() + 2..].to_owned()))
    };
    // What is said, of which file first, and of how many.
    let mut said: Vec<(String, Option<String>, usize)> = Vec::new();
    for note in notes {
        let (file, text) = match file_of(&note) {
            Some((file, text)) => (Some(file), text),
            None => (None, note),
        };
        match said.iter_mut().find(|(known, of, _)| *known == text && of.is_some() == file.is_some()) {
            Some((.., files)) => *files += 1,
            None => said.push((text, file, 1)),
        }
    }
    let told = |(text, file, n): (String, Option<String>, usize)| match file {
        None => text,
        Some(name) if n == 1 => format!("{name}: {text}"),
        Some(name) => format!("{n} files, the first of them {name}: {text}"),
    };
    said.into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_files_have_in_common_is_said_once() {
        let files: Vec<PathBuf> = (0..40).map(|n| PathBuf::from(format!("data/part-{n}.json"))).collect();
        let mut notes = vec!["parcels: 4 ids".to_owned(), "parcels: 4 ids".to_owned()];
        for n in 0..40 {
            notes.push(format!("part-{n}.json: no row has `unit`"));
            notes.push(format!("data/part-{n}.json: there is no .prj"));
        }
        notes.push("part-7.json: no row has `zip`".to_owned());
        let said = said_once(notes, &files);
        assert_eq!(
            said,
            [
                "parcels: 4 ids",
                "40 files, the first of them part-0.json: no row has `unit`",
                "40 files, the first of them data/part-0.json: there is no .prj",
                "part-7.json: no row has `zip`",
            ]
        );
    }
}
