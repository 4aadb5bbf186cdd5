# Checks and installs the build requirements. Sourced by Workers/up.sh, Tests/run.sh and the other scripts.

# The Swift toolchain is not installed automatically.
require_swift() {
  advice="install Swift 6.3 or newer (https://swift.org/install), put its 'swift' on the PATH, and run this again."
  if ! command -v swift >/dev/null 2>&1; then
    echo "Swift is missing: $advice" >&2
    return 1
  fi
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p')
  case $version in
  [0-5].* | 6.[0-2]) echo "Swift $version is too old: $advice" >&2 ;;
  *.*) return 0 ;;
  *) echo "'$(command -v swift)' does not print the version of a Swift toolchain: $advice" >&2 ;;
  esac
  return 1
}

# Adds the programs of this repository to the package, with libinotifytools: see Package.swift. Every script that builds the
# package calls it, because SwiftPM compiles everything again when the traits of a package change.
with_programs() {
  STRATA_PROGRAMS=1
  export STRATA_PROGRAMS
}

# Installs the Debian packages of the required system libraries, and any given as arguments.
require_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is not Debian or Ubuntu: make sure that the headers of sqlite3, libcurl, libinotifytools, libxml2, cairo and fontconfig are installed." >&2
    return 0
  fi
  missing=""
  for package in libsqlite3-dev libcurl4-openssl-dev libinotifytools0-dev libxml2-dev libcairo2-dev "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
  done
  [ -z "$missing" ] && return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "These packages are missing:$missing. apt-get is not available to install them: install your system's equivalents, and run this again." >&2
    return 1
  fi
  if [ "$(id -u)" -eq 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
  else
    echo "These packages are missing:$missing. Installing them requires root, and sudo is not available: run 'apt-get install$missing' as root, and run this again." >&2
    return 1
  fi
  echo "Installing$missing" >&2
  $as_root apt-get update -qq || echo "Could not update the package lists; continuing with the old ones." >&2
  # shellcheck disable=SC2086 # the prefix may be empty, and each package is a word
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
    echo "apt-get could not install$missing: see its message above; installing requires network access to the Debian packages." >&2
    return 1
  }
}

# Sets $static to the linker options for release builds: Swift's libraries are linked statically if the toolchain has
# them, and all others too if the system has them, which halves a program's start-up time.
static_linking() {
  static=
  toolchain=$(dirname "$(readlink -f "$(command -v swift)")")
  [ -d "$toolchain/../lib/swift_static" ] || return 0
  static=--static-swift-stdlib
  [ -f "$toolchain/../lib/swift_static/linux/static-executable-args.lnk" ] || return 0
  # libpq leads to libraries that exist only as shared ones.
  [ "${QUAKES_POSTGRESQL:-}" != 1 ] || return 0
  # Those beneath cairo, whose archives differ between systems.
  QUAKES_STATIC_LIBRARIES="fontconfig freetype pixman-1 png16 expat brotlidec brotlicommon z"
  # shellcheck disable=SC2046,SC2086 # each library is a word
  "$toolchain/clang" -static -x c -o /dev/null - $(printf -- '-l%s ' sqlite3 inotifytools cairo $QUAKES_STATIC_LIBRARIES) -lm \
    2>/dev/null <<'END' || return 0
#include <cairo/cairo.h>
#include <fontconfig/fontconfig.h>
int main(void) {
  cairo_toy_font_face_create("", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_surface_write_to_png_stream(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1), 0, 0);
  return FcInit();
}
END
  QUAKES_STATIC=1
  export QUAKES_STATIC QUAKES_STATIC_LIBRARIES
}
