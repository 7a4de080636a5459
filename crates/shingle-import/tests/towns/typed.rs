//! Addresses as people type, dictate and paste them, over a town in which each form has a neighbor that a careless reading
//! would answer.

use shingle_domain::evidence::MatchLevel;
use shingle_domain::lookup::AddressInput;
use shingle_import::{ImportJob, Mapping, run};
use shingle_property::reference::Reference;
use shingle_property::{Lookup, PropertyIndex};

const MAP: &str = r#"
dataset = "typed"
[place]
parcel = "pin"
[address]
number = "n"
street = "st"
unit = "unit"
city = "city"
state = "state"
zip = "zip"
"#;

const HOMES: &str = "\
pin,n,st,unit,city,state,zip
M1,123,MAIN ST,,SPRINGFIELD,IL,62701
M2,123,S MAIN ST,,SPRINGFIELD,IL,62701
M3,123,MAIN AVE,,SPRINGFIELD,IL,62701
M4,125,MAIN ST,,SPRINGFIELD,IL,62701
F1,12,1ST ST,,SPRINGFIELD,IL,62701
F2,12,FIRST AVE,,SPRINGFIELD,IL,62701
F3,12,21ST ST,,SPRINGFIELD,IL,62701
F4,12,2ND ST,,SPRINGFIELD,IL,62701
F5,12,TWENTY SECOND ST,,SPRINGFIELD,IL,62701
F6,12,N 10TH ST,,SPRINGFIELD,IL,62701
SA1,40,SAINT CHARLES PL,,SPRINGFIELD,IL,62702
SA2,40,CHARLES ST,,SPRINGFIELD,IL,62702
SA3,42,ST JOHNS CT,,SPRINGFIELD,IL,62702
SA4,42,MT VERNON DR,,SPRINGFIELD,IL,62702
SA5,44,FORT HILL RD,,SPRINGFIELD,IL,62702
SA6,44,MOUNT HILL RD,,SPRINGFIELD,IL,62702
SA7,46,DR MARTIN LUTHER KING JR DR,,SPRINGFIELD,IL,62702
SA8,46,KING DR,,SPRINGFIELD,IL,62702
SA9,46,DOCTOR'S LN,,SPRINGFIELD,IL,62702
U1,500,OAK BLVD,1,SPRINGFIELD,IL,62703
U2,500,OAK BLVD,2,SPRINGFIELD,IL,62703
U3,500,OAK BLVD,2B,SPRINGFIELD,IL,62703
U4,500,OAK BLVD,PH,SPRINGFIELD,IL,62703
U5,500,OAK BLVD,BLDG A UNIT 1,SPRINGFIELD,IL,62703
U6,500,OAK BLVD,BLDG B UNIT 1,SPRINGFIELD,IL,62703
H1,8800,US HWY 34,,SPRINGFIELD,IL,62707
H2,8800,STATE HWY 34,,SPRINGFIELD,IL,62707
H3,8800,COUNTY RD 34,,SPRINGFIELD,IL,62707
H4,8802,IL ROUTE 29,,SPRINGFIELD,IL,62707
H5,8804,OLD US HWY 36,,SPRINGFIELD,IL,62707
H6,8804,US HWY 36,,SPRINGFIELD,IL,62707
H7,8806,COUNTY ROAD 1200 N,,SPRINGFIELD,IL,62707
H8,8806,COUNTY ROAD 1200 E,,SPRINGFIELD,IL,62707
H9,8806,INTERSTATE 55 FRONTAGE RD,,SPRINGFIELD,IL,62707
X1,77 1/2,ELM ST,,SPRINGFIELD,IL,62701
X2,77,ELM ST,,SPRINGFIELD,IL,62701
X3,79A,ELM ST,,SPRINGFIELD,IL,62701
X4,79,ELM ST,,SPRINGFIELD,IL,62701
X5,9,O'BRIEN CT,,SPRINGFIELD,IL,62701
X6,9,BRIEN CT,,SPRINGFIELD,IL,62701
X7,11,D'ANGELO WAY,,SPRINGFIELD,IL,62701
X8,15,THE ESPLANADE,,SPRINGFIELD,IL,62701
X9,15,ESPLANADE AVE,,SPRINGFIELD,IL,62701
Y1,17,AVENUE OF THE OAKS,,SPRINGFIELD,IL,62701
Y2,17,AVENUE A,,SPRINGFIELD,IL,62701
Y3,17,AVENUE S,,SPRINGFIELD,IL,62701
Y4,17,S AVENUE,,SPRINGFIELD,IL,62701
Y5,17,NORTH AVE,,SPRINGFIELD,IL,62701
Y6,17,NORTHWEST PKWY,,SPRINGFIELD,IL,62701
Y7,17,W NORTH AVE,,SPRINGFIELD,IL,62701
Y8,19,LAKE SHORE DR W,,SPRINGFIELD,IL,62701
Y9,19,LAKE SHORE DR,,SPRINGFIELD,IL,62701
Z1,19,LAKE CT,,SPRINGFIELD,IL,62701
Z2,19,COURT ST,,SPRINGFIELD,IL,62701
Z3,21,PARK PLACE DR,,SPRINGFIELD,IL,62701
Z4,21,PARK PL,,SPRINGFIELD,IL,62701
Z5,21,PARK DR,,SPRINGFIELD,IL,62701
Z6,23,HALF MOON LN,,SPRINGFIELD,IL,62701
Z7,2,HALF ST,,SPRINGFIELD,IL,62701
Z8,1015,15TH ST,,SPRINGFIELD,IL,62701
Z9,10,15TH ST,,SPRINGFIELD,IL,62701
T1,200,S 300 E,,MOAB,UT,84532
T2,200,N 300 E,,MOAB,UT,84532
T3,200,S 300 W,,MOAB,UT,84532
T4,200,E 300 S,,MOAB,UT,84532
T5,1250,W 2200 S,,MOAB,UT,84532
T6,1250,W 2200 N,,MOAB,UT,84532
W1,N123W456,MAPLE RD,,GERMANTOWN,WI,53022
W2,N123W4560,MAPLE RD,,GERMANTOWN,WI,53022
W3,W156N11250,PILGRIM RD,,GERMANTOWN,WI,53022
W4,456,MAPLE RD,,GERMANTOWN,WI,53022
W5,N12W34567,ASH DR,,GERMANTOWN,WI,53022
Q1,41-10,BELL BLVD,,BAYSIDE,NY,11361
Q2,4110,BELL BLVD,,BAYSIDE,NY,11361
Q3,41-12,BELL BLVD,,BAYSIDE,NY,11361
Q4,216-15,40TH AVE,,BAYSIDE,NY,11361
Q5,216-15,40TH RD,,BAYSIDE,NY,11361
P1,14,CALLE LUNA,,SAN JUAN,PR,00901
P2,14,AVE LUNA,,SAN JUAN,PR,00901
P3,14,CALLE 3 SE,,SAN JUAN,PR,00921
P4,14,CALLE 3,,SAN JUAN,PR,00921
P5,A-12,\"CALLE 5, URB LAS LOMAS\",,SAN JUAN,PR,00921
P6,A-12,\"CALLE 5, URB VILLA REAL\",,SAN JUAN,PR,00921
P7,1200,AVE PONCE DE LEON,,SAN JUAN,PR,00907
P8,1200,CALLE PONCE,,SAN JUAN,PR,00907
B1,30,CAMINO REAL,,SANTA FE,NM,87501
B2,30,CALLE REAL,,SANTA FE,NM,87501
B3,30,EL CAMINO REAL,,SANTA FE,NM,87501
B4,30,PASEO DE LA LOMA,,SANTA FE,NM,87501
2N1,218-15,40 AVENUE,,BAYSIDE,NY,11361
2N2,218-15,40 ROAD,,BAYSIDE,NY,11361
2N3,12,EAST 9 STREET,,NEW YORK,NY,10003
2N4,12,WEST 9 STREET,,NEW YORK,NY,10003
2N5,12,9 AVENUE,,NEW YORK,NY,10003
2N6,500,AVENUE OF THE AMERICAS,,NEW YORK,NY,10003
2N7,500,6 AVENUE,,NEW YORK,NY,10003
2N8,1,BEACH 9 STREET,,FAR ROCKAWAY,NY,11691
2N9,1,9 STREET,,FAR ROCKAWAY,NY,11691
2G1,650,26 RD,,GRAND JUNCTION,CO,81506
2G2,650,26 1/2 RD,,GRAND JUNCTION,CO,81506
2G3,650,F RD,,GRAND JUNCTION,CO,81506
2G4,650,F 1/2 RD,,GRAND JUNCTION,CO,81506
2G5,650,N 12TH ST,,GRAND JUNCTION,CO,81501
2D1,1600,N ST NW,,WASHINGTON,DC,20036
2D2,1600,NORTH ST NW,,WASHINGTON,DC,20036
2D3,1600,N ST SW,,WASHINGTON,DC,20024
2D4,1600,S ST NW,,WASHINGTON,DC,20009
2D5,3,I ST NW,,WASHINGTON,DC,20001
2D6,3,FIRST ST NW,,WASHINGTON,DC,20001
2L1,10,LA CANADA DR,,LA QUINTA,CA,92253
2L2,10,CANADA DR,,LA QUINTA,CA,92253
2L3,10,VIA DEL REY,,LA QUINTA,CA,92253
2L4,10,CALLE DEL REY,,LA QUINTA,CA,92253
2L5,10,AVENIDA DEL REY,,LA QUINTA,CA,92253
2L6,10,AVENUE 52,,LA QUINTA,CA,92253
2L7,10,52ND AVE,,LA QUINTA,CA,92253
2L8,10,AVENIDA LA FONDA,,LA QUINTA,CA,92253
";

/// Each with the home whose address it is.
const FOUND: &[(&str, &str)] = &[
    ("M1", "123 Main St, Springfield, IL 62701, USA"),
    ("M1", "123 Main Street, Springfield, IL 62701, United States"),
    ("M1", "123 main street springfield illinois"),
    ("M1", "123 MAIN ST SPRINGFIELD IL"),
    ("M1", "MAIN ST 123, SPRINGFIELD IL 62701"),
    ("M2", "123 Main St S, Springfield, IL 62701"),
    ("M2", "123 South Main Street Springfield Illinois"),
    ("M2", "123 So. Main St., Springfield, Ill. 62701"),
    ("M2", "123 S. Main, Springfield, IL 62701"),
    ("M3", "123 main ave. springfield, il"),
    ("M1", "123 Main St PO Box 44, Springfield, IL 62701"),
    ("M1", "123 Main St Springfield IL 62701-1234"),
    ("M1", "123 Main St, Springfield, IL 627011234"),
    ("M1", "Home: 123 Main St, Springfield, IL 62701"),
    ("M1", "123 Main St., Springfield, Sangamon County, IL 62701"),
    ("M1", "123 Main St, Springfield, IL, 62701, US"),
    ("M1", "123 Main St\nSpringfield, IL 62701"),
    ("M1", "123 Main St Springfield IL 62701 for sale"),
    ("M1", "123  Main   St ,Springfield ,IL ,62701"),
    ("M1", "123, Main St, Springfield, IL 62701"),
    ("M1", "#123 Main St, Springfield, IL 62701"),
    ("M1", "123 Main Str, Springfield, IL 62701"),
    ("M1", "123 Main St. Springfield. IL. 62701."),
    ("M1", "123 Main St / Springfield / IL / 62701"),
    ("M1", "123 Main St | Springfield, IL 62701"),
    ("M1", "123 Main St; Springfield; IL; 62701"),
    ("M1", "123 Main St - Springfield, IL 62701"),
    ("M1", "123 Main St, Springfield, IL 62701 (39.78, -89.65)"),
    ("F1", "12 First Street, Springfield, IL 62701"),
    ("F1", "12 1st Street Springfield IL"),
    ("F2", "12 1st Avenue, Springfield, IL 62701"),
    ("F2", "12 First Ave Springfield IL 62701"),
    ("F3", "12 Twenty-First Street, Springfield, IL 62701"),
    ("F3", "12 twenty first street springfield il 62701"),
    ("F3", "12 21 St, Springfield, IL 62701"),
    ("F1", "12 1 St, Springfield, IL 62701"),
    ("F4", "12 Second St, Springfield, IL 62701"),
    ("F5", "12 22nd St, Springfield, IL 62701"),
    ("F5", "12 Twenty-Second St, Springfield, IL 62701"),
    ("F6", "12 North Tenth Street Springfield IL 62701"),
    ("SA1", "40 St Charles Pl, Springfield, IL 62702"),
    ("SA1", "40 St. Charles Place Springfield IL"),
    ("SA2", "40 Charles St, Springfield, IL 62702"),
    ("SA3", "42 Saint John's Ct, Springfield, IL 62702"),
    ("SA3", "42 St. John’s Court, Springfield, IL"),
    ("SA3", "42 St Johns Ct Springfield IL"),
    ("SA4", "42 Mount Vernon Drive Springfield Illinois"),
    ("SA4", "42 Mt. Vernon Dr, Springfield, IL 62702"),
    ("SA5", "44 Ft Hill Rd, Springfield, IL 62702"),
    ("SA5", "44 Ft. Hill Road, Springfield, IL 62702"),
    ("SA6", "44 Mt Hill Rd, Springfield, IL 62702"),
    ("SA7", "46 Doctor Martin Luther King Jr Drive, Springfield, IL 62702"),
    ("SA7", "46 Martin Luther King Jr Dr, Springfield, IL 62702"),
    ("SA7", "46 MLK Jr Dr, Springfield, IL 62702"),
    ("SA7", "46 Dr. M.L.K. Jr. Dr., Springfield, IL 62702"),
    ("SA8", "46 King Dr Springfield IL 62702"),
    ("SA9", "46 Doctors Ln Springfield IL 62702"),
    ("U1", "500 Oak Blvd Apt 1, Springfield, IL 62703"),
    ("U2", "500 Oak Blvd #2, Springfield, IL 62703"),
    ("U2", "500 Oak Boulevard, Unit 2, Springfield, IL 62703"),
    ("U3", "500 Oak Blvd 2B Springfield IL 62703"),
    ("U3", "500 Oak Blvd apartment 2-B Springfield IL"),
    ("U3", "500 Oak Blvd Apt. 2 B, Springfield, IL 62703"),
    ("U3", "Apt 2B, 500 Oak Blvd, Springfield, IL 62703"),
    ("U4", "500 Oak Blvd Penthouse, Springfield, IL 62703"),
    ("U5", "500 Oak Blvd Bldg A Unit 1, Springfield, IL 62703"),
    ("U5", "500 Oak Blvd, Building A, Apt 1, Springfield, IL 62703"),
    ("U6", "500 Oak Blvd Bldg B #1, Springfield, IL 62703"),
    ("H1", "8800 US-34, Springfield, IL 62707"),
    ("H1", "8800 U.S. Route 34, Springfield, IL 62707"),
    ("H1", "8800 US 34 Springfield IL"),
    ("H2", "8800 IL-34, Springfield, IL 62707"),
    ("H2", "8800 State Route 34, Springfield, IL 62707"),
    ("H2", "8800 SR-34, Springfield, IL 62707"),
    ("H3", "8800 Co Rd 34, Springfield, IL 62707"),
    ("H3", "8800 CR-34 Springfield IL 62707"),
    ("H3", "8800 County Road 34, Springfield, IL 62707"),
    ("H4", "8802 IL-29, Springfield, IL 62707"),
    ("H4", "8802 Illinois Route 29 Springfield IL 62707"),
    ("H4", "8802 State Route 29 Springfield IL 62707"),
    ("H5", "8804 Old US-36, Springfield, IL 62707"),
    ("H5", "8804 Old Highway 36, Springfield, IL 62707"),
    ("H6", "8804 US-36, Springfield, IL 62707"),
    ("H7", "8806 County Rd 1200 N, Springfield, IL 62707"),
    ("H7", "8806 CR 1200N Springfield IL 62707"),
    ("H8", "8806 County Road 1200E, Springfield, IL 62707"),
    ("H8", "8806 E County Road 1200, Springfield, IL 62707"),
    ("H9", "8806 I-55 Frontage Rd, Springfield, IL 62707"),
    ("X1", "77 1/2 Elm St, Springfield, IL 62701"),
    ("X1", "77½ Elm St, Springfield, IL 62701"),
    ("X1", "77.5 Elm St, Springfield, IL 62701"),
    ("X1", "77-1/2 Elm Street Springfield IL 62701"),
    ("X2", "77 Elm St, Springfield, IL 62701"),
    ("X3", "79 A Elm St, Springfield, IL 62701"),
    ("X3", "79a elm st springfield il"),
    ("X3", "79-A Elm St, Springfield, IL 62701"),
    ("X4", "79 Elm St, Springfield, IL 62701"),
    ("X5", "9 OBrien Ct, Springfield, IL 62701"),
    ("X5", "9 O Brien Court Springfield IL"),
    ("X5", "9 O’Brien Ct Springfield IL"),
    ("X6", "9 Brien Ct Springfield IL"),
    ("X7", "11 Dangelo Way, Springfield, IL 62701"),
    ("X7", "11 D Angelo Way, Springfield, IL 62701"),
    ("X8", "15 The Esplanade, Springfield, IL 62701"),
    ("X9", "15 Esplanade Ave, Springfield, IL 62701"),
    ("Y1", "17 Ave of the Oaks, Springfield, IL 62701"),
    ("Y2", "17 Ave A, Springfield, IL 62701"),
    ("Y3", "17 Ave S, Springfield, IL 62701"),
    ("Y5", "17 North Avenue Springfield IL"),
    ("Y6", "17 NW Pkwy, Springfield, IL 62701"),
    ("Y7", "17 West North Avenue Springfield IL"),
    ("Y8", "19 Lake Shore Drive West, Springfield, IL 62701"),
    ("Y8", "19 Lakeshore Dr W Springfield IL 62701"),
    ("Y8", "19 W Lake Shore Dr, Springfield IL 62701"),
    ("Y9", "19 Lakeshore Drive, Springfield, IL 62701"),
    ("Z1", "19 Lake Court Springfield IL"),
    ("Z2", "19 Court St Springfield IL"),
    ("Z2", "19 Ct St Springfield IL"),
    ("Z3", "21 Park Place Drive, Springfield, IL 62701"),
    ("Z3", "21 Park Pl Dr, Springfield, IL 62701"),
    ("Z4", "21 Park Place, Springfield, IL 62701"),
    ("Z5", "21 Park Drive, Springfield, IL 62701"),
    ("Z6", "23 Half Moon Lane, Springfield, IL 62701"),
    ("Z7", "2 Half St, Springfield, IL 62701"),
    ("Z8", "1015 15th St Springfield IL 62701"),
    ("Z9", "10 15th St Springfield IL 62701"),
    ("T1", "200 S 300 E, Moab, UT 84532"),
    ("T1", "200 South 300 East Moab Utah"),
    ("T1", "200 South 300 East, Moab, UT 84532, USA"),
    ("T2", "200 N 300 E Moab UT"),
    ("T4", "200 E 300 S Moab UT 84532"),
    ("T4", "200 East 300 South Moab Utah 84532"),
    ("T5", "1250 W 2200 S Moab UT"),
    ("T5", "1250 West 2200 South Moab UT 84532"),
    ("W1", "N123 W456 Maple Rd, Germantown, WI 53022"),
    ("W1", "N123W456 Maple Road Germantown Wisconsin"),
    ("W1", "n123 w456 maple rd germantown wi"),
    ("W1", "N123-W456 Maple Rd Germantown WI 53022"),
    ("W3", "W156 N11250 Pilgrim Rd, Germantown, WI 53022"),
    ("W4", "456 Maple Rd Germantown WI"),
    ("W5", "N12 W34567 Ash Dr Germantown WI 53022"),
    ("Q1", "41-10 Bell Blvd, Bayside, NY 11361"),
    ("Q2", "4110 Bell Blvd, Bayside, NY 11361"),
    ("Q4", "216-15 40th Ave, Bayside, NY 11361"),
    ("Q4", "216-15 40 Avenue Bayside NY"),
    ("Q5", "216-15 40 Rd Bayside NY 11361"),
    ("Q5", "21615 40th Rd, Bayside, NY 11361"),
    ("P1", "14 Calle Luna, San Juan, PR 00901"),
    ("P1", "Calle Luna 14, San Juan, Puerto Rico"),
    ("P2", "14 Avenida Luna, San Juan, PR 00901"),
    ("P3", "14 Calle 3 SE, San Juan PR 00921"),
    ("P4", "14 Calle 3, San Juan PR 00921"),
    ("P5", "Urb. Las Lomas, A-12 Calle 5, San Juan, PR 00921"),
    ("P6", "Urb Villa Real A12 Calle 5, San Juan PR"),
    ("P7", "1200 Avenida Ponce de León, San Juan, PR 00907"),
    ("P8", "1200 Calle Ponce, San Juan, PR 00907"),
    ("B1", "30 Camino Real Santa Fe NM"),
    ("B2", "30 Calle Real Santa Fe NM"),
    ("B3", "30 El Camino Real, Santa Fe, NM 87501"),
    ("B4", "30 Paseo de la Loma, Santa Fe, NM 87501"),
    ("B4", "30 Pso de la Loma, Santa Fe, NM 87501"),
    ("T1", "200 South 300 East Moab UT"),
    ("T1", "200 S 300 E Moab Utah"),
    ("T1", "200 South 300 East Moab UT 84532"),
    ("T1", "200 South 300 East Moab"),
    ("T6", "1250 West 2200 North Moab Utah"),
    ("B1", "30 Camino Real Santa Fe New Mexico"),
    ("P5", "A-12 Calle 5, Urb. Las Lomas, San Juan, PR 00921"),
    ("P6", "Urb Villa Real A-12 Calle 5 San Juan PR 00921"),
    ("P6", "A 12 Calle 5 Urb Villa Real San Juan PR 00921"),
    ("2N1", "218-15 40th Ave, Bayside, NY 11361"),
    ("2N1", "218-15 40 Ave Bayside NY"),
    ("2N2", "218-15 40th Road, Bayside, NY 11361"),
    ("2N3", "12 E 9th St, New York, NY 10003"),
    ("2N4", "12 W 9th Street New York NY"),
    ("2N5", "12 Ninth Ave, New York, NY 10003"),
    ("2N6", "500 Avenue of the Americas, New York, NY 10003"),
    ("2N7", "500 6th Ave, New York, NY 10003"),
    ("2N7", "500 Sixth Avenue, New York, NY"),
    ("2N8", "1 Beach 9th St, Far Rockaway, NY 11691"),
    ("2N9", "1 9th St, Far Rockaway, NY 11691"),
    ("2G1", "650 26 Road, Grand Junction, CO 81506"),
    ("2G2", "650 26 1/2 Road, Grand Junction, CO 81506"),
    ("2G2", "650 26.5 Rd, Grand Junction, CO 81506"),
    ("2G3", "650 F Road, Grand Junction, CO 81506"),
    ("2G4", "650 F 1/2 Rd, Grand Junction, CO 81506"),
    ("2D1", "1600 N Street NW, Washington, DC 20036"),
    ("2D2", "1600 North St NW, Washington, DC 20036"),
    ("2D3", "1600 N St SW, Washington DC 20024"),
    ("2D4", "1600 S Street Northwest Washington DC 20009"),
    ("2D5", "3 I Street NW Washington DC"),
    ("2D6", "3 1 St NW Washington DC"),
    ("2L1", "10 La Cañada Dr, La Quinta, CA 92253"),
    ("2L2", "10 Canada Dr La Quinta CA"),
    ("2L3", "10 Via Del Rey La Quinta California"),
    ("2L4", "10 Calle Del Rey, La Quinta, CA 92253"),
    ("2L5", "10 Ave Del Rey La Quinta CA 92253"),
    ("2L6", "10 Avenue 52, La Quinta, CA 92253"),
    ("2L6", "10 Ave 52, La Quinta, CA 92253"),
    ("2L6", "10 Avenida 52, La Quinta, CA 92253"),
    ("2L7", "10 52 Ave, La Quinta, CA 92253"),
    ("2L7", "10 52nd Avenue La Quinta California 92253"),
    ("2L8", "10 Avenida La Fonda, La Quinta, CA"),
];

/// A question, with this home in it.
const ASKED: &[(&str, &str)] = &[
    ("X8", "15 Esplanade, Springfield, IL 62701"),
    ("X9", "15 Esplanade, Springfield, IL 62701"),
    ("H2", "8800 Illinois 34 Springfield IL 62707"),
    ("Z9", "10 15 th St Springfield IL 62701"),
    ("W1", "N 123 W 456 Maple Rd Germantown WI 53022"),
    ("P7", "1200 Ponce de Leon Ave San Juan PR 00907"),
    ("P1", "14 Luna St, San Juan, PR 00901"),
];

/// A question, nothing, or an answer that is marked as doubtful: none of these is the address of one home for sure.
const DOUBTFUL: &[&str] = &[
    "30 Camino Real Santa Fe Texas",
    "200 S 300 E Moab Colorado",
    "14 Calle Luna San Juan New Mexico",
    "A-14 Calle Luna, San Juan, PR 00901",
    "one twenty three main street springfield illinois",
    "MAIN ST S 123 SPRINGFIELD IL 62701",
    "123 Main Street South Springfield Illinois 62701",
    "123 Main, Springfield, IL 62701",
    "123 N Main St, Springfield, IL 62701",
    "123 Main Blvd, Springfield, IL 62701",
    "Main St & Oak Blvd, Springfield, IL 62701",
    "Main St and 1st St, Springfield IL",
    "PO Box 123, Springfield, IL 62701",
    "P.O. Box 123 Springfield IL 62701",
    "RR 2 Box 123, Springfield, IL 62701",
    "123 Main St (rear garage), Springfield, IL 62701",
    "No. 123 Main St, Springfield, IL 62701",
    "123-Main-St-Springfield-IL-62701",
    "https://www.zillow.com/homedetails/123-Main-St-Springfield-IL-62701/1234_zpid/",
    "12 10th St, Springfield, IL 62701",
    "12 1st, Springfield, IL 62701",
    "12 First, Springfield, IL 62701",
    "12 11th St, Springfield, IL 62701",
    "121 1st St, Springfield, IL 62701",
    "1 21st St, Springfield, IL 62701",
    "40 Saint Charles St, Springfield, IL 62702",
    "40 St Charles St, Springfield, IL 62702",
    "40 St Charles, Springfield, IL 62702",
    "44 Hill Rd, Springfield, IL 62702",
    "46 Luther King Dr, Springfield, IL 62702",
    "2B-500 Oak Blvd, Springfield, IL 62703",
    "500 Oak Blvd Unit B1, Springfield, IL 62703",
    "500 Oak Blvd Apt 22, Springfield, IL 62703",
    "500 Oak Blvd, Springfield, IL 62703",
    "500 Oak Blvd Bldg C Unit 1, Springfield, IL 62703",
    "500-2 Oak Blvd, Springfield, IL 62703",
    "5002 Oak Blvd, Springfield, IL 62703",
    "8800 U S Highway 34 Springfield IL 62707",
    "8800 Highway 34, Springfield, IL 62707",
    "8800 Hwy 34 Springfield IL 62707",
    "8800 Route 34 Springfield IL 62707",
    "8802 US-29, Springfield, IL 62707",
    "8804 Old State Route 36, Springfield, IL 62707",
    "8806 County Road 1200, Springfield, IL 62707",
    "77 and a half Elm St, Springfield, IL 62701",
    "771/2 Elm St, Springfield, IL 62701",
    "79B Elm St, Springfield, IL 62701",
    "77-79 Elm St, Springfield, IL 62701",
    "17 South Ave, Springfield, IL 62701",
    "17 N Ave Springfield IL 62701",
    "17 E North Ave, Springfield, IL 62701",
    "17 North Ave W, Springfield, IL 62701",
    "101 515th St Springfield IL 62701",
    "200 300 E Moab UT 84532",
    "200 S 300, Moab, UT 84532",
    "200 S 300 S, Moab, UT 84532",
    "300 E 200 S Moab UT 84532",
    "W456 Maple Rd Germantown WI 53022",
    "N123 Maple Rd Germantown WI 53022",
    "41-10 Bell Blvd, Queens, NY 11361",
    "41 10 Bell Boulevard Bayside New York",
    "14 C. Luna San Juan PR 00901",
    "14 Luna, San Juan, PR 00901",
    "A12 Calle 5 Las Lomas San Juan PR 00921",
    "A-12 Calle 5, San Juan, PR 00921",
    "Urb El Monte, A-12 Calle 5, San Juan, PR 00921",
    "30 Real, Santa Fe, NM 87501",
    "30 Broadway Springfield Illinois",
    "216-15 40th St, Bayside, NY 11361",
    "12 9th St, New York, NY 10003",
    "650 26 St, Grand Junction, CO 81506",
    "65026 Rd, Grand Junction, CO 81506",
    "1600 N St, Washington, DC",
    "3 Eye St NW Washington DC",
    "10 Del Rey, La Quinta, CA 92253",
    "10 Camino Del Rey, La Quinta, CA 92253",
];

fn town() -> (tempfile::TempDir, PropertyIndex) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("typed.csv");
    std::fs::write(&file, HOMES).unwrap();
    let mapping = Mapping::from_toml(MAP, "typed.toml").unwrap();
    let into = folder.path().join("index");
    let report = run(ImportJob { files: vec![file], mapping: &mapping, into: into.clone() }, &mut ()).unwrap();
    assert_eq!((report.rejected, report.duplicates, report.conflicts), (0, 0, 0), "{report:?}");
    assert_eq!(report.places, report.rows_read, "no two are merged");
    assert!(report.own_rows.is_some_and(|own| own.asked == own.found), "each home is found as people write it");
    let index = PropertyIndex::open(&into, Reference::built_in()).unwrap();
    (folder, index)
}

/// The parcel that is the answer, and whether it is one for sure.
fn answer(index: &PropertyIndex, line: &str) -> Option<(String, bool)> {
    match index.lookup(&AddressInput::Line(line.to_owned())).unwrap() {
        Lookup::Found { evidence, .. } => {
            Some((evidence.place.parcel.unwrap_or_default(), evidence.matched.level == MatchLevel::Exact))
        }
        _ => None,
    }
}

#[test]
fn each_form_leads_to_its_home_or_to_a_question() {
    let (_folder, index) = town();
    let mut wrong = Vec::new();
    for (pin, line) in FOUND {
        let found = answer(&index, line);
        if found.as_ref().is_none_or(|(found, _)| found != pin) {
            wrong.push(format!("{line}: {found:?} is not {pin}"));
        }
    }
    for (pin, line) in ASKED {
        let asked: Vec<String> = match index.lookup(&AddressInput::Line((*line).to_owned())).unwrap() {
            Lookup::Ambiguous(found) => {
                let homes = found.iter().map(|one| index.get(&one.key.parse().unwrap()).unwrap().unwrap());
                homes.filter_map(|home| home.place.parcel).collect()
            }
            _ => Vec::new(),
        };
        if !asked.iter().any(|parcel| parcel == pin) {
            wrong.push(format!("{line}: {pin} is not among {asked:?}"));
        }
    }
    for line in DOUBTFUL {
        if let Some((found, true)) = answer(&index, line) {
            wrong.push(format!("{line}: {found} for sure"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
