//! Speed against the budgets of the plan.

pub mod api;
pub mod area;
pub mod cost;
mod embeds;
pub mod import;
mod load;
pub mod nation;
mod report;
pub mod webhooks;
pub mod widget;

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied().unwrap_or_default()
}
