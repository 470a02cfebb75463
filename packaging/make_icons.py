"""Draws the icons: the app's icon in all sizes, its .icns, and the template image of the menu bar.

    python packaging/make_icons.py            writes resources/icons

Shapes are distance fields on a canvas of 1024: every size is drawn for itself, none is scaled. The
three lines in the lens have the colours that say why a row is found: name, word, meaning.
"""

import struct
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Field: TypeAlias = npt.NDArray[np.float64]
Colour: TypeAlias = tuple[float, float, float]

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "icons"
CANVAS = 1024.0
SIZES = (16, 32, 64, 128, 256, 512, 1024)
# What an iconset calls each file, and the size in which it is drawn.
ICONSET = {
    f"icon_{points}x{points}{'@2x' if scale == 2 else ''}.png": points * scale
    for points in (16, 32, 128, 256, 512)
    for scale in (1, 2)
}
# The chunks of an .icns file that hold PNG data: type, pixels.
ICNS = (
    (b"icp4", 16), (b"icp5", 32), (b"ic11", 32), (b"ic12", 64), (b"ic07", 128), (b"ic13", 256),
    (b"ic08", 256), (b"ic14", 512), (b"ic09", 512), (b"ic10", 1024),
)  # fmt: skip
MENU_BAR = 40  # pixels for 20 points, the size that rumps gives it

TOP: Colour = (0.33, 0.28, 0.72)
FOOT: Colour = (0.11, 0.10, 0.29)
WHITE: Colour = (1.0, 1.0, 1.0)
GLASS: Colour = (0.075, 0.065, 0.21)
NAME: Colour = (0.25, 0.83, 0.55)
WORD: Colour = (0.36, 0.62, 1.0)
MEANING: Colour = (0.72, 0.53, 1.0)
BLACK: Colour = (0.0, 0.0, 0.0)

LENS = (450.0, 572.0)  # centre; y grows upwards
RADIUS = 236.0
RING = 58.0
CURVE = 2.7  # between a circle's corner (2) and a square's: Apple's corners have no sudden bend


class Picture:
    """An image under work: shapes laid one over the other, their edges softened by a pixel."""

    def __init__(self, pixels: int) -> None:
        self.scale = pixels / CANVAS
        step = (np.arange(pixels) + 0.5) / self.scale
        self.x, self.y = np.meshgrid(step, step[::-1])
        self.colour = np.zeros((pixels, pixels, 3))
        self.alpha = np.zeros((pixels, pixels))

    def lay(self, distance: Field, colour: Colour | Field, strength: float = 1.0) -> None:
        """Fills where `distance` is negative."""
        cover = np.clip(0.5 - distance * self.scale, 0.0, 1.0) * strength
        alpha = cover + self.alpha * (1.0 - cover)
        paint = np.broadcast_to(np.asarray(colour), self.colour.shape)
        rest = (self.alpha * (1.0 - cover))[..., None] * self.colour
        mixed = cover[..., None] * paint + rest
        self.colour = mixed / np.maximum(alpha, 1e-9)[..., None]
        self.alpha = alpha

    def shade(self, distance: Field, spread: float, strength: float) -> None:
        """Lays a soft shadow around a shape, fading over `spread`."""
        fade = np.exp(-((np.maximum(distance, 0.0) / spread) ** 2)) * strength
        self.alpha = np.maximum(self.alpha, fade)

    def disc(self, centre: tuple[float, float], radius: float) -> Field:
        """Distance to a disc."""
        return np.asarray(np.hypot(self.x - centre[0], self.y - centre[1]) - radius)

    def ring(self, centre: tuple[float, float], radius: float, width: float) -> Field:
        """Distance to a ring of this width around the radius."""
        return np.asarray(np.abs(self.disc(centre, radius)) - width / 2)

    def bar(self, start: tuple[float, float], end: tuple[float, float], width: float) -> Field:
        """Distance to a line with round ends."""
        ax, ay = end[0] - start[0], end[1] - start[1]
        px, py = self.x - start[0], self.y - start[1]
        along = np.clip((px * ax + py * ay) / (ax * ax + ay * ay), 0.0, 1.0)
        return np.asarray(np.hypot(px - along * ax, py - along * ay) - width / 2)

    def tile(self, margin: float, corner: float) -> Field:
        """Distance to the rounded square in which Apple's icons stand."""
        half = CANVAS / 2 - margin
        qx = np.abs(self.x - CANVAS / 2) - half + corner
        qy = np.abs(self.y - CANVAS / 2) - half + corner
        outside = (np.maximum(qx, 0) ** CURVE + np.maximum(qy, 0) ** CURVE) ** (1 / CURVE)
        return np.asarray(outside + np.minimum(np.maximum(qx, qy), 0.0) - corner)

    def blend(self, top: Colour, foot: Colour) -> Field:
        """A colour that changes from top to foot."""
        share = np.clip(self.y / CANVAS, 0.0, 1.0)[..., None]
        return np.asarray(share * np.asarray(top) + (1.0 - share) * np.asarray(foot))

    def png(self) -> bytes:
        """The finished image."""
        import pymupdf

        parts = np.concatenate([self.colour, self.alpha[..., None]], axis=2)
        samples = np.round(np.clip(parts, 0.0, 1.0) * 255).astype(np.uint8)
        height, width, _ = samples.shape
        # MuPDF keeps colours multiplied by alpha.
        samples[..., :3] = np.round(samples[..., :3] * (samples[..., 3:] / 255.0)).astype(np.uint8)
        drawn = pymupdf.Pixmap(pymupdf.csRGB, width, height, samples.tobytes(), True)  # type: ignore[no-untyped-call]  # has no types
        return bytes(drawn.tobytes("png"))  # type: ignore[no-untyped-call]  # has no types


def draw_icon(pixels: int) -> bytes:
    """The app's icon."""
    picture = Picture(pixels)
    small = pixels <= 32
    tile = picture.tile(100.0 if not small else 60.0, 215.0)
    if not small:
        picture.shade(np.roll(tile, round(12 * picture.scale), axis=0), 26.0, 0.34)
    picture.lay(tile, picture.blend(TOP, FOOT))
    picture.lay(np.maximum(tile, -(tile + 10.0)), WHITE, 0.16)
    corner = RADIUS * 0.7071
    grip = (LENS[0] + corner + 34, LENS[1] - corner - 34)
    picture.lay(picture.bar(grip, (774.0, 248.0), 92.0 if not small else 120.0), WHITE)
    picture.lay(picture.disc(LENS, RADIUS), GLASS)
    picture.lay(picture.ring(LENS, RADIUS, RING if not small else 88.0), WHITE)
    _draw_lines(picture, pixels)
    return picture.png()


def _draw_lines(picture: Picture, pixels: int) -> None:
    rows: tuple[tuple[float, float, Colour], ...]
    if pixels <= 16:
        rows, width = ((0.0, 70.0, WORD),), 120.0
    elif pixels <= 32:
        rows, width = ((58.0, 84.0, WORD), (-58.0, 84.0, MEANING)), 70.0
    else:
        rows = ((82.0, 66.0, NAME), (0.0, 112.0, WORD), (-82.0, 66.0, MEANING))
        width = 46.0
    x, y = LENS
    for offset, half, colour in rows:
        picture.lay(picture.bar((x - half, y + offset), (x + half, y + offset), width), colour)


def draw_template(pixels: int, scale: float = 1.32) -> bytes:
    """The menu bar's image: black and clear only, the system colours it."""
    picture = Picture(pixels)
    picture.x = (picture.x - CANVAS / 2) / scale + CANVAS / 2 - 12
    picture.y = (picture.y - CANVAS / 2) / scale + CANVAS / 2 - 12
    picture.scale *= scale
    corner = RADIUS * 0.7071
    grip = (LENS[0] + corner + 20, LENS[1] - corner - 20)
    picture.lay(picture.bar(grip, (752.0, 270.0), 92.0), BLACK)
    picture.lay(picture.ring(LENS, RADIUS, 66.0), BLACK)
    x, y = LENS
    picture.lay(picture.bar((x - 86, y + 48), (x + 86, y + 48), 54.0), BLACK)
    picture.lay(picture.bar((x - 86, y - 48), (x + 30, y - 48), 54.0), BLACK)
    return picture.png()


def build_icns(images: dict[int, bytes]) -> bytes:
    """Apple's icon file: a header and one chunk a size."""
    body = b"".join(
        kind + struct.pack(">I", len(images[pixels]) + 8) + images[pixels] for kind, pixels in ICNS
    )
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def main() -> None:
    """Writes all of it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    images = {pixels: draw_icon(pixels) for pixels in SIZES}
    iconset = FOLDER / "Sagasu.iconset"
    iconset.mkdir(exist_ok=True)
    for name, pixels in ICONSET.items():
        (iconset / name).write_bytes(images[pixels])
    (FOLDER / "Sagasu.icns").write_bytes(build_icns(images))
    (FOLDER / "menubarTemplate.png").write_bytes(draw_template(MENU_BAR))
    total = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    print(f"{FOLDER.name}: {len(ICONSET)} sizes, Sagasu.icns, menu bar image; {total // 1024} kB")


if __name__ == "__main__":
    main()
