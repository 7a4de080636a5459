//! How often visitors, widgets and keys may send requests.

use serde::{Deserialize, Serialize};

/// Requests per minute of the visitors of one network (`…_per_visitor`: an IPv4 /24 or an IPv6 /48) and of all visitors of
/// one widget together (`…_per_widget`). A burst of the same size is allowed. `…_a_day` counts days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitSettings {
    pub sessions_per_visitor: u32,
    pub suggestions_per_visitor: u32,
    pub suggestions_per_widget: u32,
    pub roofs_per_visitor: u32,
    pub roofs_per_widget: u32,
    pub leads_per_visitor: u32,
    /// Beyond this rate a lead is kept as suspect; at ten times of it leads are refused.
    pub leads_per_widget: u32,
    /// A day: of one network, of one widget, and of one account in one environment.
    pub leads_per_visitor_a_day: u32,
    pub leads_per_widget_a_day: u32,
    pub leads_per_account_a_day: u32,
    /// Per day: more requests than this are reading out the index. Beyond a quarter of it at once, and beyond what a
    /// widget has, browsers have to work; ten times of a widget's are its end.
    pub suggestions_per_visitor_a_day: u32,
    pub suggestions_per_widget_a_day: u32,
    pub roofs_per_visitor_a_day: u32,
    pub roofs_per_widget_a_day: u32,
    /// What homeowners add to their leads: answers, a material, a visit that they ask for.
    pub lead_changes_per_visitor: u32,
    pub lead_changes_per_widget: u32,
    /// Checks of a site, each of which makes a request to it.
    pub checks_per_visitor: u32,
    pub checks_per_widget: u32,
    /// Photographs of roofs, each of which is decoded.
    pub photos_per_visitor: u32,
    pub photos_per_widget: u32,
    /// Requests per minute with one API key.
    pub requests_per_key: u32,
    /// Connections at one time from one address (of IPv6, a /64). Proxies that are trusted have no such limit.
    pub connections_per_address: u32,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            sessions_per_visitor: 120,
            suggestions_per_visitor: 600,
            suggestions_per_widget: 6_000,
            roofs_per_visitor: 60,
            roofs_per_widget: 1_200,
            leads_per_visitor: 20,
            leads_per_widget: 240,
            leads_per_visitor_a_day: 400,
            leads_per_widget_a_day: 20_000,
            leads_per_account_a_day: 100_000,
            suggestions_per_visitor_a_day: 6_000,
            suggestions_per_widget_a_day: 50_000,
            roofs_per_visitor_a_day: 1_000,
            roofs_per_widget_a_day: 5_000,
            lead_changes_per_visitor: 60,
            lead_changes_per_widget: 720,
            checks_per_visitor: 10,
            checks_per_widget: 20,
            photos_per_visitor: 30,
            photos_per_widget: 240,
            requests_per_key: 60_000,
            connections_per_address: 512,
        }
    }
}
