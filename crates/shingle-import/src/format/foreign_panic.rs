//! Readers of other people that panic over a damaged file, which is a fault of the file and not of the program.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// What the work gives; `None` where it panicked. What it worked on must not be used again then.
pub(crate) fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Option<T> {
    // A caught panic is reported as an error, and not in the log as well.
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let told = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_CAUGHT.get() {
                told(panic);
            }
        }));
    });
    let outer = IS_CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(outer);
    done.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_none_and_the_next_work_goes_on() {
        for number in 1..4 {
            let broken = unless_it_panics(|| -> usize { panic!("{number} is too many") });
            assert_eq!(broken, None);
            assert_eq!(unless_it_panics(|| number), Some(number));
        }
        assert!(!IS_CAUGHT.get());
    }
}
