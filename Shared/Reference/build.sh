#!/bin/sh
# Builds the Reference store from files in Debian's packages: the cities of GeoNames (CC BY 4.0) in libtimezonemap-data,
# and the coastlines of Natural Earth (public domain) in python3-geopandas, whose versions from 1.0 on no longer have
# them. The packages are downloaded, not installed, unless the files are there.
#
#   sh Shared/Reference/build.sh FOLDER     writes FOLDER/Reference.sqlite
set -eu

stop() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }

[ $# -eq 1 ] || stop "give the folder that Reference.sqlite is to be in"
mkdir -p "$1" || stop "cannot create $1; choose a folder that you can write"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
. Workers/requirements.sh
require_swift || exit 1
require_packages || exit 1
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
folder_of_shapes=/usr/lib/python3/dist-packages/geopandas/datasets/naturalearth_lowres
find_file python3-geopandas $folder_of_shapes/naturalearth_lowres.shp || {
  found=
  printf 'build.sh: this python3-geopandas has no coastlines; going on without them\n' >&2
}

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

# The program also opens what it wrote, as the others do.
# shellcheck disable=SC2086 # the path of the coastlines may be empty, and has no blanks
"$bin/quakes-reference" "$work/Reference.sqlite" $found <"$work/cities" >&2 || stop "could not write the store"
# At once: whoever looks for it finds the old one or the new one.
cp "$work/Reference.sqlite" "$folder/.Reference.sqlite.new"
mv "$folder/.Reference.sqlite.new" "$folder/Reference.sqlite"
printf '%s\n' "$folder/Reference.sqlite"
