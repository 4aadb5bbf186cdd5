#!/bin/sh
# Sets up Quakes from a fresh clone: installs what is missing, builds, fills the store, starts the fetch worker, and
# shows the list and the summary line. Also works without a network; safe to run again at any time.
#
#   sh Workers/up.sh
set -u

say() { printf '%s\n' "$*"; }
stop() { printf 'up.sh: %s\n' "$*" >&2; exit 1; }

cd "$(dirname "$0")/.." || stop "cannot enter the folder of the project"

# Some services run without HOME, which Swift and the group folder need.
if [ -z "${HOME:-}" ]; then
  HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
  [ -n "$HOME" ] || stop "HOME is not set; set it to a folder that you own"
  export HOME
fi

. Workers/requirements.sh
require_swift || exit 1
require_packages || exit 1
static_linking

say "building (a few minutes the first time)"
for product in quakes quakes-fetch quakes-summary; do
  # shellcheck disable=SC2086 # the option may be empty
  swift build -c release $static --product "$product" ||
    stop "could not build $product; see the messages above"
done
# shellcheck disable=SC2086
bin=$(swift build -c release $static --show-bin-path) || stop "cannot find the built programs"

model="Shared/Quakes.xcdatamodeld/Quakes 2.xcdatamodel/contents"
reference=$("$bin/quakes" --version | sed -n "s/^Reference store: //p")
# One that an earlier run built for another model cannot be used.
if [ "$reference" = "$bin/Reference.sqlite" ] && [ -n "$(find "$model" -newer "$reference")" ]; then reference=; fi
if [ -z "$reference" ]; then
  say "building the Reference store, which has the cities of the world"
  sh Shared/Reference/build.sh "$bin" >/dev/null || say "going on without it: nearest cities will not be known"
fi

say "opening the store"
if ! "$bin/quakes-fetch" --once all_day; then
  say "could not fetch earthquakes; the worker will keep trying"
  if ! "$bin/quakes" list --limit 1 --exit-status >/dev/null 2>&1; then
    say "showing invented ones meanwhile:"
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
say "  quakes watch              the list, kept up to date"
say "  quakes-summary --follow   the line for a status bar"
say "  quakes workers stop       stops the worker"
