# Sourced by Workers/up.sh and Tests/run.sh: what must be on the machine before anything is built.

# The Swift toolchain is the one thing that is not installed from here.
require_swift() {
  command -v swift >/dev/null 2>&1 && return 0
  echo "Swift is missing: install the Swift 6.3 toolchain or a newer one (https://swift.org/install), put its 'swift' on the PATH, and run this again." >&2
  return 1
}

# The system's libraries, by their Debian packages, and those that are named besides.
require_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is not Debian or Ubuntu: see to it that the headers of sqlite3, libcurl and libinotifytools are installed." >&2
    return 0
  fi
  missing=""
  for package in libsqlite3-dev libcurl4-openssl-dev libinotifytools0-dev "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
  done
  [ -z "$missing" ] && return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "These packages are missing:$missing. There is no apt-get here to install them: install what your system calls them, and run this again." >&2
    return 1
  fi
  if [ "$(id -u)" -eq 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
  else
    echo "These packages are missing:$missing. Installing them needs root, and there is no sudo: run 'apt-get install$missing' as root, and run this again." >&2
    return 1
  fi
  echo "Installing$missing" >&2
  $as_root apt-get update -qq || echo "The package lists could not be brought up to date; going on with the old ones." >&2
  # shellcheck disable=SC2086 # an empty prefix is none, and each package is a word
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
    echo "apt-get could not install$missing: see its message above; without the network to the Debian packages nothing can be installed." >&2
    return 1
  }
}

# Says in $static how the programs are linked for use: with Swift's libraries in them where the toolchain has these, and
# without any shared library where the system has the rest, which halves the time that a program takes to start.
static_linking() {
  static=
  toolchain=$(dirname "$(readlink -f "$(command -v swift)")")
  [ -d "$toolchain/../lib/swift_static" ] || return 0
  static=--static-swift-stdlib
  [ -f "$toolchain/../lib/swift_static/linux/static-executable-args.lnk" ] || return 0
  for library in libsqlite3.a libinotifytools.a libc.a; do
    # The name comes back as it was if there is no such file.
    [ "$("$toolchain/clang" -print-file-name=$library 2>/dev/null || echo $library)" != $library ] || return 0
  done
  QUAKES_STATIC=1
  export QUAKES_STATIC
}
