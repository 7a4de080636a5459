//! Whose estimate this is, remembered on the device for thirty days: id and token of the lead, and nothing else.

use js_sys::Date;
use shingle_domain::public::WidgetFacts;

use super::read::{self, object};
use super::store::DEVICE;

const MAX_AGE_MS: f64 = 30.0 * 24.0 * 3600.0 * 1000.0;

pub struct KeptLead {
    name: String,
}

impl KeptLead {
    pub fn new(widget: &WidgetFacts) -> Self {
        Self { name: ["shingle:kept:", &widget.id].concat() }
    }

    pub fn put(&self, id: &str, token: &str) {
        let entry = [("id", id.into()), ("token", token.into()), ("at", Date::now().into())];
        DEVICE.put(&self.name, &object(&entry));
    }

    /// The id and the token.
    pub fn get(&self) -> Option<[String; 2]> {
        let entry = DEVICE.entry(&self.name)?;
        let age = Date::now() - read::get(&entry, "at").as_f64()?;
        if !(0.0..MAX_AGE_MS).contains(&age) {
            self.remove();
            return None;
        }
        Some([read::text(&entry, "id")?, read::text(&entry, "token")?])
    }

    pub fn remove(&self) {
        DEVICE.remove(&self.name);
    }
}
