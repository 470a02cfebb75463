"""Writes the Homebrew cask for a finished image.

    python packaging/make_cask.py dist/Sagasu-0.1.0-arm64.dmg ADDRESS HOMEPAGE > sagasu.rb

ADDRESS is where the image can be downloaded, HOMEPAGE the project's page; the checksum is taken
from the image itself, so a cask can never be written for an image that does not exist.
"""

import argparse
import hashlib
import re
from pathlib import Path
from urllib.parse import urlsplit

IDENTIFIER = "org.sagasu.Sagasu"
TEMPLATE = """\
cask "sagasu" do
  version "{version}"
  sha256 "{checksum}"

  url "{address}"
  name "Sagasu"
  desc "Finds anything in your own files by name, by word and by meaning"
  homepage "{homepage}"

  depends_on arch: :arm64
  depends_on macos: ">= :sonoma"

  app "Sagasu.app"

  uninstall quit:       "{identifier}",
            login_item: "Sagasu"

  zap trash: [
    "~/Library/Application Support/Sagasu",
    "~/Library/Caches/{identifier}",
    "~/Library/Preferences/{identifier}.plist",
  ]
end
"""


def main() -> None:
    """Prints the cask."""
    parser = argparse.ArgumentParser(description="Writes the Homebrew cask for a finished image.")
    parser.add_argument("image", type=Path)
    parser.add_argument("address")
    parser.add_argument("homepage")
    chosen = parser.parse_args()
    print(build_cask(chosen.image, chosen.address, chosen.homepage), end="")


def build_cask(image: Path, address: str, homepage: str) -> str:
    """The cask's text; the version comes from the image's name and stands in the address."""
    found = re.fullmatch(r"Sagasu-(\d+(?:\.\d+)+)-arm64\.dmg", image.name)
    if found is None:
        raise SystemExit(f"{image.name} is not named as make_dmg.sh names it")
    for text in (address, homepage):
        if urlsplit(text).scheme != "https" or '"' in text or "#" in text:
            raise SystemExit(f"{text} is not an https address")
    version = found[1]
    return TEMPLATE.format(
        version=version,
        checksum=hashlib.sha256(image.read_bytes()).hexdigest(),
        address=address.replace(version, "#{version}"),
        homepage=homepage,
        identifier=IDENTIFIER,
    )


if __name__ == "__main__":
    main()
