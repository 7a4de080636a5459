//! The sums seen from outside, case by case.

#![allow(clippy::disallowed_methods, reason = "expected figures may come from the platform's own functions")]

mod answers;
mod any_bill;
mod any_owner;
mod anything;
mod areas;
mod buyer;
mod calibration;
mod cambridge;
mod details;
mod drawing;
mod fixture;
mod home;
mod integrity;
mod measures;
mod names;
mod published;
mod records;
mod second_looks;
mod shared;
mod solar;
mod solar_places;
mod towns;
mod utility;
mod worked;
