//! Owner lines in the shapes of real tax rolls, with invented names, against what a visitor may type.

use shingle_estimate::Confirmation::{self, Confirmed, Contradicted, Unknown};
use shingle_estimate::owner::{OwnerKind, Owners, names_nobody};
use shingle_estimate::surname::find;

/// Owner line, second line, last name as typed, what an expert would say.
type Case = (&'static str, &'static str, &'static str, Confirmation);

const SHAPES: &[Case] = &[
    // Order, with and without a comma.
    ("TALLOWBY, ADA M.", "", "Tallowby", Confirmed),
    ("TALLOWBY ADA M", "", "tallowby", Confirmed),
    ("ADA M TALLOWBY", "", "Tallowby", Confirmed),
    ("TALLOWBY, FRANK B. JR.", "", "Tallowby", Confirmed),
    ("TALLOWBY, JR., FRANK B.", "", "Tallowby", Confirmed),
    ("TALLOWBY FRANK B III", "", "Tallowby III", Confirmed),
    ("TALLOWBY, ADA M.", "", "Wickstead", Contradicted),
    ("ADA M TALLOWBY", "", "Wickstead", Contradicted),
    // Two owners, on one line and on two.
    ("TALLOWBY ADA M & BO", "", "Tallowby", Confirmed),
    ("TALLOWBY, ADA M. & BO WICKSTEAD", "", "Wickstead", Confirmed),
    ("TALLOWBY ADA & WICKSTEAD BO", "", "Wickstead", Confirmed),
    ("ADA & BO TALLOWBY", "", "Tallowby", Confirmed),
    ("TALLOWBY, ADA AND", "BO M. WICKSTEAD", "Wickstead", Confirmed),
    ("TALLOWBY, ADA M.", "& BO WICKSTEAD", "Wickstead", Confirmed),
    ("TALLOWBY ADA/WICKSTEAD BO", "", "Wickstead", Confirmed),
    ("TALLOWBY ADA; WICKSTEAD BO; HOLLOWELL CY", "", "Hollowell", Confirmed),
    ("TALLOWBY, ADA & BO TALLOWBY", "CY HOLLOWELL & DEE GARROWBY", "Garrowby", Confirmed),
    ("HUNGERLEY TONIA & SUNJI CHOO", "", "Choo", Confirmed),
    ("TALLOWBY ADA ET UX", "", "Tallowby", Confirmed),
    ("TALLOWBY ADA ETAL", "", "Tallowby", Confirmed),
    // Trustees, trusts, estates.
    ("KETTLEBY CHRISTA S TRS", "", "Kettleby", Confirmed),
    ("KETTLEBY, CHRISTA QUILL, TRUSTEE", "THE CHRISTA QUILL KETTLEBY LIV TRUST", "Kettleby", Confirmed),
    ("THE KETTLEBY FAMILY TRUST", "", "Kettleby", Confirmed),
    ("KETTLEBY FAMILY REVOCABLE LIVING TRUST DTD MAY 5 2012", "", "Kettleby", Confirmed),
    ("2012 KETTLEBY FAMILY TR", "", "Kettleby", Confirmed),
    ("KETTLEBY, CHRISTA TRUSTEE OF C.Q.K. REALTY TRUST", "", "Kettleby", Confirmed),
    ("KETTLEBY CHRISTA TR KETTLEBY FAMILY TRUST U/A/D 03/04/1999", "", "Kettleby", Confirmed),
    ("THE KETTLEBY FAMILY TRUST", "", "Wickstead", Contradicted),
    ("THE ELDER STREET REALTY TRUST", "", "Wickstead", Unknown),
    ("12-14 ELDER ST REALTY TRUST", "", "Elder", Unknown),
    ("PELLORINO ELSA S  A LIFE EST", "", "Pellorino", Confirmed),
    ("ESTATE OF ELSA PELLORINO", "", "Pellorino", Confirmed),
    ("PELLORINO ELSA HEIRS OF", "", "Pellorino", Confirmed),
    ("PELLORINO, ELSA EST OF", "C/O BO WICKSTEAD ESQ", "Wickstead", Unknown),
    // Hyphens and double names.
    ("TALLOWBY-WICKSTEAD, ADA", "", "Wickstead", Confirmed),
    ("TALLOWBY-WICKSTEAD, ADA", "", "Tallowby Wickstead", Confirmed),
    ("ADA TALLOWBY WICKSTEAD", "", "Tallowby-Wickstead", Confirmed),
    ("TALLOWBYWICKSTEAD ADA", "", "Tallowby-Wickstead", Confirmed),
    ("WICKSTEAD, ADA", "", "Tallowby-Wickstead", Confirmed),
    ("GARCIA QUILLEZ, MARISOL", "", "Quillez", Confirmed),
    ("MARISOL GARCIA QUILLEZ", "", "Garcia", Confirmed),
    ("ORTEGON Y GASSOLA, MARISOL", "", "Gassola", Confirmed),
    // Particles, apostrophes, accents.
    ("DE LA CRUZADA, MARISOL", "", "De La Cruzada", Confirmed),
    ("MARISOL DE LA CRUZADA", "", "delacruzada", Confirmed),
    ("DELACRUZADA MARISOL", "", "de la Cruzada", Confirmed),
    ("VAN DER BERGH LOTTE", "", "Van der Bergh", Confirmed),
    ("VANDERBERGH, LOTTE", "", "van der Bergh", Confirmed),
    ("MC DOWELLAN PAT", "", "McDowellan", Confirmed),
    ("MCDOWELLAN, PAT", "", "Mc Dowellan", Confirmed),
    ("O BRINE PAT J", "", "O’Brine", Confirmed),
    ("O'BRINE, PAT J", "", "O Brine", Confirmed),
    ("PAT O SMITHSON", "", "Smithson", Confirmed),
    ("ST CLOUDE, ADA", "", "Saint-Cloude", Confirmed),
    ("NGUYEN, HOA THI", "", "Nguyễn", Confirmed),
    ("HOA THI NGUYEN", "", "Nguyen", Confirmed),
    ("NGUYEN VAN THANH", "", "Nguyen", Confirmed),
    ("LE THANH H", "", "Lê", Confirmed),
    ("KIM SOO JIN", "", "Kim", Confirmed),
    ("SOO JIN KIM", "", "Kim", Confirmed),
    ("MÜLLERICH, JÖRG", "", "Muellerich", Confirmed),
    // Slips of the finger, and other families.
    ("PELLORINO, ELSA", "", "Pelorino", Confirmed),
    ("PELLORINO, ELSA", "", "Pellroino", Confirmed),
    ("KETTLEBY, ADA", "", "Ketleby", Confirmed),
    ("MARTIN, ADA", "", "Martinez", Unknown),
    ("MILLER, ADA", "", "Hiller", Unknown),
    ("LEE, ADA", "", "Lea", Contradicted),
    ("WU, ADA", "", "Wo", Contradicted),
    ("GRAY, ADA", "", "Grey", Contradicted),
    // Names that are other words too.
    ("MAJOR, ADA", "", "Major", Confirmed),
    ("KING BO R", "", "King", Confirmed),
    ("HUSBAND, ADA", "", "Husband", Confirmed),
    ("ADA HUSBAND TALLOWBY", "", "Husband", Unknown),
    ("CHURCH, ADA M", "", "Church", Confirmed),
    ("TEMPLE ADA M", "", "Temple", Confirmed),
    ("DO, MINH", "", "Do", Confirmed),
    ("MA, LIAN", "", "Ma", Confirmed),
    // Organizations.
    ("ELDER STREET HOLDINGS LLC", "", "Wickstead", Contradicted),
    ("TALLOWBY PROPERTIES, L.L.C.", "", "Tallowby", Unknown),
    ("TALLOWBY & SONS INC", "", "Tallowby", Unknown),
    ("CITY OF BRINDLEMOOR", "", "Wickstead", Contradicted),
    ("FIRST BRINDLEMOOR SAVINGS BANK", "", "Wickstead", Contradicted),
    ("GRACE LUTHERAN CHURCH", "", "Wickstead", Contradicted),
    ("TALLOWBY, ADA", "CITY OF BRINDLEMOOR TAX TITLE", "Tallowby", Confirmed),
    // Nobody.
    ("UNKNOWN", "", "Tallowby", Unknown),
    ("", "", "Tallowby", Unknown),
    ("CURRENT OWNER", "", "Tallowby", Unknown),
    ("TALLOWBY, ADA", "", "王", Unknown),
];

/// A second, hostile reading: kinds of line that the rules were not written on. At first sight 52 of these 54 came
/// out as an expert would have them (96 %; the same hand wrote rules and lines, so strangers' lines will do worse);
/// the rules then learned `SAINT` and hyphenated trust words from the other two.
const HOSTILE: &[Case] = &[
    ("BRINDLEMOOR, CITY OF", "", "Wickstead", Contradicted),
    ("TALLOWBY, ADA TR UNDER THE TALLOWBY LIVING TRUST DATED 06-01-2009", "", "Tallowby", Confirmed),
    ("TALLOWBY ADA & WICKSTEAD BO JTWROS", "", "Wickstead", Confirmed),
    ("TALLOWBY ADA 1/2 INT & WICKSTEAD BO 1/2 INT", "", "Wickstead", Confirmed),
    ("TALLOWBY, ADA; WICKSTEAD, BO", "", "Wickstead", Confirmed),
    ("TALLOWBY, ADA, WICKSTEAD, BO", "", "Wickstead", Unknown),
    ("ADA TALLOWBY, BO WICKSTEAD", "", "Wickstead", Unknown),
    ("ADA TALLOWBY AND BO WICKSTEAD, HUSBAND AND WIFE", "", "Wickstead", Confirmed),
    ("ADA TALLOWBY, A SINGLE WOMAN", "", "Tallowby", Confirmed),
    ("ADA M TALLOWBY, INDIVIDUALLY AND AS TRUSTEE OF THE ELDER NOMINEE TRUST", "", "Tallowby", Confirmed),
    ("TALLOWBY ADA (TE)", "", "Tallowby", Confirmed),
    ("TALLOWBY ADA AKA HOLLOWELL ADA", "", "Hollowell", Confirmed),
    ("TALLOWBY ADA F/K/A ADA HOLLOWELL", "", "Hollowell", Confirmed),
    ("TALLOWBY ADA DBA ADA'S CAKES", "", "Tallowby", Confirmed),
    ("DR. ADA TALLOWBY, MD, PHD", "", "Tallowby", Confirmed),
    ("REV. BO TALLOWBY SR.", "", "Tallowby", Confirmed),
    ("TALLOWBY JR BO", "", "Tallowby", Confirmed),
    ("TALLOWBY,ADA M", "", "Tallowby", Confirmed),
    ("TALLOWBY  ,  ADA", "", "Tallowby", Confirmed),
    ("TALLOWBY ADA M TTEE OF THE ADA M TALLOWBY TRUST UTD 1/2/03", "", "Tallowby", Confirmed),
    ("TALLOWBY FMLY TR 2003", "", "Tallowby", Confirmed),
    ("TALLOWBY-HOLLOWELL FAMILY TRUST", "", "Hollowell", Confirmed),
    ("ADA AND BO TALLOWBY REVOCABLE TRUST", "", "Tallowby", Confirmed),
    ("THE ADA M. TALLOWBY IRREVOCABLE INCOME-ONLY TRUST", "", "Tallowby", Confirmed),
    ("TALLOWBY QUALIFIED PERSONAL RESIDENCE TRUST", "", "Wickstead", Contradicted),
    ("US BANK NA AS TRUSTEE FOR ELDER MORTGAGE TRUST 2006-3", "", "Wickstead", Contradicted),
    ("SECRETARY OF HOUSING AND URBAN DEVELOPMENT", "", "Wickstead", Contradicted),
    ("ROMAN CATHOLIC BISHOP OF BRINDLEMOOR", "", "Wickstead", Contradicted),
    ("BRINDLEMOOR HABITAT FOR HUMANITY", "", "Wickstead", Contradicted),
    ("TALLOWBY BROTHERS", "", "Tallowby", Unknown),
    ("ELDER COURT HOA", "", "Wickstead", Contradicted),
    ("VAN, LINH", "", "Văn", Confirmed),
    ("HER, MAI XEE", "", "Her", Confirmed),
    ("TO, KENJI", "", "To", Confirmed),
    ("AL-SAYEDI OMAR", "", "Al Sayedi", Confirmed),
    ("EL-SAYEDI, OMAR", "", "Sayedi", Confirmed),
    ("ABDUL RAHMANI OMAR", "", "Abdul Rahmani", Confirmed),
    ("D'ANGELINO, TESS", "", "Dangelino", Confirmed),
    ("DI MARCOLO TESS", "", "DiMarcolo", Confirmed),
    ("ST. JOHNSTON, PAT", "", "St Johnston", Confirmed),
    ("SAINT JOHNSTON PAT", "", "St. Johnston", Confirmed),
    ("MAC ALLISTON, PAT", "", "McAlliston", Confirmed),
    ("DOS SANTANOS, RUI", "", "Santanos", Confirmed),
    ("FERREIRA DA COSTANA RUI", "", "Ferreira da Costana", Confirmed),
    ("OBRINE-TALLOWBY, PAT", "", "O'Brine Tallowby", Confirmed),
    ("TALLOWBY, ADA C/O HOLLOW MANAGEMENT LLC", "", "Tallowby", Confirmed),
    ("%BO WICKSTEAD", "TALLOWBY ADA", "Tallowby", Confirmed),
    ("WELLS, ADA & FARGO, BO", "", "Fargo", Confirmed),
    ("BANKS, ADA", "", "Banks", Confirmed),
    ("ADA POST", "", "Post", Unknown),
    ("LAND, ADA & BO", "", "Land", Confirmed),
    ("TALLOWBY MAY", "", "Tallowby", Confirmed),
    ("MAY FAMILY TRUST", "", "May", Confirmed),
    ("TALLOWBY, A. & CO.", "", "Wickstead", Contradicted),
];

/// A third, after the rules had learned from the second: at first sight 39 of these 45 (87 %). Shares, broken lines and
/// odd separators were learned from it; `JONSEN` for `JONESON` stays confirmed, as the thresholds have it.
const THIRD: &[Case] = &[
    ("TALLOWBY ADA M &W BO", "", "Tallowby", Confirmed),
    ("TALLOWBY, ADA M &", "TALLOWBY, BO J", "Tallowby", Confirmed),
    ("TALLOWBY ADA M-TRUSTEE", "", "Tallowby", Confirmed),
    ("TALLOWBY ADA (TR)", "(ADA TALLOWBY REV TR)", "Tallowby", Confirmed),
    ("TRUSTEES OF THE TALLOWBY TRUST", "", "Tallowby", Confirmed),
    ("TALLOWBY ADA TRUSTEE &", "WICKSTEAD BO TRUSTEE", "Wickstead", Confirmed),
    ("TALLOWBY ADA L/E", "REM: WICKSTEAD BO", "Wickstead", Confirmed),
    ("TALLOWBY ADA LIFE TENANT & WICKSTEAD BO REMAINDERMAN", "", "Wickstead", Confirmed),
    ("TALLOWBY ADA EST C/O WICKSTEAD", "", "Tallowby", Confirmed),
    ("UNKNOWN HEIRS OF ADA TALLOWBY", "", "Tallowby", Confirmed),
    ("TALLOWBY ADA 50% WICKSTEAD BO 50%", "", "Wickstead", Confirmed),
    ("TALLOWBY ADA\nWICKSTEAD BO", "", "Wickstead", Confirmed),
    ("TALLOWBY*ADA", "", "Tallowby", Confirmed),
    ("TALLOWBY_ADA", "", "Tallowby", Confirmed),
    ("TALLOWBY.ADA", "", "Tallowby", Confirmed),
    ("ADA TALLOWBY JR TRUST", "", "Tallowby", Confirmed),
    ("A & B TALLOWBY", "", "Tallowby", Confirmed),
    ("TALLOWBY A B & C D", "", "Tallowby", Confirmed),
    ("MR & MRS BO TALLOWBY", "", "Tallowby", Confirmed),
    ("TALLOWBY BO & ADA (H&W)", "", "Tallowby", Confirmed),
    ("TALLOWBY BO & ADA H/W", "", "Tallowby", Confirmed),
    ("TALLOWBY BO ET UX ADA", "", "Tallowby", Confirmed),
    ("TALLOWBY, BO ETUX ADA M", "", "Tallowby", Confirmed),
    ("TALLOWBY BO & OTHERS", "", "Tallowby", Confirmed),
    ("GONZALEZ DE TALLOWEZ MARISOL", "", "Gonzalez", Confirmed),
    ("TALLOWEZ VDA DE GARCIA MARISOL", "", "Garcia", Confirmed),
    ("LOPEZ-GARCIA MARISOL", "", "Lopez Garcia", Confirmed),
    ("PARK JI-HOON", "", "Park", Confirmed),
    ("JI-HOON PARK", "", "Park", Confirmed),
    ("LEE, SANG-MIN & YOON, JI", "", "Yoon", Confirmed),
    ("SINGHAL KAUR & SINGHAL DEEP", "", "Singhal", Confirmed),
    ("O'", "", "O'Brine", Contradicted),
    ("XIONGER, PAO & MAI YANGER", "", "Yanger", Confirmed),
    ("STATE STREET TALLOWBY LP", "", "Wickstead", Contradicted),
    ("ELDER INVESTORS 2, L.P.", "", "Wickstead", Contradicted),
    ("ELDER L L C", "", "Wickstead", Contradicted),
    ("ELDER L.L.C", "", "Wickstead", Contradicted),
    ("ELDERLLC", "", "Wickstead", Contradicted),
    ("BRINDLEMOOR COUNTY", "", "Wickstead", Contradicted),
    ("BRINDLEMOOR INDEPENDENT SCHOOL DISTRICT", "", "Wickstead", Contradicted),
    ("TALLOWBY-JONESON ADA", "", "Jonsen", Confirmed),
    ("WICKSTEAD, ADA", "", "wick stead", Confirmed),
    ("WICKSTEAD, ADA", "", "WICKSTEAD!!", Confirmed),
    ("WICKSTEAD, ADA", "", "Mrs Wickstead", Confirmed),
    ("WICKSTEAD, ADA", "", "The Wickstead Family", Confirmed),
];

fn found((primary, secondary, typed, _): &Case) -> Option<Confirmation> {
    let line = |text: &'static str| Some(text).filter(|t| !t.is_empty());
    find(&Owners::read(line(primary), line(secondary)), typed)
}

fn check(cases: &[Case], what: &str) -> usize {
    let missed: Vec<&Case> = cases.iter().filter(|case| found(case) != Some(case.3)).collect();
    for case in &missed {
        println!("{} | {} | {} | expected {:?}, found {:?}", case.0, case.1, case.2, case.3, found(case));
    }
    println!("{what}: {} of {} as expected", cases.len() - missed.len(), cases.len());
    missed.len()
}

#[test]
fn owner_lines_of_every_shape_meet_the_name_typed() {
    assert!(SHAPES.len() >= 40);
    assert_eq!(check(SHAPES, "owner lines"), 0);
}

#[test]
fn lines_of_kinds_not_thought_of_first_are_read_too() {
    assert!(HOSTILE.len() >= 40);
    assert_eq!(check(HOSTILE, "hostile owner lines") + check(THIRD, "a third reading"), 0);
}

#[test]
fn people_trusts_and_organisations_are_told_apart() {
    use OwnerKind::{Organisation, Person, Trust};
    for (primary, secondary, standing) in [
        ("TALLOWBY, ADA M", "", Some(Person)),
        ("CHURCH, ADA", "", Some(Person)),
        ("TALLOWBY ADA TRUSTEE", "TALLOWBY FAMILY TRUST", Some(Person)),
        ("THE TALLOWBY FAMILY TRUST", "", Some(Trust)),
        ("ELDER ST NOMINEE TRUST", "C/O HOLLOW MANAGEMENT LLC", Some(Trust)),
        ("ELDER ST NOMINEE TRUST", "ADA TALLOWBY TRS", Some(Trust)),
        ("HOLLOW CAPITAL LLC, TRS", "12 ELDER STREET REALTY TRUST", Some(Organisation)),
        ("THE CORNER OF", "ELDER STREET LLC,", Some(Organisation)),
        ("BRINDLEMOOR TRUST COMPANY", "", Some(Organisation)),
        ("BRINDLEMOOR REAL ESTATE", "", Some(Organisation)),
        ("TOWN OF BRINDLEMOOR", "", Some(Organisation)),
        ("UNITED STATES OF AMERICA", "", Some(Organisation)),
        ("ELDER CT HOMEOWNERS ASSN", "", Some(Organisation)),
        ("12 ELDER ST", "", None),
        ("UNKNOWN", "ADA TALLOWBY", Some(Person)),
        ("N/A", "", None),
    ] {
        assert_eq!(Owners::read(Some(primary), Some(secondary)).kind(), standing, "{primary} | {secondary}");
    }
}

#[test]
fn a_line_may_name_nobody() {
    for line in [
        "UNKNOWN",
        "Unknown Owner",
        "OWNER UNKNOWN",
        "N/A",
        "n.a.",
        "NONE",
        "--",
        "",
        "?",
        "0",
        "CURRENT OWNER",
        "OWNER OF RECORD",
        "NOT AVAILABLE",
        "NAME WITHHELD BY REQUEST",
        "[REDACTED]",
        "CONFIDENTIAL",
        "XXXX",
    ] {
        assert!(names_nobody(line), "{line}");
    }
    for line in ["ADA NONE", "UNKNOWN HEIRS OF ADA TALLOWBY", "NA, SUNJI", "OWNER, BO"] {
        assert!(!names_nobody(line), "{line}");
    }
}

#[test]
fn what_has_no_letter_is_no_name_given() {
    let owners = Owners::read(Some("TALLOWBY, ADA"), None);
    for typed in ["", "  ", "-", "…", "12", "'"] {
        assert_eq!(find(&owners, typed), None, "{typed}");
    }
    for typed in ["Mr. Tallowby", "TALLOWBY, Ada", "ada tallowby", "Tallowby Jr.", " Tallowby ", "Tallowby\u{200b}"] {
        assert_eq!(find(&owners, typed), Some(Confirmed), "{typed}");
    }
}
