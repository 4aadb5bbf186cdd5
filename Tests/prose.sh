#!/bin/sh
# Checks the language of the tracked files and of commit subjects. Prints `path:line: rule: what was found: advice` for each
# hit, and then a summary; the exit status is 1 if there are hits. The rules:
#   phrase           a phrase of Tests/prose-phrases.txt in a comment, a string or an article
#   spelling         a British form in prose or in a name
#   misspelling      a word that codespell corrects, if it is installed
#   test-name        a @Test function that is not named with words between backquotes
#   constant-name    a constant named most..., longest..., usual... instead of maximum..., minimum..., default...
#   opening          a documentation comment that begins with What, Whose, Who or So
#   subject          a commit subject of more than 72 characters, or with another first word than those below
#   unused           an entry of the allow list that permits nothing
# Tests/prose-allowed.txt permits single places.
#   --since REV      checks the subjects after this revision: without it, those of commits that origin/main does not have, or
#                    of the newest 50 if origin/main does not exist
set -eu
cd "$(dirname "$0")/.."
verbs="Add Fix Remove Rename Move Speed Document Test Simplify Update Revert Merge"
since=
case ${1:-} in
"") ;;
--since) since=${2:?"--since needs a revision"} ;;
*) echo "usage: sh Tests/prose.sh [--since REV]" >&2 && exit 2 ;;
esac
if ! git rev-parse --git-dir >/dev/null 2>&1; then
  echo "This is not a Git repository: the language is not checked." >&2
  exit 0
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
: >"$folder/texts"
: >"$folder/texts.seen"
# Deleted files stay in the index until the next commit.
git ls-files --cached --others --exclude-standard '*.swift' '*.c' '*.h' '*.sh' '*.md' '*.tutorial' | while read -r path; do
  [ ! -f "$path" ] || echo "$path"
done >"$folder/files"
spell=
if command -v codespell >/dev/null 2>&1; then spell=1; fi

LC_ALL=C awk -v files="$folder/files" -v texts="$folder/texts" -v places="$folder/places" -v spell="$spell" \
  -v phrases=Tests/prose-phrases.txt -v allowed=Tests/prose-allowed.txt -f Tests/prose.awk >"$folder/hits"

# codespell reads one file without code, so that neither identifiers nor examples count.
if [ -n "$spell" ]; then
  # Its exit status is that of hits too.
  codespell --disable-colors "$folder/texts" >"$folder/spelling" 2>/dev/null || true
  awk -F '\t' 'NR == FNR { place[FNR] = $0; next }
    match($0, /:[0-9]+: /) {
      number = substr($0, RSTART + 1, RLENGTH - 3)
      found = advice = substr($0, RSTART + RLENGTH)
      sub(/ *==>.*/, "", found)
      sub(/.*==> */, "", advice)
      print place[number] "\tmisspelling\t" tolower(found) "\twrite " advice
    }' "$folder/places" "$folder/spelling" >>"$folder/hits"
else
  echo "codespell is not installed: misspellings are not searched for." >&2
fi

subjects() {
  if [ -n "$since" ]; then
    git log --format='%h%x09%s' "$since.."
  elif git rev-parse --verify --quiet origin/main >/dev/null; then
    git log --format='%h%x09%s' origin/main..
  else
    git log --format='%h%x09%s' -n 50
  fi
}
subjects >"$folder/subjects"
awk -F '\t' -v verbs="$verbs" '
  BEGIN { count = split(verbs, verb, " "); for (i = 1; i <= count; i++) isVerb[verb[i]] = 1 }
  { split($2, word, /[ :]/) }
  length($2) > 72 { print "commit " $1 "\t1\tsubject\t" $2 "\tat most 72 characters" }
  !(word[1] in isVerb) { print "commit " $1 "\t1\tsubject\t" $2 "\tbegin with one of: " verbs }' "$folder/subjects" >>"$folder/hits"

# Removes what is allowed, and prints the rest.
sort -t "$(printf '\t')" -k 1,1 -k 2,2n "$folder/hits" | awk -F '\t' -v list=Tests/prose-allowed.txt -v seen="$folder/texts.seen" '
  BEGIN {
    while ((getline word < seen) > 0) isSeen[word] = 1
    while ((getline line < list) > 0) {
      number++
      if (line ~ /^#/ || line ~ /^ *$/) continue
      if (split(line, field, / *[|] */) != 4) {
        print list ":" number ": unused: an entry is: rule | path or pattern | what was found | reason"
        failures++
        continue
      }
      count++
      place[count] = number
      entry[count] = line
      rule[count] = field[1]
      pattern[count] = field[2]
      gsub(/[.+?()]/, "[&]", pattern[count])
      gsub(/[*]/, ".*", pattern[count])
      phrase[count] = field[3]
      # Which words codespell knows depends on its version: what counts is that the word is still there.
      if (field[1] == "misspelling" && field[3] in isSeen) isUsed[count] = 1
    }
  }
  {
    isAllowed = 0
    for (i = 1; i <= count; i++)
      if ($3 == rule[i] && $4 == phrase[i] && $1 ~ "^(" pattern[i] ")$") isUsed[i] = isAllowed = 1
    if (isAllowed) next
    print $1 ":" $2 ": " $3 ": " $4 ": " $5
    hits++
  }
  END {
    for (i = 1; i <= count; i++) if (!(i in isUsed)) {
      print list ":" place[i] ": unused: " entry[i]
      failures++
    }
    printf "%d hits; %d entries of the allow list permit nothing.\n", hits, failures
    exit hits + failures > 0
  }'
