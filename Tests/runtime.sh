#!/bin/sh
# Lists the functions of Swift, Foundation and the system that the framework uses although they are not public or affect the
# whole process: `sh Tests/runtime.sh`. Fails if one is used that Tests/runtime-symbols.txt does not list with a reason, or if
# an object file contains code that runs when a program is loaded.
#
# Reads the undefined symbols of the object files of a debug build, in which nothing of the standard library is inlined.
# Three kinds count:
#   - functions of the Swift runtime that C code names, and those that Swift code names but the compiler does not emit;
#   - functions of Swift and Foundation whose names begin with an underscore;
#   - functions of the C library that change memory protection, signals, the loader or all processes that fork.
# Calls that the compiler generates are at the end of the list, without a reason for each.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_swift
require_packages binutils libpq-dev
with_programs
list=Tests/runtime-symbols.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A program that is built with the plugin, and the program that the plugin runs.
swift build --product strata-graph-test >&2
swift build --product strata-model-compiler >&2
bin=$(swift build --show-bin-path)
# Prints the path of a tool: from the compiler's folder or, if it is missing there, from the system.
tool() {
  own=$(dirname "$(readlink -f "$(command -v swift)")")/llvm-$1
  if [ -x "$own" ]; then echo "$own"; else command -v "$1"; fi
}
nm=$(tool nm)

# The object files of the framework's targets among those that the two programs are linked from, and the generated code of
# the first.
for folder in Sources/*; do
  case ${folder#Sources/} in CoreData* | SwiftData) echo "${folder#Sources/}" ;; *) echo "Strata${folder#Sources/}" ;; esac
done > "$work/targets"
cat "$bin"/strata-graph-test.product/Objects.LinkFileList "$bin"/strata-model-compiler.product/Objects.LinkFileList |
  sort -u > "$work/linked"
while read -r target; do
  grep -F "/$target.build/" "$work/linked" || true
done < "$work/targets" > "$work/objects"
grep "/CoreDataModel+" "$work/linked" > "$work/generated" || true
[ -s "$work/generated" ] || { echo "The object files contain no generated code." >&2; exit 1; }
[ -s "$work/objects" ] || { echo "No object files in $bin." >&2; exit 1; }
cat "$work/generated" >> "$work/objects"

# shellcheck disable=SC2046 # one word for each file
"$nm" --undefined-only --format=just-symbols $(cat "$work/objects") 2> "$work/nm-errors" > "$work/symbols"
grep -v ':$' "$work/symbols" | sort -u > "$work/undefined"
[ -s "$work/undefined" ] || { echo "$nm found no symbols." >&2; exit 1; }

# The names of Swift's functions, for the second kind.
grep '^\$s' "$work/undefined" > "$work/swift" || true
swift demangle --simplified < "$work/swift" > "$work/demangled"
paste "$work/swift" "$work/demangled" | awk -F '\t' '
  # Functions of the framework itself contain the name of one of its modules.
  $1 !~ /Strata|CoreData/ && $2 ~ /^(static )?_[a-zA-Z]/ { print $1 "\t" $2 }
' | sort -u > "$work/underscored"

{
  cut -f 1 "$work/underscored"
  grep -E '^_?swift_' "$work/undefined" || true
  grep -E '^(mprotect|mmap|munmap|mremap|madvise|dlopen|dlsym|dladdr|dl_iterate_phdr|sigaction|signal|sigaltstack|pthread_sigmask|pthread_atfork|atexit|setenv|putenv|setrlimit|prctl|sqlite3_vfs_register|sqlite3_config|sqlite3_auto_extension|sqlite3_enable_shared_cache)$' "$work/undefined" || true
} | sort -u > "$work/used"

sed -n 's/^\([^# ][^ ]*\).*/\1/p' "$list" | sort -u > "$work/listed"
failed=0
if comm -23 "$work/used" "$work/listed" | grep . > "$work/new"; then
  echo "These symbols are not in $list. Use a public interface, or move the use to StrataRuntime and list it with a reason:" >&2
  while read -r symbol; do
    # shellcheck disable=SC2046 # one word for each file
    where=$("$nm" --undefined-only --print-file-name $(cat "$work/objects") 2> "$work/nm-errors" | grep -F " $symbol" | head -n 1 | sed 's/:.*//')
    echo "  $symbol ($(echo "$symbol" | swift demangle --simplified --compact)) in ${where#"$bin"/}" >&2
  done < "$work/new"
  failed=1
fi
if comm -13 "$work/used" "$work/listed" | grep . > "$work/unused"; then
  echo "Note: these symbols in $list are no longer used; remove their lines:" >&2
  sed 's/^/  /' "$work/unused" >&2
fi

# Code that runs when a program is loaded.
# shellcheck disable=SC2046 # one word for each file
"$(tool objdump)" --section-headers $(cat "$work/objects") > "$work/sections"
awk '/file format/ { file = $1 } $2 ~ /^\.(init_array|preinit_array|ctors|init|fini_array|dtors)/ { print file " " $2 }' \
  "$work/sections" > "$work/constructors"
if [ -s "$work/constructors" ]; then
  echo "These object files contain code that runs when a program is loaded or ends:" >&2
  sed 's/^/  /' "$work/constructors" >&2
  failed=1
fi

echo "Not public, or affecting the whole process:"
awk '/^# Emitted by the compiler/ { exit } /^[^# ]/ { symbol = $1; sub(/^[^ ]+ +/, ""); print symbol "\t" $0 }' "$list" |
  while IFS="$(printf '\t')" read -r symbol reason; do
    printf '  %s\n    %s\n' "$(echo "$symbol" | swift demangle --simplified --compact)" "$reason"
  done
echo "$(awk '/^# Emitted by the compiler/ { found = 1 } found && /^[^# ]/ { count += 1 } END { print count + 0 }' "$list") functions that the compiler calls; no constructors."
exit "$failed"
