#!/bin/sh
# Sets up Quakes from a fresh clone: installs what is missing, builds, fills the store, starts the fetch worker, and
# shows the list and the summary line. Also works without a network; safe to run again at any time.
#
#   sh Workers/up.sh
#   sh Workers/up.sh --install PREFIX     puts the programs, manual pages, completions, units and snippets for bars into
#                                         PREFIX, such as /usr/local or ~/.local
#   sh Workers/up.sh --uninstall PREFIX   takes them away again
#
# With QUAKES_POSTGRESQL=1 in the environment, the programs can also keep the Catalog on a PostgreSQL server.
set -u

usage() { sed -n '2,/^set /{ s/^# \{0,1\}//p; }' Workers/up.sh; }
say() { printf '%s\n' "$*"; }
stop() { printf 'up.sh: %s\n' "$*" >&2; exit 1; }

cd "$(dirname "$0")/.." || stop "cannot enter the folder of the project"

# Some services run without HOME, which Swift and the group folder need.
if [ -z "${HOME:-}" ]; then
  HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
  [ -n "$HOME" ] || stop "HOME is not set; set it to a folder that you own"
  export HOME
fi

# Where an installation has the list of its files, from the root of the file system.
list_of_files=share/quakes/installed-files

install_into() { # PREFIX
  mkdir -p "$1" && prefix=$(cd "$1" && pwd) || stop "cannot create $1; choose another prefix, or run this as root"
  list=$(mktemp)
  sh Workers/packaging/stage.sh "$prefix" >"$list" || { rm -f "$list"; stop "not everything was installed; see above"; }
  # What an older version had and this one has not.
  if [ -f "$prefix/$list_of_files" ]; then grep -vxFf "$list" "$prefix/$list_of_files" | remove_files; fi
  install -m 644 "$list" "$prefix/$list_of_files" || stop "cannot write $prefix/$list_of_files"
  rm -f "$list"
  say "installed $(wc -l <"$prefix/$list_of_files") files into $prefix; \"sh Workers/up.sh --uninstall $prefix\" removes them"
  case :$PATH: in *:$prefix/bin:*) ;; *) say "add $prefix/bin to your PATH" ;; esac
}

uninstall_from() { # PREFIX
  prefix=$(cd "$1" 2>/dev/null && pwd) || stop "the folder $1 does not exist"
  [ -f "$prefix/$list_of_files" ] || stop "nothing is installed in $prefix: it has no $list_of_files"
  { cat "$prefix/$list_of_files"; printf '%s\n' "$prefix/$list_of_files"; } | remove_files
  say "removed Quakes from $prefix; your store and settings are where they were"
}

# Removes the files whose paths it reads, and the folders under the prefix that are then empty.
remove_files() {
  while IFS= read -r path; do
    case $path in "$prefix"/*) ;; *) continue ;; esac
    rm -f "$path" || stop "cannot remove $path"
    folder=$(dirname "$path")
    while [ "$folder" != "$prefix" ] && rmdir "$folder" 2>/dev/null; do folder=$(dirname "$folder"); done
  done
}

case ${1:-} in
"") ;;
--install | --uninstall)
  [ $# -eq 2 ] || stop "give the prefix, as in: sh Workers/up.sh $1 /usr/local"
  if [ "$1" = --install ]; then install_into "$2"; else uninstall_from "$2"; fi
  exit
  ;;
-h | --help) usage && exit ;;
*) stop "unknown option \"$1\"; the options are --install PREFIX and --uninstall PREFIX" ;;
esac

. Workers/requirements.sh
. Workers/programs.sh
require_swift || exit 1
if [ "${QUAKES_POSTGRESQL:-}" = 1 ]; then require_packages libpq-dev; else require_packages; fi || exit 1

say "building (ten minutes the first time, with two cores)"
build_programs quakes quakes-fetch quakes-summary || exit 1
build_reference || say "continuing without it: nearest cities will not be known"

say "opening the store"
if ! "$bin/quakes-fetch" --once all_day; then
  say "could not fetch earthquakes; the worker will keep trying"
  if ! "$bin/quakes" list --limit 1 --exit-status >/dev/null 2>&1; then
    say "showing invented ones in the meantime:"
    "$bin/quakes-fetch" --once sample || stop "cannot use the store; see the messages above"
  fi
fi

"$bin/quakes" workers start || stop "the worker did not start; see the messages above"

say
"$bin/quakes" list --limit 10
say
"$bin/quakes-summary"
say
say "The programs are in $bin"
say "  quakes                    the live screen: list, details and map"
say "  quakes-summary --follow   the line for a status bar"
say "  quakes workers stop       stops the worker"
