#!/bin/sh
# Compares a process that uses GRDB, plain SQLite and this framework with one that uses only the first two: SQLite's default
# VFS and its system calls, GRDB's connections, signals, limits, locale, environment. Fails if they differ.
# Usage: sh Tests/neighbor.sh
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_swift
# Builds the framework as for a dependent package.
unset STRATA_PROGRAMS
require_packages binutils
cd Tests/Packages/Neighbor
for product in alone together; do swift build --product "$product" >&2; done
bin=$(swift build --show-bin-path)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The shell starts both, because Foundation's Process changes the signal settings of the programs that it starts.
"$bin/alone" "$work/alone" >"$work/facts"
"$bin/together" "$work/facts"

# The framework must not call functions that affect the whole process.
calls='sigaction|signal|bsd_signal|sigaltstack|pthread_atfork|__register_atfork|sqlite3_(config|initialize|shutdown)'
calls="$calls|sqlite3_(auto_extension|soft_heap_limit(64)?|hard_heap_limit64|enable_shared_cache|temp_directory)"
calls="$calls|sqlite3_(data_directory|release_memory)|setlocale|setenv|putenv|unsetenv|clearenv|tzset|umask|chdir|fchdir"
calls="$calls|prctl|setrlimit(64)?|prlimit(64)?|sigprocmask|mallopt|setpriority|nice"
grep -E '/(Strata[A-Za-z]*|CoreData)\.build/' "$bin/together.product/Objects.LinkFileList" >"$work/objects"
xargs nm -Au <"$work/objects" >"$work/symbols"
if grep -E " U ($calls)(@.*)?\$" "$work/symbols"; then
  echo "These files of the framework call functions that affect the whole process." >&2
  exit 1
fi
echo "ok     none of the framework's $(wc -l <"$work/objects") object files calls a function that affects the whole process"
