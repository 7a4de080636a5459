//! The sums seen from outside, case by case.

mod answers;
mod anything;
mod drawing;
mod fixture;
mod measures;
mod records;
mod second_looks;
