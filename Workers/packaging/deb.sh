#!/bin/sh
# Builds the Debian packages `quakes` and `coredata`, for the system it runs on.
#
#   sh Workers/packaging/deb.sh [FOLDER]     writes them to FOLDER (default: .build) and prints their paths
#
# Needs dpkg-dev, which names the packages of the libraries that the programs use. DEBFULLNAME and DEBEMAIL say who hands
# them out.
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
sh Workers/packaging/stage.sh /usr "$work/quakes" >"$work/files"
version=$("$work/quakes/usr/bin/quakes" --version | head -n 1)
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-$(id -un)} <${DEBEMAIL:-$(id -un)@$(hostname)}>"

# The developer's tool is a package of its own.
grep -E '/(_)?coredata(-[a-z-]+)?(\.[^/]*)?$' "$work/files" | while IFS= read -r path; do
  mkdir -p "$work/coredata$(dirname "$path")"
  mv "$work/quakes$path" "$work/coredata$path"
done

# Prints the packages of the libraries that a package's programs name; the others are linked into them.
libraries() { # PACKAGE
  mkdir -p "$work/debian"
  printf 'Source: quakes\n\nPackage: %s\nArchitecture: any\n' "$1" >"$work/debian/control"
  (cd "$work" && dpkg-shlibdeps -O --ignore-missing-info "$1"/usr/bin/* 2>"$work/warnings") |
    sed -n 's/^shlibs:Depends=//p'
}

# Prints the sources of statically linked programs, as Debian's policy requires; nothing without such programs.
sources_within() { # PACKAGE
  whole=
  for program in "$work/$1"/usr/bin/*; do objdump -p "$program" | grep -q NEEDED || whole=$program; done
  [ -n "$whole" ] || return 0
  static_linking
  standard=$(readlink -f "$("$toolchain/clang" -print-file-name=libstdc++.a)")
  dpkg-query -W -f '${source:Package} (= ${source:Version})\n' libc6-dev libsqlite3-dev libinotifytools0-dev libcairo2-dev \
    libpixman-1-dev libfontconfig-dev libfreetype-dev libpng-dev libexpat1-dev libbrotli-dev zlib1g-dev "$(dpkg -S "$standard" | cut -d : -f 1)" | sort -u | paste -sd , | sed 's/,/, /g'
}

# Completes a package with what its description on standard input says.
build() { # PACKAGE
  root=$work/$1
  documents=$root/usr/share/doc/$1
  mkdir -p "$documents" "$root/DEBIAN"
  install -m 644 Workers/packaging/copyright "$documents/copyright"
  gzip -9nc .github/CHANGELOG.md >"$documents/NEWS.gz"
  printf '%s (%s) unstable; urgency=medium\n\n  * What is new is in NEWS.gz.\n\n -- %s  %s\n' "$1" "$version" "$maintainer" \
    "$(git log -1 --format=%cD 2>/dev/null || date -R)" | gzip -9nc >"$documents/changelog.gz"
  depends=$(libraries "$1")
  [ -n "$depends" ] || { cat "$work/warnings" >&2; stop "dpkg-shlibdeps does not know the libraries of $1"; }
  sources=$(sources_within "$1")
  if [ -n "$sources" ]; then
    mkdir -p "$root/usr/share/lintian/overrides"
    printf '# A program without shared libraries starts in half the time.\n%s: statically-linked-binary\n' "$1" \
      >"$root/usr/share/lintian/overrides/$1"
  fi
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: %s\n' "$1" "$version" "$architecture"
    printf 'Maintainer: %s\n' "$maintainer"
    printf 'Installed-Size: %s\nDepends: %s\n' "$(du -sk --exclude DEBIAN "$root" | cut -f 1)" "$depends"
    [ -z "$sources" ] || printf 'Built-Using: %s\n' "$sources"
    cat
  } >"$root/DEBIAN/control"
  (cd "$root" && find usr -type f -exec md5sum {} +) >"$root/DEBIAN/md5sums"
  package=$1_${version}_$architecture.deb
  # Atomic: readers never find a partial file.
  dpkg-deb --root-owner-group -Zxz --build "$root" "$work/$package" >&2
  mv "$work/$package" "$folder/$package"
  printf '%s\n' "$folder/$package"
}

build quakes <<'END'
Section: science
Priority: optional
Recommends: ca-certificates, fontconfig-config
Suggests: libnotify-bin, xdg-utils
Description: earthquake reader for the terminal and the status bar
 A reader of the earthquakes that the USGS and other services publish, a fetch
 worker, and a line for a status bar. They share one store: the reader never
 waits for the network.
END

build coredata <<'END'
Section: devel
Priority: optional
Description: tool for the models and stores of Core Data
 Compiles, compares and prints models, writes their classes, and inspects and
 checks SQLite stores, also while programs use them.
END
