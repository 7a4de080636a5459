"""What GDAL makes of pictures, for the tests beside this file. Needs rasterio.

fixtures OUT        writes the small invented pictures of tests/files and what GDAL reads in their quarters
derive SOURCE OUT   writes a picture again in each compression, layout and depth; prints the names
expect              reads requests as JSON lines, prints for each what GDAL sees in that window
"""

import json
import math
import os
import sys
import warnings
from contextlib import contextmanager

import numpy as np
import rasterio
from rasterio.crs import CRS
from rasterio.enums import ColorInterp, Resampling
from rasterio.transform import Affine
from rasterio.warp import transform as warp

warnings.filterwarnings("ignore")


def kinds(block):
    """Each compression, layout and depth: a name, options, and how many bands."""
    for layout, where in (("strip", {"tiled": False, "blockysize": 16}),
                          ("tile", {"tiled": True, "blockxsize": block, "blockysize": block})):
        for compress in ("none", "lzw", "deflate", "packbits", "zstd"):
            for planes in ("pixel", "band"):
                for depth in ("uint8", "uint16"):
                    for predictor in (1, 2):
                        if predictor == 2 and compress in ("none", "packbits"):
                            continue
                        yield (f"{layout}_{compress}_{planes}_{depth}_p{predictor}",
                               dict(where, compress=compress, interleave=planes, predictor=predictor), 3, depth)
        yield f"{layout}_jpeg_ycbcr", dict(where, compress="jpeg", photometric="ycbcr", jpeg_quality=90), 3, "uint8"
        yield f"{layout}_jpeg_rgb", dict(where, compress="jpeg", photometric="rgb", jpeg_quality=90), 3, "uint8"
        yield f"{layout}_jpeg_gray", dict(where, compress="jpeg", jpeg_quality=90), 1, "uint8"
        yield (f"{layout}_jpeg_band", dict(where, compress="jpeg", interleave="band", jpeg_quality=90, photometric="rgb"),
               3, "uint8")
        yield f"{layout}_jpeg_rgba", dict(where, compress="jpeg", photometric="rgb", alpha="yes", jpeg_quality=90), 4, "uint8"
        yield f"{layout}_webp", dict(where, compress="webp", webp_level=90), 3, "uint8"
        yield f"{layout}_webp_lossless", dict(where, compress="webp", webp_lossless=True), 3, "uint8"
        yield f"{layout}_webp_rgba", dict(where, compress="webp", webp_lossless=True, alpha="yes"), 4, "uint8"
        yield f"{layout}_big", dict(where, compress="deflate", bigtiff="yes"), 3, "uint8"
        yield f"{layout}_motorola", dict(where, compress="lzw", endianness="big", predictor=2), 3, "uint16"
        yield f"{layout}_bigmotorola", dict(where, compress="lzw", bigtiff="yes", endianness="big"), 3, "uint8"
        for bands in (1, 2, 4, 5):
            yield f"{layout}_{bands}bands", dict(where, compress="deflate"), bands, "uint8"
        yield f"{layout}_infrared", dict(where, compress="lzw", photometric="rgb", alpha="unspecified"), 4, "uint8"
        yield f"{layout}_16bit_alpha", dict(where, compress="zstd", photometric="rgb", alpha="yes"), 4, "uint16"
        yield f"{layout}_white_is_zero", dict(where, photometric="miniswhite"), 1, "uint8"
        yield f"{layout}_sparse", dict(where, compress="deflate", sparse_ok=True), 3, "uint8"


def write(path, options, bands, depth, color, crs, transform):
    """`color`: three bands of bytes."""
    high, wide = color.shape[1:]
    gray = color.astype(float).mean(axis=0).astype("uint8")
    clear = np.full((high, wide), 255, "uint8")
    clear[: high // 4, : wide // 4] = 0
    alpha = options.get("alpha") == "yes" or bands == 2
    data = {1: [gray], 2: [gray, clear], 3: list(color), 4: [*color, clear if alpha else gray],
            5: [*color, gray, 255 - gray]}[bands]
    data = np.stack(data)
    if depth == "uint16":
        scale = np.where(np.arange(bands)[:, None, None] == 3, 257, 13) if alpha else 13
        data = (data.astype("uint16") * scale).astype("uint16")
    options = {key: value for key, value in options.items() if value is not None}
    if bands == 2:
        options["alpha"] = "yes"
    sparse = options.get("sparse_ok")
    with rasterio.open(path, "w", driver="GTiff", width=wide, height=high, count=bands, dtype=depth, crs=crs,
                       transform=transform, **options) as out:
        if sparse:
            # The lower half is left out.
            out.write(data[:, : high // 2], window=((0, high // 2), (0, wide)))
        else:
            out.write(data)


def derive(source, out):
    with rasterio.open(source) as src:
        color = src.read([1, 2, 3])
        crs = src.crs if src.crs and src.crs.to_epsg() else CRS.from_epsg(2154)
        for name, options, bands, depth in kinds(64):
            if "sparse" in name:
                continue
            path = os.path.join(out, name + ".tif")
            write(path, options, bands, depth, color, crs, src.transform)
            print(path)
        base = dict(driver="GTiff", width=color.shape[2], height=color.shape[1], count=3, dtype="uint8", crs=crs,
                    transform=src.transform, tiled=True, blockxsize=64, blockysize=64, compress="deflate")
        for name, change in (("overviews", {}), ("mask", {}), ("outer_mask", {}), ("outer_overviews", {}),
                             ("nodata", {"nodata": 0}), ("no_nodata", {"nodata": None}),
                             ("turned", {"transform": src.transform * Affine.rotation(17)}),
                             ("south_up", {"transform": src.transform * Affine.translation(0, color.shape[1])
                                           * Affine.scale(1, -1)}),
                             ("degrees", {"crs": CRS.from_epsg(4326), "transform": degrees(src, crs)})):
            path = os.path.join(out, name + ".tif")
            pixels = color[:, ::-1] if name == "south_up" else color
            inner = name == "mask"
            with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=inner, TIFF_USE_OVR=name == "outer_overviews"):
                with rasterio.open(path, "w", **dict(base, **change)) as dst:
                    dst.write(pixels)
                    if "mask" in name:
                        mask = np.full(color.shape[1:], 255, "uint8")
                        mask[: mask.shape[0] // 3, mask.shape[1] // 2:] = 0
                        dst.write_mask(mask)
                if "overviews" in name or name == "mask":
                    with rasterio.open(path, "r+") as dst:
                        dst.build_overviews([2, 4], Resampling.average)
            print(path)


def degrees(src, crs):
    (west, east), (north, south) = warp(crs, "EPSG:4326", [src.bounds.left, src.bounds.right],
                                        [src.bounds.top, src.bounds.bottom])
    return Affine((east - west) / src.width, 0, west, 0, (south - north) / src.height, north)


def invented():
    """Four quarters of different colors, with a pattern that has no direction."""
    y, x = np.mgrid[0:40, 0:40]
    quarter = (y >= 20) * 2 + (x >= 20)
    colors = np.array([[200, 60, 50], [70, 150, 80], [60, 80, 180], [210, 200, 90]])
    wave = (np.sin(x / 5.0) * np.cos(y / 7.0) * 3).astype(int)[None] * 8
    return np.clip(colors[quarter].transpose(2, 0, 1) + wave, 0, 255).astype("uint8")


def fixtures(out):
    keep = {"strip_none_pixel_uint8_p1", "strip_lzw_band_uint16_p2", "strip_deflate_pixel_uint16_p2",
            "strip_packbits_band_uint8_p1", "strip_zstd_pixel_uint8_p2", "strip_jpeg_ycbcr", "strip_jpeg_rgb",
            "strip_jpeg_gray", "strip_webp", "strip_4bands", "strip_5bands", "strip_white_is_zero", "strip_motorola",
            "tile_none_band_uint8_p1", "tile_lzw_pixel_uint8_p1", "tile_deflate_band_uint8_p2",
            "tile_zstd_band_uint16_p2", "tile_jpeg_ycbcr", "tile_jpeg_rgb",
            "tile_jpeg_band", "tile_jpeg_rgba", "tile_webp", "tile_webp_rgba", "tile_big", "tile_bigmotorola",
            "tile_2bands", "tile_infrared", "tile_16bit_alpha", "tile_sparse"}
    color, crs = invented(), CRS.from_epsg(3857)
    # North is up in it: the pixels of a window are those of the picture.
    transform = Affine(0.6, 0, -9404000, 0, -0.6, 3980000)
    expected = []
    for name, options, bands, depth in kinds(16):
        if name in keep:
            path = os.path.join(out, name + ".tif")
            write(path, options, bands, depth, color, crs, transform)
            expected.append({"file": name + ".tif", **quarters(path)})
    with open(os.path.join(out, "expected.json"), "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(e) for e in expected) + "\n]\n")


def stretched(src, values):
    """16 bits as bytes, by the rule of `color::stretch`."""
    if src.dtypes[0] != "uint16":
        return values
    bands = color_bands(src)
    pages = [(src.width * src.height, 1)] + [(src.width // f * (src.height // f), f) for f in src.overviews(1)]
    size, factor = min([p for p in pages if p[0] >= 65536] or pages[:1])
    with rasterio.open(src.name, **({"overview_level": src.overviews(1).index(factor)} if factor > 1 else {})) as page:
        windows = [window for _, window in page.block_windows(1)]
        count = min(len(windows), 48)
        samples = []
        for i in range(count):
            window = windows[(2 * i + 1) * len(windows) // (2 * count)]
            block = page.read(bands, window=window).reshape(len(bands), -1)
            shown = page.dataset_mask(window=window).reshape(-1) > 0
            step = max(1, math.ceil(block.shape[1] / 65536))
            samples.append(block[:, ::step][:, shown[::step]].reshape(-1))
    samples = np.sort(np.concatenate(samples))
    beyond = len(samples) // 100
    low, high = float(samples[beyond]), float(samples[len(samples) - 1 - beyond])
    return np.clip((values - low) * 255 / max(high - low, 1), 0, 255)


def color_bands(src):
    return [1, 2, 3] if src.count >= 3 else [1]


def as_rgb(src, values):
    values = values.astype(float)
    if src.colorinterp[0] == ColorInterp.palette:
        table = src.colormap(1)
        lookup = np.array([table.get(i, (0, 0, 0, 255))[:3] for i in range(256)], float)
        return lookup[values[0].astype(int)].transpose(2, 0, 1)
    values = stretched(src, values)
    if src.tags(ns="IMAGE_STRUCTURE").get("MINISWHITE") == "YES":
        values = 255 - values
    return np.repeat(values, 3, axis=0) if len(values) == 1 else values


def shown(src):
    """Infrared that is called alpha is not alpha."""
    last = src.count
    if src.colorinterp[last - 1] == ColorInterp.alpha:
        alpha = src.read(last)
        if ((alpha == 0) | (alpha == np.iinfo(alpha.dtype).max)).mean() < 0.5:
            return np.full(alpha.shape, 255, "uint8")
    return src.dataset_mask()


def quarters(path):
    """Means of the color of the four quarters of the pixels, and which share shows something."""
    with rasterio.open(path) as src:
        rgb, mask = as_rgb(src, src.read(color_bands(src))), shown(src) > 0
        if "sparse" in path:
            # Blocks that are left out of a file read as black and count as shown. Here they count as missing.
            mask[32:] = False
        return {"means": means(rgb, mask, mask.shape[0] // 2, mask.shape[1] // 2), "covered": float(mask.mean())}


def means(rgb, seen, middle_row, middle_column):
    out = []
    for rows in (slice(0, middle_row), slice(middle_row, None)):
        for columns in (slice(0, middle_column), slice(middle_column, None)):
            shows = seen[rows, columns]
            part = rgb[:, rows, columns]
            out.append([round(float(band[shows].mean()), 3) for band in part] if shows.any() else None)
    return out


def expect(request):
    """From points that lie close together: what the nearest pixel of the picture is."""
    lon, lat = request["longitude"], request["latitude"]
    plane = CRS.from_proj4(f"+proj=aeqd +lat_0={lat} +lon_0={lon} +datum=WGS84 +units=m")
    wide, high = (DENSE // n * n for n in (request["wide"], request["high"]))
    x = ((np.arange(wide) + 0.5) / wide - 0.5) * request["meters_wide"]
    y = (0.5 - (np.arange(high) + 0.5) / high) * request["meters_high"]
    x, y = np.meshgrid(x, y)
    with opened(request["file"]) as (src, values, hidden):
        crs = CRS.from_string(request["system"]) if request.get("system") else src.crs
        x, y = warp(plane, crs, x.ravel(), y.ravel())
        columns, rows = ~src.transform * (np.array(x), np.array(y))
        columns, rows = np.floor(columns).astype(int), np.floor(rows).astype(int)
        inside = (columns >= 0) & (columns < src.width) & (rows >= 0) & (rows < src.height)
        columns, rows = np.where(inside, columns, 0), np.where(inside, rows, 0)
        seen = (inside & (hidden[rows, columns] > 0)).reshape(high, wide)
        rgb = as_rgb(src, values[:, rows, columns].reshape(len(values), high, wide))
        # Odd windows have their middle pixel in the second half.
        half = request["high"] // 2 * (high // request["high"]), request["wide"] // 2 * (wide // request["wide"])
        return {"means": means(rgb, seen, *half), "covered": float(seen.mean())}


DENSE = 360
KEPT = {}


@contextmanager
def opened(path):
    """Several windows of a picture come one after the other."""
    with rasterio.open(path) as src:
        if path not in KEPT:
            KEPT.clear()
            KEPT[path] = src.read(color_bands(src)), shown(src)
        yield (src, *KEPT[path])


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else "expect"
    if command == "fixtures":
        fixtures(sys.argv[2])
    elif command == "derive":
        derive(sys.argv[2], sys.argv[3])
    else:
        for line in sys.stdin:
            print(json.dumps(expect(json.loads(line))), flush=True)


main()
