//! Cuts a window to look at: `cargo run -p shingle-imagery --example cut -- FILE OUT.png METERS WIDE HIGH [LON LAT]
//! [EPSG]`. Without a place, the middle of the picture. `OUT.webp` is written in at most 15 kB.

use std::error::Error;
use std::path::Path;

use shingle_imagery::{Placed, Window};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, out, meters, wide, high, rest @ ..] = args.as_slice() else {
        return Err("give FILE OUT.png METERS WIDE HIGH [LON LAT] [EPSG]".into());
    };
    let (place, system) = match rest {
        [lon, lat, system @ ..] => (Some((lon.parse()?, lat.parse()?)), system.first()),
        [system] => (None, Some(system)),
        [] => (None, None),
    };
    let picture = Placed::open(Path::new(file), system.map(String::as_str))?;
    println!("{:?}", picture.facts());
    let [west, south, east, north] = picture.facts().bounds;
    let (lon, lat) = place.unwrap_or((f64::midpoint(west, east), f64::midpoint(south, north)));
    let window = Window::about(lon, lat, meters.parse()?, wide.parse()?, high.parse()?);
    let Some(cut) = picture.cut(&window)? else { return Err("the picture does not reach the window".into()) };
    println!("covered {:.3}, cloudy {:.3}", cut.covered, cut.cloudy);
    if out.ends_with(".webp") {
        let bytes = cut.webp(15_000)?;
        println!("{} bytes", bytes.len());
        std::fs::write(out, bytes)?;
    } else {
        image::save_buffer(out, &cut.rgb, cut.wide, cut.high, image::ExtendedColorType::Rgb8)?;
    }
    Ok(())
}
