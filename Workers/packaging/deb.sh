#!/bin/sh
# Builds a Debian package of the programs, for the system it runs on.
#
#   sh Workers/packaging/deb.sh [FOLDER]     writes FOLDER/quakes_VERSION_ARCHITECTURE.deb (default: .build)
#
# Needs dpkg-dev, for the packages of the libraries that the programs use.
set -eu

stop() { printf 'deb.sh: %s\n' "$*" >&2; exit 1; }

cd "$(dirname "$0")/../.."
folder=${1:-.build}
mkdir -p "$folder" || stop "cannot create $folder"
folder=$(cd "$folder" && pwd)
. Workers/requirements.sh
require_swift
require_packages dpkg-dev

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
sh Workers/packaging/stage.sh /usr "$root" >"$work/files"

mkdir -p "$root/usr/share/doc/quakes"
install -m 644 .github/LICENSE.md "$root/usr/share/doc/quakes/copyright"
cat Workers/packaging/data-licences >>"$root/usr/share/doc/quakes/copyright"
gzip -9nc .github/CHANGELOG.md >"$root/usr/share/doc/quakes/changelog.gz"

version=$("$root/usr/bin/quakes" --version | head -n 1)
architecture=$(dpkg --print-architecture)
mkdir -p "$work/debian"
printf 'Source: quakes\n\nPackage: quakes\nArchitecture: any\n' >"$work/debian/control"
# The libraries are linked into some programs, and named by others.
depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info root/usr/bin/* 2>"$work/warnings" |
  sed -n 's/^shlibs:Depends=//p') || { cat "$work/warnings" >&2; stop "dpkg-shlibdeps failed"; }

# Who hands the package out, as Debian's own tools ask it.
maintainer="${DEBFULLNAME:-$(id -un)} <${DEBEMAIL:-$(id -un)@$(hostname)}>"
mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: quakes
Version: $version
Architecture: $architecture
Section: science
Priority: optional
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude DEBIAN "$root" | cut -f 1)
Depends: $depends
Recommends: ca-certificates
Suggests: libnotify-bin, xdg-utils
Description: earthquake reader for the terminal and the status bar
 A reader of the earthquakes that the USGS and other services publish, a fetch
 worker, and a line for a status bar. They share one store: the reader never
 waits for the network. With coredata, a tool for Core Data models and stores.
END
(cd "$root" && find usr -type f -exec md5sum {} +) >"$root/DEBIAN/md5sums"
package=$folder/quakes_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >&2
printf '%s\n' "$package"
