//! The estimates, tested through the public interface, case by case.

#![allow(clippy::disallowed_methods, reason = "expected figures may come from the platform's own functions")]

mod arbitrary_bills;
mod arbitrary_input;
mod arbitrary_owners;
mod areas;
mod buyer;
mod calibration;
mod cambridge;
mod checks;
mod coverage;
mod details;
mod drawing;
mod fixture;
mod gate;
mod home;
mod integrity;
mod materials;
mod measures;
mod names;
mod no_home;
mod published;
mod records;
mod results;
mod shared;
mod solar;
mod solar_places;
mod towns;
mod usual_sizes;
mod utility;
mod worked_examples;
mod works;
