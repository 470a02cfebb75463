#!/bin/sh
# Builds, signs, notarises and packs the app: dist/Sagasu-VERSION-arm64.dmg
#
#   packaging/make_dmg.sh [--dry-run]
#
#   SAGASU_IDENTITY   "Developer ID Application: …"; without it the app is signed for this Mac only
#   SAGASU_PROFILE    keychain profile of notarytool; without it nothing is sent to Apple
#
# A step whose tool or identity is missing is left out with a word; a step that fails stops it all.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here"
python=${PYTHON:-python3}
[ -x .venv/bin/python ] && python=${PYTHON:-.venv/bin/python}
identity=${SAGASU_IDENTITY:-}
profile=${SAGASU_PROFILE:-}
app=dist/Sagasu.app
version=$("$python" -c 'from engine import __version__; print(__version__)')
image=dist/Sagasu-$version-arm64.dmg
dry=no
[ "${1:-}" = "--dry-run" ] && dry=yes

step() { printf '── %s\n' "$1"; }
skip() { printf '   left out: %s\n' "$1"; }
has() { command -v "$1" >/dev/null 2>&1; }
run() {
    if [ "$dry" = yes ]; then printf '   %s\n' "$*"; else "$@"; fi
}

step "Build $app"
if [ "$(uname -s)" != Darwin ] && [ "$dry" = no ]; then
    skip "a bundle can only be built on a Mac (this is $(uname -s)); try --dry-run"
    exit 0
fi
if [ ! -f resources/model/model-int8.onnx ]; then
    printf '   the model is missing: make model\n' >&2
    exit 1
fi
run rm -rf build dist
run "$python" setup_py2app.py --quiet py2app
# Not linked by the Python module, 33 MB: it would only have to be signed.
run find "$app" -name 'libonnxruntime.*.dylib' -path '*onnxruntime/capi*' -delete

step "Sign"
if ! has codesign; then
    skip "there is no codesign (Xcode's command line tools)"
elif [ -z "$identity" ]; then
    skip "no SAGASU_IDENTITY: signed for this Mac only"
    run codesign --force --deep --sign - "$app"
else
    # From the inside out; --deep would give the libraries the app's entitlements.
    run find "$app" -type f \( -name '*.so' -o -name '*.dylib' \) -exec \
        codesign --force --timestamp --options runtime --sign "$identity" {} +
    for framework in "$app"/Contents/Frameworks/Python.framework/Versions/3.*; do
        run codesign --force --timestamp --options runtime --sign "$identity" "$framework"
    done
    run codesign --force --timestamp --options runtime --entitlements packaging/entitlements.plist \
        --sign "$identity" "$app/Contents/MacOS/python"
    run codesign --force --timestamp --options runtime --entitlements packaging/entitlements.plist \
        --sign "$identity" "$app"
    run codesign --verify --deep --strict --verbose=2 "$app"
fi

notarise() {
    if [ -z "$identity" ] || [ -z "$profile" ]; then
        skip "no SAGASU_IDENTITY or no SAGASU_PROFILE"
    elif ! has xcrun; then
        skip "there is no xcrun (Xcode's command line tools)"
    else
        run xcrun notarytool submit "$1" --keychain-profile "$profile" --wait
        run xcrun stapler staple "$2"
    fi
}

step "Notarise the app"
if has ditto; then
    run ditto -c -k --keepParent "$app" dist/notarise.zip
    notarise dist/notarise.zip "$app"
    run rm -f dist/notarise.zip
else
    skip "there is no ditto"
fi

step "Pack $image"
if has hdiutil; then
    run rm -rf dist/image
    run mkdir -p dist/image
    run cp -R "$app" dist/image/
    run ln -s /Applications dist/image/Applications
    tries=0
    # hdiutil fails now and then with "Resource busy" right after the copy.
    until run hdiutil create -volname Sagasu -srcfolder dist/image -ov -format UDZO "$image"; do
        tries=$((tries + 1))
        [ "$tries" -lt 5 ] || exit 1
        sleep 2
    done
    run rm -rf dist/image
    if [ -n "$identity" ] && has codesign; then
        run codesign --force --timestamp --sign "$identity" "$image"
    fi
    step "Notarise the image"
    notarise "$image" "$image"
    if [ "$dry" = no ]; then
        printf '\n%s\nversion "%s"\nsha256 "%s"\n' "$image" "$version" \
            "$(shasum -a 256 "$image" | cut -d' ' -f1)"
    fi
else
    skip "there is no hdiutil"
fi
