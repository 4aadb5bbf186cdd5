#!/bin/sh
# Builds the Reference store from the cities of GeoNames (CC BY 4.0), which Debian packages as libtimezonemap-data. The
# package is downloaded, not installed, unless its files are there.
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

data=/usr/share/libtimezonemap/ui
if [ ! -r "$data/cities15000.txt" ]; then
  command -v apt-get >/dev/null 2>&1 ||
    stop "there is no $data/cities15000.txt, and no apt-get to download libtimezonemap-data: install that package"
  (cd "$work" && apt-get -qq -o APT::Sandbox::User=root download libtimezonemap-data) ||
    stop "cannot download libtimezonemap-data: see the message above; it needs a network and 'apt-get update' before"
  dpkg-deb -x "$work"/libtimezonemap-data_*.deb "$work/package" || stop "cannot unpack libtimezonemap-data"
  data=$work/package$data
fi

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
"$bin/quakes-reference" "$work/Reference.sqlite" <"$work/cities" >&2 || stop "could not write the store"
# At once: whoever looks for it finds the old one or the new one.
cp "$work/Reference.sqlite" "$folder/.Reference.sqlite.new"
mv "$folder/.Reference.sqlite.new" "$folder/Reference.sqlite"
printf '%s\n' "$folder/Reference.sqlite"
