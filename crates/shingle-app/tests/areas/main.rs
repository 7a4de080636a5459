//! Areas against a server that lays a release out as Overture does: what is asked for, what is kept, what a month
//! changes, and what fails without harm.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod beside_county;
mod failures;
mod ground;
mod monthly;
mod photographed;
mod refresh;
mod surveyed;

use ground::Ground;

#[test]
fn a_zip_becomes_priced_homes_and_little_else_is_read() {
    let ground = Ground::new();
    let planned = ground.planned("80302", 3.0).unwrap();
    let layers: Vec<_> = planned.layers().into_iter().map(|l| (l.layer, l.rows_about)).collect();
    assert!(layers[0].1 > 300 && layers[1].1 > 300, "{layers:?}");
    let requested = ground.bucket.take_requests();
    assert!(requested.iter().all(|r| !r.path.contains("part-00001")), "a file that lies elsewhere: {requested:?}");

    let most = planned.plan.bytes();
    let record = ground.load(planned).unwrap();
    let load = record.current.as_ref().unwrap();
    assert_eq!((load.release.as_str(), load.is_listed, load.repeated), ("2026-10-21.0", false, 0));
    assert_eq!((load.rows.places, load.rows.with_outline), (600, 600), "{load:?}");
    assert_eq!(load.homes.len(), 3);
    let roof = ground.roof("12 Alder Court, Boulder, CO 80302").unwrap();
    assert!(roof.1 > 50.0 && roof.0.iter().any(|licence| licence.contains("ODbL")), "{roof:?}");
    assert_eq!(ground.roof("12 Alder Court, Kittery, ME 03904"), None, "outside of the area");

    // Boxes of groups that hold nothing of the area, ends of files and the catalog are all that is read besides.
    let requests = ground.bucket.take_requests();
    let chunks = requests.iter().filter(|r| r.range.is_some()).map(|r| r.bytes).sum::<u64>();
    assert!(chunks <= most, "{chunks} of at most {most}");
    let wanted = ground.bytes_of_wanted_chunks(&record);
    assert!(chunks as f64 <= wanted as f64 * 1.3, "{chunks} for {wanted}");
    assert_eq!(ground.areas.list(), [record]);
}

#[test]
fn without_a_catalog_the_bucket_is_listed_and_a_folder_is_read_like_a_server() {
    let ground = Ground::new();
    ground.describe(false);
    let record = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    let load = record.current.unwrap();
    assert!(load.is_listed && load.rows.places == 600, "{load:?}");
    ground.areas.remove("80302").unwrap();

    let folder = ground.copied_to_folder();
    let url = url::Url::from_directory_path(&folder).unwrap();
    for without_catalog in [false, true] {
        ground.describe_text(|text| {
            let of_folder = text.replace(&ground.bucket.url(), url.as_str());
            if without_catalog { of_folder.replace(&format!("{url}catalog.json"), "") } else { of_folder }
        });
        let record = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
        assert_eq!(record.current.map(|load| (load.is_listed, load.rows.places)), Some((without_catalog, 600)));
        ground.areas.remove("80302").unwrap();
    }
}

#[test]
fn columns_may_be_added_and_boxes_may_be_in_any_order() {
    let ground = Ground::new();
    ground.publish("2026-11-18.0", &ground.homes.clone(), |layout| {
        layout.corners = ["ymax", "xmax", "ymin", "xmin"];
        layout.renamed = Some(("postal_city", "postal_town"));
    });
    let record = ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    assert_eq!(record.current.map(|load| load.rows.places), Some(600));
    assert!(ground.roof("12 Alder Court, Boulder, CO 80302").is_some());
}

#[test]
fn two_areas_that_overlap_answer_each_home_once_and_go_one_by_one() {
    let ground = Ground::new();
    ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
    ground.load(ground.planned("80301", 12.0).unwrap()).unwrap();
    assert_eq!(ground.areas.list().len(), 2);
    assert!(ground.roof("12 Alder Court, Boulder, CO 80302").unwrap().1 > 50.0);
    ground.areas.remove("area-80302").unwrap();
    assert!(ground.roof("12 Alder Court, Boulder, CO 80302").is_some(), "the other area has it too");
    ground.areas.remove("80301").unwrap();
    assert_eq!(ground.roof("12 Alder Court, Boulder, CO 80302"), None);
    assert!(ground.areas.list().is_empty() && ground.areas.remove("80301").is_err());
}

#[test]
fn the_real_excerpt_of_boulder_ends_in_roofs() {
    let (Some(addresses), Some(buildings)) = (
        shingle_testing::shared("data/national/overture_addresses_boulder_co.parquet"),
        shingle_testing::shared("data/national/overture_buildings_boulder_co.parquet"),
    ) else {
        return;
    };
    let ground = Ground::new();
    ground.bucket.remove("");
    let folder = "release/2026-11-18.0/";
    ground
        .bucket
        .put(&format!("{folder}theme=addresses/type=address/part-0.parquet"), std::fs::read(addresses).unwrap());
    ground
        .bucket
        .put(&format!("{folder}theme=buildings/type=building/part-0.parquet"), std::fs::read(buildings).unwrap());
    ground.describe(false);
    let record = ground.load(ground.planned("80302", 25.0).unwrap()).unwrap();
    let load = record.current.unwrap();
    assert_eq!(load.layers.iter().map(|l| l.rows).collect::<Vec<_>>(), [10_332, 9_699]);
    // As many as an import of the same files has: 6,958 lie in an outline, 1,355 are near one.
    assert_eq!((load.rows.with_outline, load.homes.len()), (8_313, 3), "{load:?}");
}
