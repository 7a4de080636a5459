//! Which column of a file goes where: guessed from its heading and its first values, and changed by a person.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::lead::LeadStatus;

use super::file::Table;

/// Where a column goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Field {
    LeaveOut,
    Name,
    FirstName,
    LastName,
    Phone,
    Email,
    Address,
    Street,
    Town,
    State,
    Zip,
    Status,
    OwnEstimate,
    Received,
    Assignee,
    Note,
    Tags,
    Consent,
}

impl Field {
    pub const ALL: [Self; 18] = [
        Self::LeaveOut,
        Self::Name,
        Self::FirstName,
        Self::LastName,
        Self::Phone,
        Self::Email,
        Self::Address,
        Self::Street,
        Self::Town,
        Self::State,
        Self::Zip,
        Self::Status,
        Self::OwnEstimate,
        Self::Received,
        Self::Assignee,
        Self::Note,
        Self::Tags,
        Self::Consent,
    ];

    /// As forms send it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LeaveOut => "leaveOut",
            Self::Name => "name",
            Self::FirstName => "firstName",
            Self::LastName => "lastName",
            Self::Phone => "phone",
            Self::Email => "email",
            Self::Address => "address",
            Self::Street => "street",
            Self::Town => "town",
            Self::State => "state",
            Self::Zip => "zip",
            Self::Status => "status",
            Self::OwnEstimate => "ownEstimate",
            Self::Received => "received",
            Self::Assignee => "assignee",
            Self::Note => "note",
            Self::Tags => "tags",
            Self::Consent => "consent",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.as_str() == text)
    }

    /// Several columns may go there.
    fn takes_many(self) -> bool {
        matches!(self, Self::LeaveOut | Self::Phone | Self::Email | Self::Note | Self::Tags)
    }
}

/// What a file may look like.
pub const EXAMPLE: &str = "\u{feff}Name,Phone,Email,Address,Status,Your own estimate,Date received,Assigned to,Notes,Tags\r\n\
    Ana Kowalski,(207) 555-0134,ana@example.com,\"18 Heron Way, Portland, ME 04101\",New,,10/14/2026,,Asked about metal,hail\r\n";

/// Headings of exports, lower case and without anything but letters and digits; the best first.
const HEADINGS: &[(Field, &[&str])] = &[
    (
        Field::Name,
        &[
            "name",
            "fullname",
            "contactname",
            "customername",
            "customer",
            "leadname",
            "homeowner",
            "homeownername",
            "clientname",
            "client",
            "contact",
            "displayname",
            "nombrecompleto",
            "jobname",
        ],
    ),
    (
        Field::FirstName,
        &["firstname", "first", "givenname", "contactfirstname", "customerfirstname", "nombre", "fname"],
    ),
    (
        Field::LastName,
        &[
            "lastname",
            "last",
            "surname",
            "familyname",
            "contactlastname",
            "customerlastname",
            "apellido",
            "apellidos",
            "lname",
        ],
    ),
    (
        Field::Phone,
        &[
            "phone",
            "phonenumber",
            "mobile",
            "mobilephone",
            "mobilephonenumber",
            "cell",
            "cellphone",
            "telephone",
            "tel",
            "primaryphone",
            "homephone",
            "workphone",
            "phone1",
            "phone2",
            "contactphone",
            "customerphone",
            "telefono",
            "celular",
            "movil",
        ],
    ),
    (
        Field::Email,
        &[
            "email",
            "emailaddress",
            "mail",
            "primaryemail",
            "contactemail",
            "customeremail",
            "email1",
            "email2",
            "correo",
            "correoelectronico",
            "emails",
        ],
    ),
    (
        Field::Address,
        &[
            "address",
            "fulladdress",
            "propertyaddress",
            "jobaddress",
            "siteaddress",
            "serviceaddress",
            "jobsiteaddress",
            "mailingaddress",
            "location",
            "direccion",
            "projectaddress",
        ],
    ),
    (
        Field::Street,
        &["street", "streetaddress", "addressline1", "address1", "street1", "calle", "propertystreet", "jobstreet"],
    ),
    (Field::Town, &["city", "town", "citytown", "locality", "municipality", "ciudad", "pueblo"]),
    (Field::State, &["state", "stateregion", "region", "province", "stateprovince", "estado"]),
    (Field::Zip, &["zip", "zipcode", "postalcode", "postcode", "zippostalcode", "codigopostal"]),
    (
        Field::Status,
        &[
            "status",
            "stage",
            "leadstatus",
            "pipelinestage",
            "dealstage",
            "jobstatus",
            "milestone",
            "currentmilestone",
            "statusname",
            "estadodelcliente",
        ],
    ),
    (
        Field::OwnEstimate,
        &[
            "estimate",
            "esttotal",
            "estimatetotal",
            "estimatedvalue",
            "amount",
            "value",
            "dealvalue",
            "dealamount",
            "jobvalue",
            "contractamount",
            "total",
            "price",
            "quote",
            "quoteamount",
            "presupuesto",
        ],
    ),
    (
        Field::Received,
        &[
            "datereceived",
            "received",
            "created",
            "createdat",
            "createdate",
            "createddate",
            "datecreated",
            "dateadded",
            "leaddate",
            "date",
            "added",
            "receivedat",
            "fecha",
            "recibido",
        ],
    ),
    (
        Field::Assignee,
        &[
            "assignedto",
            "assignee",
            "owner",
            "contactowner",
            "leadowner",
            "salesrep",
            "salesperson",
            "rep",
            "salesrepresentative",
            "primarysalesperson",
            "estimator",
            "responsable",
        ],
    ),
    (
        Field::Note,
        &[
            "note",
            "notes",
            "comments",
            "comment",
            "description",
            "message",
            "details",
            "teamnotes",
            "homeownersnote",
            "leadnotes",
            "notas",
            "remarks",
        ],
    ),
    (Field::Tags, &["tags", "tag", "labels", "label", "etiquetas"]),
];

/// What a person may choose for a file. It is kept with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Choices {
    /// One for each column.
    pub fields: Vec<Field>,
    /// What the words of the file's statuses mean, in small letters.
    pub statuses: Vec<(String, LeadStatus)>,
    /// `14/10/2026` is in October.
    pub is_day_first: bool,
    pub known: Known,
}

/// What becomes of people who are here already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Known {
    /// Nothing that is here is overwritten.
    #[default]
    FillIn,
    Skip,
    AddAnyway,
}

impl Known {
    pub const ALL: [Self; 3] = [Self::FillIn, Self::Skip, Self::AddAnyway];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::FillIn => "fillIn",
            Self::Skip => "skip",
            Self::AddAnyway => "addAnyway",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == text)
    }
}

impl Choices {
    pub fn guessed(table: &Table) -> Self {
        let fields = guessed_fields(table);
        let mut choices =
            Self { is_day_first: is_day_first(table, &fields), fields, statuses: Vec::new(), known: Known::default() };
        choices.statuses = status_words(table, &choices.fields)
            .into_iter()
            .map(|(word, _)| (word.to_lowercase(), guessed_status(&word)))
            .collect();
        choices
    }

    pub fn column(&self, field: Field) -> Option<usize> {
        self.fields.iter().position(|found| *found == field)
    }

    /// People could be reached.
    pub fn has_contact(&self) -> bool {
        self.column(Field::Phone).is_some() || self.column(Field::Email).is_some()
    }

    /// Statuses that the file has and nobody has chosen for get a guess; two columns for one field lose the second.
    pub fn settled(mut self, table: &Table) -> Self {
        self.fields.resize(table.headings.len(), Field::LeaveOut);
        for n in 0..self.fields.len() {
            let field = self.fields[n];
            if !field.takes_many() && self.fields[..n].contains(&field) {
                self.fields[n] = Field::LeaveOut;
            }
        }
        let words = status_words(table, &self.fields);
        let chosen = std::mem::take(&mut self.statuses);
        let of = |word: &str| chosen.iter().find(|(known, _)| known == word).map(|(_, status)| *status);
        self.statuses = words
            .into_iter()
            .map(|(word, _)| (word.to_lowercase(), of(&word.to_lowercase()).unwrap_or_else(|| guessed_status(&word))))
            .collect();
        self
    }
}

fn plain(heading: &str) -> String {
    let folded = heading.to_lowercase();
    let folded = folded.chars().map(|c| match c {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' => 'u',
        'ñ' => 'n',
        c => c,
    });
    folded.filter(|c| c.is_alphanumeric()).collect()
}

fn guessed_fields(table: &Table) -> Vec<Field> {
    let mut fields = vec![Field::LeaveOut; table.headings.len()];
    let names: Vec<String> = table.headings.iter().map(|heading| plain(heading)).collect();
    for (field, words) in HEADINGS {
        for word in *words {
            let found = (0..names.len()).filter(|n| names[*n] == *word && fields[*n] == Field::LeaveOut);
            let found: Vec<usize> = found.collect();
            for n in found {
                if field.takes_many() || !fields.contains(field) {
                    fields[n] = *field;
                }
            }
        }
    }
    // Columns that their headings do not explain, by what is in them.
    for (n, field) in fields.iter_mut().enumerate().filter(|(_, field)| **field == Field::LeaveOut) {
        let filled: Vec<&str> = values(table, n).take(50).collect();
        let share = |fits: fn(&str) -> bool| {
            !filled.is_empty() && filled.iter().filter(|value| fits(value)).count() * 10 >= filled.len() * 8
        };
        if share(|value| shingle_domain::rules::email(value).is_ok()) {
            *field = Field::Email;
        } else if share(|value| shingle_domain::Phone::parse_loosely(value).is_some()) && is_written_as_phone(&filled) {
            *field = Field::Phone;
        }
    }
    // A town alone is no address; "Address" beside a town is the street.
    if let Some(n) = fields.iter().position(|field| *field == Field::Address) {
        let has_rest = fields.contains(&Field::Town) || fields.contains(&Field::Zip);
        if has_rest && !fields.contains(&Field::Street) {
            fields[n] = Field::Street;
        }
    }
    if fields.contains(&Field::FirstName) && fields.contains(&Field::LastName) {
        fields.iter_mut().filter(|field| **field == Field::Name).for_each(|field| *field = Field::LeaveOut);
    }
    fields
}

/// Ten digits alone may be any number.
fn is_written_as_phone(values: &[&str]) -> bool {
    values.iter().any(|value| value.contains(['-', '(', '.', ' ', '+']))
}

/// What is in a column, without blanks.
pub fn values(table: &Table, column: usize) -> impl Iterator<Item = &str> {
    table
        .rows
        .iter()
        .filter_map(move |(_, cells)| cells.get(column))
        .map(String::as_str)
        .filter(|cell| !cell.is_empty())
}

/// The words of the file's statuses, the most frequent first, with how many rows have them.
pub fn status_words(table: &Table, fields: &[Field]) -> Vec<(String, usize)> {
    const MOST: usize = 30;
    let Some(column) = fields.iter().position(|field| *field == Field::Status) else { return Vec::new() };
    let mut counts: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for value in values(table, column) {
        counts.entry(value.to_lowercase()).or_insert_with(|| (value.to_owned(), 0)).1 += 1;
    }
    let mut words: Vec<(String, usize)> = counts.into_values().collect();
    words.cold_sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    words.truncate(MOST);
    words
}

pub fn guessed_status(word: &str) -> LeadStatus {
    const WORDS: &[(LeadStatus, &[&str])] = &[
        (
            LeadStatus::Lost,
            &[
                "lost",
                "dead",
                "notinterested",
                "closedlost",
                "canceled",
                "cancelled",
                "unqualified",
                "disqualified",
                "archived",
                "perdido",
                "noshow",
                "declined",
                "rejected",
                "spam",
                "junk",
                "fake",
            ],
        ),
        (
            LeadStatus::Won,
            &[
                "won",
                "sold",
                "closedwon",
                "customer",
                "completed",
                "complete",
                "approved",
                "signed",
                "paid",
                "invoiced",
                "jobcompleted",
                "ganado",
                "contractsigned",
                "closed",
            ],
        ),
        (
            LeadStatus::Qualified,
            &[
                "qualified",
                "apptset",
                "appointmentset",
                "appointmentscheduled",
                "inspectionscheduled",
                "estimatesent",
                "proposalsent",
                "quotesent",
                "quoted",
                "prospect",
                "opportunity",
                "calificado",
                "estimating",
            ],
        ),
        (LeadStatus::New, &["new", "newlead", "lead", "open", "uncontacted", "nuevo", "notcontacted"]),
        (
            LeadStatus::Contacted,
            &[
                "contacted",
                "followup",
                "attempted",
                "leftmessage",
                "called",
                "inprogress",
                "working",
                "contactado",
                "connected",
            ],
        ),
    ];
    let name = plain(word);
    let found = WORDS.iter().find(|(_, words)| words.contains(&name.as_str()));
    // Somebody has worked on a lead that has a status.
    found.map_or(LeadStatus::Contacted, |(status, _)| *status)
}

/// A first number above 12 is a day, and a second one above 12 says that the first is a month.
pub fn is_day_first(table: &Table, fields: &[Field]) -> bool {
    let Some(column) = fields.iter().position(|field| *field == Field::Received) else { return false };
    let mut days = 0_i32;
    for value in values(table, column) {
        let mut numbers = value.split(['/', '.', '-', ' ']).map(|part| part.parse::<u32>().unwrap_or_default());
        match (numbers.next(), numbers.next()) {
            (Some(13..=31), Some(1..=12)) => days += 1,
            (Some(1..=12), Some(13..=31)) => days -= 1,
            _ => {}
        }
    }
    days > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guessed(text: &str) -> Choices {
        Choices::guessed(&Table::read(text.as_bytes()).unwrap())
    }

    #[test]
    fn headings_of_exports_find_their_fields() {
        use Field::*;
        for (headings, fields) in [
            (
                "Full Name,Mobile,E-mail,Job Address,Stage,Est. Total,Created,Opt-in,Salesperson",
                vec![Name, Phone, Email, Address, Status, OwnEstimate, Received, LeaveOut, Assignee],
            ),
            (
                "First Name,Last Name,Phone Number,Email,Street Address,City,State/Region,Postal Code,Lead Status,Create Date",
                vec![FirstName, LastName, Phone, Email, Street, Town, State, Zip, Status, Received],
            ),
            (
                "Nombre,Apellidos,Teléfono,Correo electrónico,Dirección,Ciudad,Notas",
                vec![FirstName, LastName, Phone, Email, Street, Town, Note],
            ),
            ("Name,Home Phone,Work Phone,Address,ZIP", vec![Name, Phone, Phone, Street, Zip]),
            ("Name,First name,Last name,Phone", vec![LeaveOut, FirstName, LastName, Phone]),
            (
                "Reference,Received,Status,First name,Last name,Phone,Email,Address,Assignee,Team notes",
                vec![LeaveOut, Received, Status, FirstName, LastName, Phone, Email, Address, Assignee, Note],
            ),
        ] {
            assert_eq!(guessed(&format!("{headings}\n{}", "x,".repeat(fields.len()))).fields, fields, "{headings}");
        }
    }

    #[test]
    fn what_is_in_a_column_counts_where_its_heading_says_nothing() {
        let choices =
            guessed("Who,A,B,Order\nAna,ana@example.com,207-555-0134,2075550134\nBo,bo@example.com,207-555-0135,1\n");
        assert_eq!(choices.fields[1..], [Field::Email, Field::Phone, Field::LeaveOut]);
    }

    #[test]
    fn statuses_are_guessed_from_their_words() {
        let choices =
            guessed("Name,Stage\nA,Sold\nB,Dead\nC,Appt Set\nD,sold\nE,Waiting for parts\nF,New\nG,Closed Lost\n");
        let of = |word: &str| choices.statuses.iter().find(|(known, _)| known == word).map(|(_, status)| *status);
        assert_eq!(of("sold"), Some(LeadStatus::Won));
        assert_eq!(of("dead"), Some(LeadStatus::Lost));
        assert_eq!(of("closed lost"), Some(LeadStatus::Lost));
        assert_eq!(of("appt set"), Some(LeadStatus::Qualified));
        assert_eq!(of("waiting for parts"), Some(LeadStatus::Contacted));
        assert_eq!(of("new"), Some(LeadStatus::New));
        assert_eq!(choices.statuses.len(), 6);
    }

    #[test]
    fn one_day_above_twelve_tells_the_order_of_a_date() {
        assert!(guessed("Name,Date\nA,03/04/2026\nB,14/10/2026\n").is_day_first);
        assert!(!guessed("Name,Date\nA,03/04/2026\nB,10/14/2026\n").is_day_first);
        assert!(!guessed("Name,Date\nA,03/04/2026\nB,2026-10-14\n").is_day_first);
    }

    #[test]
    fn a_field_has_one_column_but_where_several_make_sense() {
        let table = Table::read(b"a,b,c,d\n1,2,3,4\n").unwrap();
        let fields = vec![Field::Name, Field::Name, Field::Phone, Field::Phone];
        let choices = Choices { fields, statuses: Vec::new(), is_day_first: false, known: Known::Skip }.settled(&table);
        assert_eq!(choices.fields, [Field::Name, Field::LeaveOut, Field::Phone, Field::Phone]);
    }
}
