# Writes the manual page or the completions of a program from its --help, for a program whose options are not described
# in a form that swift-argument-parser's generators read. Variables: `form` (man, bash, zsh, fish), `program`, `date`.

/^OVERVIEW: / { overview = substr($0, 11); next }
/^USAGE: / { usage = substr($0, 8); next }
/^OPTIONS:/ { in_options = 1; next }
in_options && /^  -/ {
  count += 1
  line = substr($0, 3)
  gap = match(line, /   */)
  names[count] = gap ? substr(line, 1, gap - 1) : line
  helps[count] = gap ? substr(line, gap + RLENGTH) : ""
  next
}
in_options && /^      / { sub(/^ */, ""); helps[count] = helps[count] " " $0; next }
/^[^ ]/ { in_options = 0; tail = tail (tail == "" ? "" : " ") $0 }

END {
  if (form == "man") man()
  else for (i = 1; i <= count; i++) completion(i)
  if (form == "bash") printf "complete -W '%s' %s\n", words, program
  if (form == "zsh") printf "\n"
}

# Text in which no character means something to mdoc.
function quoted(text) {
  gsub(/\\/, "\\e", text)
  sub(/^[.']/, "\\\\\\&&", text)
  gsub(/-/, "\\-", text)
  return text
}

function man(i) {
  printf ".Dd %s\n.Dt %s 1\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s\n", date, toupper(program), program, quoted(overview)
  printf ".Sh SYNOPSIS\n.Nm\n%s\n", quoted(substr(usage, length(program) + 2))
  printf ".Sh DESCRIPTION\n%s\n.Bl -tag -width 6n\n", quoted(tail)
  for (i = 1; i <= count; i++) printf ".It %s\n%s\n", quoted(names[i]), quoted(helps[i])
  print ".El"
}

# One option may have several names and a value: `-h, --help`, `--format <bar>`.
function completion(i, parts, number, n, value, name, help, choices) {
  help = helps[i]
  gsub(/'/, "’", help)
  value = match(names[i], /<[^>]*>/) ? substr(names[i], RSTART + 1, RLENGTH - 2) : ""
  # The only values that are words to choose from are the bars.
  if (value == "bar") {
    choices = help
    sub(/ *\(default.*/, "", choices)
    gsub(/,/, "", choices)
  }
  sub(/ *<.*/, "", names[i])
  number = split(names[i], parts, /, */)
  for (n = 1; n <= number; n++) {
    name = parts[n]
    words = words (words == "" ? "" : " ") name
    if (form == "fish") fish(name, value, help, choices)
    if (form == "zsh") zsh(name, value, help, choices)
  }
}

function fish(name, value, help, choices, kind) {
  kind = value == "" ? "-f" : "-x"
  if (value == "folder") kind = "-x -a '(__fish_complete_directories)'"
  if (choices != "") kind = "-x -a '" choices "'"
  printf "complete -c %s %s %s %s -d '%s'\n", program, (name ~ /^--/ ? "-l" : "-s"), substr(name, name ~ /^--/ ? 3 : 2),
    kind, help
}

function zsh(name, value, help, choices, kind) {
  if (!started) { printf "#compdef %s\n_arguments", program; started = 1 }
  gsub(/[][]/, "", help)
  gsub(/:/, "\\:", help)
  kind = value == "" ? "" : ":" value ": "
  if (value == "folder") kind = ":folder:_files -/"
  if (choices != "") kind = ":" value ":(" choices ")"
  printf " \\\n  '%s[%s]%s'", name, help, kind
}
