//! The drawing and what stands around it: tags, compass, key.

use shingle_domain::aerial::AerialPhoto;
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::RoofFound;
use shingle_domain::roof::{DrawingBasis, RoofDrawing};

use super::block::line;
use super::markup::{Markup, Text};
use crate::path::{Path, join};
use crate::plan::{Detail, Label, lengths, sheet};
use crate::site::homes::homes_site;
use crate::site::{Badge, ListedFacets, Outlined, Shapes, Site, site};
use crate::view::photo;
use crate::words::{Words, tenths, thousands, w};

/// The roof of the first step, before there is a real one.
pub fn example<M: Markup>(words: Words) -> Vec<M> {
    around(words, Some((&crate::plan::example(), Detail::Areas)), vec![w::TAG_EXAMPLE.into()], None)
}

/// A pane without a roof.
pub fn blank<M: Markup>(words: Words) -> Vec<M> {
    around(words, None, vec![w::TAG_NONE.into()], None)
}

/// The roof that was found, and which of its buildings were picked.
#[derive(Debug, Clone, Copy)]
pub struct Picked<'a> {
    pub roof: &'a RoofFound,
    /// All of them where nothing is picked yet.
    pub chosen: Option<BuildingSet>,
    /// The visitor knows its price: its figures are beside the drawing.
    pub priced: bool,
    /// The home is this unit of the building.
    pub unit: Option<&'a str>,
}

/// The picked buildings and what stands around them, with `more` under the key.
pub fn found<M: Markup>(words: Words, of: Option<Picked<'_>>, detail: Detail, more: Option<M>) -> Vec<M> {
    let drawn = of.and_then(|of| {
        let yours = match of.unit {
            Some(unit) => words.fill(w::UNIT_PIN, &[("unit", unit)]),
            None => words[w::YOURS].to_owned(),
        };
        Some((of, site(words, of.roof, of.chosen, detail, &yours)?))
    });
    let Some((of, site)) = drawn else {
        return around(words, None, vec![w::TAG_NONE.into()], more);
    };
    let chosen = |index: &usize| of.chosen.is_none_or(|chosen| chosen.contains(*index));
    let drawings: Vec<&RoofDrawing> = (0..of.roof.buildings.len())
        .filter(chosen)
        .filter_map(|index| of.roof.buildings[index].drawing.as_ref())
        .collect();
    let Some(first) = drawings.first() else { return around(words, None, vec![w::TAG_NONE.into()], more) };
    let mut name = name(words, first);
    name.push_str(&place(words, of.roof));
    // Paper has the photograph beside the drawing.
    let aerial = of.roof.photo.as_ref().filter(|_| detail != Detail::Paper);
    name.extend(aerial.map(|photo| photo::seen(words, photo)));
    let has_lot = !site.lot.is_empty();
    let mut pane = vec![draw_site(site, name, aerial)];
    pane.extend(aerial.map(|photo| photo::switch(words, photo)));
    let tag = |text| M::classed("p", "sh-tag").text(text);
    let mut tags = known(words, of, first, detail);
    if detail == Detail::Paper && !first.facets.is_empty() {
        let listed = ListedFacets::of(drawings.iter().copied()).is_some();
        tags.push(if listed { w::SHEET_NUMBERS } else { w::TAG_AREAS }.into());
    }
    let dated = aerial.map(|photo| photo::tag(words, photo));
    pane.push(M::classed("div", "sh-tags").children(dated).children(tags.into_iter().map(tag)));
    pane.push(compass());
    pane.push(M::classed("div", "sh-strip").child(key(words, &drawings, has_lot)).children(more));
    pane
}

/// The outlines of the home that was found and of those that can be chosen instead.
pub fn homes<M: Markup>(words: Words, roof: &RoofFound) -> Vec<M> {
    let Some(site) = homes_site(words, roof) else { return blank(words) };
    let aerial = roof.photo_of_homes.as_ref();
    let mut pane = vec![draw_site(site, words[w::PICK_PLAN].to_owned(), aerial)];
    pane.extend(aerial.map(|photo| photo::switch(words, photo)));
    let invented = roof.provenance.invented.then(|| M::classed("p", "sh-tag").text(w::TAG_INVENTED));
    let dated = aerial.map(|photo| photo::tag(words, photo));
    pane.push(M::classed("div", "sh-tags").children(dated).children(invented));
    pane.push(compass());
    pane
}

/// "…, on Alder Court, between 12 and 16", as far as known.
fn place(words: Words, roof: &RoofFound) -> String {
    let Some(around) = &roof.around else { return String::new() };
    let street = around.street.as_ref().map(|street| words.fill(w::PLAN_ON, &[("street", &street.name)]));
    let beside = match &around.between {
        [Some(a), Some(b)] => Some(words.fill(w::PLAN_BETWEEN, &[("a", a), ("b", b)])),
        [Some(a), None] | [None, Some(a)] => Some(words.fill(w::PLAN_BESIDE, &[("a", a)])),
        [None, None] => None,
    };
    [street, beside].into_iter().flatten().map(|text| [", ", &text].concat()).collect()
}

fn around<M: Markup>(words: Words, roof: Option<(&RoofDrawing, Detail)>, tags: Vec<Text>, more: Option<M>) -> Vec<M> {
    let mut pane: Vec<M> = roof.map(|(roof, detail)| draw(words, roof, detail)).into_iter().collect();
    let tag = |text| M::classed("p", "sh-tag").text(text);
    pane.push(M::classed("div", "sh-tags").children(tags.into_iter().map(tag)));
    pane.push(compass());
    if roof.is_some() || more.is_some() {
        let drawings: Vec<&RoofDrawing> = roof.iter().map(|(roof, _)| *roof).collect();
        let strip = M::classed("div", "sh-strip").child(key(words, &drawings, false));
        pane.push(strip.children(more));
    }
    pane
}

/// What has to be said about a drawing: how much of it is known, and whether it is real.
fn known(words: Words, of: Picked<'_>, drawing: &RoofDrawing, detail: Detail) -> Vec<Text> {
    let mut tags = Vec::new();
    if of.roof.provenance.invented {
        tags.push(w::TAG_INVENTED.into());
    }
    match drawing.basis {
        DrawingBasis::Modelled => tags.push(w::TAG_MODELLED.into()),
        DrawingBasis::Outline => tags.push(w::TAG_OUTLINE.into()),
        DrawingBasis::Measured => (),
    }
    if detail == Detail::Areas && !drawing.facets.is_empty() {
        // Of one building; several have a sum of their own.
        tags.push(if of.priced || of.roof.buildings.len() > 1 {
            w::TAG_AREAS.into()
        } else {
            let area: u32 = drawing.facets.iter().map(|facet| facet.area).sum();
            let with = [("area", thousands(area.into())), ("n", drawing.facets.len().to_string())];
            words.fill(w::TAG_SIZE, &with.each_ref().map(|(name, value)| (*name, value.as_str()))).into()
        });
    }
    tags
}

fn compass<M: Markup>() -> M {
    M::classed("svg", "sh-compass")
        .all(&[("viewBox", "0 0 34 44"), ("role", "img")])
        .set("aria-label", w::NORTH)
        .child(line("l", "M17 12 23 34 17 29.5 11 34Z"))
        .child(line("half", "M17 12 17 29.5 11 34Z"))
        .child(M::new("text").all(&[("x", "17"), ("y", "9"), ("text-anchor", "middle")]).text("N"))
}

fn draw<M: Markup>(words: Words, roof: &RoofDrawing, detail: Detail) -> M {
    let s = sheet(roof, detail, words);
    let fills = s.facets.into_iter().fold(M::classed("g", "fills"), |g, (class, path)| g.child(line(class, path)));
    let folds = M::classed("g", "folds");
    let folds = lines(folds, [("l l-hip", s.hips), ("l l-valley", s.valleys), ("l l-ridge", s.ridges)]);
    let drawing = M::classed("svg", "plan")
        .set("viewBox", join(&s.view_box))
        .set("font-size", s.font.to_string())
        .set("role", "img")
        .set("aria-label", name(words, roof))
        .child(fills)
        .child(folds);
    let drawing = lines(
        drawing,
        [("l l-eave", s.eaves), ("l l-dim", s.arrows), ("l l-dim", s.dimensions), ("l l-scale", s.scale)],
    );
    let labels = [("t-dim", s.lengths), ("t-area", s.areas), ("t-dim", s.scale_ends)];
    labels.into_iter().fold(drawing, |drawing, (class, labels)| {
        labels.into_iter().fold(drawing, |drawing, l| drawing.child(label(class, l)))
    })
}

fn draw_site<M: Markup>(s: Site, name: String, aerial: Option<&AerialPhoto>) -> M {
    let drawing = M::classed("svg", "plan")
        .set("viewBox", join(&s.view_box))
        .set("font-size", s.font.to_string())
        .set("role", "img")
        .set("aria-label", name)
        .children(aerial.map(photo::image));
    let mut drawing =
        lines(drawing, [("l l-dim l-street", s.street_edges), ("street", s.street), ("l l-dim near", s.neighbors)]);
    if !s.lot.is_empty() {
        drawing = drawing.child(lot_line(s.lot));
    }
    if aerial.is_some() {
        // Under the lines, so that they stand out from whatever the photograph shows.
        for of in &s.buildings {
            drawing =
                lines(drawing, [&of.eaves, &of.hips, &of.valleys, &of.ridges].map(|path| ("l case", path.clone())));
        }
        drawing = lines(drawing, [("l case", s.dimensions.clone())]);
    }
    for building in s.buildings {
        drawing = drawing.child(group(building));
    }
    drawing = lines(drawing, [("l l-dim", s.dimensions)]);
    for (class, labels) in [("t-dim", s.lengths), ("t-dim t-street", s.street_names), ("t-no", s.numbers)] {
        drawing = drawing.children(labels.into_iter().map(|l| label(class, l)));
    }
    drawing = drawing.children(s.beside.into_iter().map(|(class, l)| label(class, l)));
    if !s.homes.is_empty() {
        drawing = drawing.child(outlined(s.homes));
    }
    if let Some((pin, text)) = s.pin {
        drawing = drawing.child(line("pin", pin.svg())).child(label("t-pin", text));
    }
    let [x, y, wide, high] = s.chip.map(|n| n.to_string());
    let chip = M::classed("rect", "chip").set("x", x).set("y", y).set("width", wide).set("height", high);
    let chip = chip.set("rx", (s.chip[3] / 3).to_string());
    let drawing = lines(drawing.child(chip), [("l l-scale", s.scale)]);
    drawing.children(s.scale_text.map(|l| label("t-scale", l)))
}

/// One building: what it is drawn with can be shown as chosen or not.
fn group<M: Markup>(of: Shapes) -> M {
    let fills = of.facets.into_iter().fold(M::classed("g", "fills"), |g, (class, path)| g.child(line(class, path)));
    let folds = M::classed("g", "folds");
    let folds = lines(folds, [("l l-hip", of.hips), ("l l-valley", of.valleys), ("l l-ridge", of.ridges)]);
    let group = M::new("g").set("data-building", of.index.to_string()).child(fills).child(folds);
    let group = lines(group, [("l l-eave", of.eaves), ("l l-dim", of.arrows)]);
    let group = group.children(of.areas.into_iter().map(|l| label("t-area", l)));
    group.children(of.badge.map(|l| label("t-badge", l)))
}

/// Outlines that can be chosen. What is pressed beside one belongs to it too, as far as a finger needs; the outlines
/// themselves lie over all of that.
fn outlined<M: Markup>(homes: Vec<Outlined>) -> M {
    let mut group = M::classed("g", "homes");
    for home in &homes {
        let beside = line::<M>("press", home.outline.clone()).set("stroke-width", home.margin.to_string());
        group = group.child(beside.set("data-building", home.index.to_string()));
    }
    group.children(homes.into_iter().map(|home| {
        let over = |group: M, class| group.child(line(class, home.outline.clone()));
        // Shown over the rest while it is chosen.
        let chosen = ["ring", "casing", "picked"].into_iter().fold(M::classed("g", "chosen"), over);
        let group = M::new("g").set("data-building", home.index.to_string());
        badge(over(group, "outline"), home.plain).child(badge(chosen, home.chosen))
    }))
}

/// A house number on a pill, put into `group`.
fn badge<M: Markup>(group: M, of: Badge) -> M {
    let [x, y, wide, high] = of.pill.map(|n| n.to_string());
    let pill = M::classed("rect", "pill").set("x", x).set("y", y).set("width", wide).set("height", high);
    let badge = M::classed("g", "badge").child(pill.set("rx", (of.pill[3] / 2).to_string()));
    group.child(lines(badge, [("check", of.check)]).child(label("t-home", of.number)))
}

/// Those that there are.
fn lines<M: Markup, const N: usize>(mut within: M, paths: [(&'static str, Path); N]) -> M {
    for (class, path) in paths {
        if !path.is_empty() {
            within = within.child(line(class, path));
        }
    }
    within
}

fn label<M: Markup>(class: &'static str, of: Label) -> M {
    let (x, y) = (of.x.to_string(), of.y.to_string());
    let turn = ["rotate(", &of.turn.to_string(), " ", &x, " ", &y, ")"].concat();
    let text = M::classed("text", class).set("x", x).set("y", y).set("dy", ".36em");
    if of.turn == 0 { text } else { text.set("transform", turn) }.text(of.text)
}

/// The drawing in a sentence.
fn name(words: Words, roof: &RoofDrawing) -> String {
    let facets = match roof.facets.len() {
        0 => words[w::PLAN_OUTLINE].to_owned(),
        n => words.number(w::PLAN_FACETS, n),
    };
    let (a, b) = (tenths(roof.width.into()), tenths(roof.height.into()));
    words.fill(w::PLAN_NAME, &[("a", &a), ("b", &b), ("facets", &facets)])
}

fn all_lengths(roof: &RoofDrawing) -> impl Iterator<Item = (usize, u32)> {
    lengths(roof).into_iter().enumerate()
}

/// Dashed as surveyors draw it.
fn lot_line<M: Markup>(path: impl Into<Text>) -> M {
    line::<M>("l l-dim", path).set("stroke-dasharray", "9 3 2 3")
}

/// Each kind of line with its length.
fn key<M: Markup>(words: Words, roofs: &[&RoofDrawing], has_lot: bool) -> M {
    const STROKES: [&str; 4] = ["l l-ridge", "l l-hip", "l l-valley", "l l-eave"];
    let mut key = M::classed("p", "plan-key");
    let mut all = [0; 4];
    for (sum, feet) in roofs.iter().flat_map(|roof| all_lengths(roof)) {
        all[sum] += feet;
    }
    let entry = |stroke: M, text: Text| {
        let sign = M::new("svg").all(&[("viewBox", "0 0 22 8"), ("aria-hidden", "true")]);
        M::new("span").child(sign.child(stroke)).text(text)
    };
    for (at, feet) in all.into_iter().enumerate() {
        if feet > 0 {
            let text = [&words[w::LINES.at(at)], " ", &thousands(feet.into()), " ", &words[w::FEET]].concat();
            key = key.child(entry(line(STROKES[at], "M1 4h20"), text.into()));
        }
    }
    if has_lot { key.child(entry(lot_line("M1 4h20"), w::PLAN_LOT.into())) } else { key }
}
