#!/bin/sh
# Compares the public symbols in Tests/Documentation/api.txt with a list of Apple's: `sh Tests/api.sh symbols.tsv`.
# The columns are kind, owner, name, declaration, macos, deprecated, linux, …; only rows with linux = yes are checked, except
# the kinds foundation, foundation-function and language, which are not part of Core Data.
# Prints how many symbols exist, and how many are missing for a reason given in Tests/Documentation/missing-api.txt.
# Fails if a symbol is missing without a reason, or if that file explains a symbol that is not missing.
set -eu
[ $# -eq 1 ] || { echo "usage: sh Tests/api.sh symbols.tsv" >&2; exit 2; }
folder=$(dirname "$0")/Documentation
awk -F '\t' '
  # A line `Type: Supertype`, or a path and its declaration; overloads have the same path.
  FILENAME ~ /\/api\.txt$/ && NF == 1 {
    split($0, part, ": ")
    inherits[$0] = 1
    supertypes[part[1]] = supertypes[part[1]] " " part[2]
    next
  }
  FILENAME ~ /\/api\.txt$/ {
    declared[$1]++
    if ($2 ~ /func [A-Za-z]+</) generic[$1] = 1
    owner = $1
    if (sub(/\.init\(.*/, "", owner)) hasInit[owner] = 1
    next
  }
  FILENAME ~ /\/missing-api\.txt$/ {
    if (/^(#|$)/) next
    key = $0; sub(/: .*/, "", key)
    why[key] = substr($0, length(key) + 3)
    next
  }
  FNR == 1 || $7 != "yes" { next }
  $1 ~ /^(foundation|foundation-function|language)$/ { others++; next }
  {
    key = $1 "|" $2 "|" $3
    rows++
    if (exists($1, $2, $3)) { found++; next }
    pattern = explanation(key)
    if (pattern == "") { print "neither declared nor explained: " key; unknown++; next }
    explained[pattern] = 1
    reasons[why[pattern]]++
    if (why[pattern] ~ /^Exists/) unlisted++; else missing++
  }
  function exists(kind, owner, name,    protocols, n) {
    if (kind == "conformance") {
      for (n = split(name, protocols, /, */); n > 0; n--) if (!((owner ": " protocols[n]) in inherits)) return 0
      return 1
    }
    if (owner == "" || index(name, owner ".") == 1) return (name in declared) && declared[name]-- > 0
    # The compiler adds rawValue to enumerations.
    if (name == "rawValue" && (owner ": RawRepresentable") in inherits) return 1
    return has(owner, name)
  }
  # Whether a type has or inherits a member. Each row of an overloaded function uses up one declaration, except that a generic
  # declaration matches several rows. A class inherits initializers if it declares none.
  function has(type, name,    path, list, n) {
    path = type "." name
    if (path in declared) return path in generic || declared[path]-- > 0
    if (name ~ /^init\(/ && type in hasInit) return 0
    for (n = split(supertypes[type], list, " "); n > 0; n--) if (inheritable(list[n], name)) return 1
    return 0
  }
  function inheritable(type, name,    list, n) {
    if ((type "." name) in declared) return 1
    for (n = split(supertypes[type], list, " "); n > 0; n--) if (inheritable(list[n], name)) return 1
    return 0
  }
  function explanation(key,    pattern) {
    if (key in why) return key
    for (pattern in why)
      if (pattern ~ /\*$/ && index(key, substr(pattern, 1, length(pattern) - 1)) == 1) return pattern
    return ""
  }
  END {
    for (key in why) if (!(key in explained)) { print "explained, but not missing: " key; unknown++ }
    for (text in reasons) printf "%4d  %s\n", reasons[text], text | "LC_ALL=C sort -k 1,1nr -k 2"
    close("LC_ALL=C sort -k 1,1nr -k 2")
    printf "rows %d, declared %d, exist, but not in api.txt %d, missing with a reason %d, missing without %d; out of scope: %d\n", \
      rows, found, unlisted, missing, unknown, others
    exit unknown > 0
  }' "$folder/api.txt" "$folder/missing-api.txt" "$1"
