#!/bin/sh
# Prints code metrics for each target: the number of files and folders, the largest file, the longest function, and the
# largest dependency cycle of files.
#
# A file depends on another if it uses a type that the other declares, or a member whose name is unique in the target. Private
# declarations do not count, nor do lowercase names that the file itself declares or uses as labels.
set -eu
cd "$(dirname "$0")/.."

for target in Sources/* Shared Workers/*/ Tests/*Behavior*; do
  target=${target%/}
  [ -d "$target" ] || continue
  find "$target" -name '*.swift' | sort | xargs -r awk -v target="$target" '
    FNR == 1 { file = FILENAME; count++; lines[file] = 0; depth = 0
      folder = file; sub("/[^/]*$", "", folder); folders[folder] = 1 }
    { lines[file]++
      text = $0
      sub(/^ *\/\/.*/, "", text)
      gsub(/"[^"]*"/, "", text)
      if (match(text, /^ *([a-z@()]+ +)*(func +|init[?(<]|deinit )/) && text ~ /\{ *$/) {
        start = FNR; indent = match(text, /[^ ]/); name = text
      }
      if (start && match(text, /^ *\}/) && match(text, /[^ ]/) == indent) {
        if (FNR - start + 1 > longest) { longest = FNR - start + 1; longestFile = file }
        start = 0
      }
      isPrivate = text ~ /(^|[^a-z])(file)?private [a-z]/ || text ~ /(^|[^a-z])(file)?private (class|struct|enum)/
      rest = text
      while (match(rest, /[a-z][A-Za-z0-9_]* *:/)) {
        label = substr(rest, RSTART, RLENGTH); sub(/ *:$/, "", label)
        own[file, label] = 1; rest = substr(rest, RSTART + RLENGTH)
      }
      rest = text
      while (match(rest, /(let|var) \(?[a-z][A-Za-z0-9_, ]*/)) {
        label = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
        sub(/^(let|var) \(?/, "", label)
        m = split(label, names, /[, ]+/)
        for (i = 1; i <= m; i++) own[file, names[i]] = 1
      }
      words = text
      gsub(/[^A-Za-z0-9_]+/, " ", words)
      n = split(words, word, " ")
      for (i = 1; i <= n; i++) {
        if (!((file, word[i]) in used)) { used[file, word[i]] = 1; uses[file] = uses[file] " " word[i] }
        if (word[i] ~ /^(class|struct|enum|protocol|actor|typealias|func|var|let)$/ && i < n && word[i + 1] !~ /^(func|var|let)$/) {
          isType = word[i] ~ /^(class|struct|enum|protocol|actor|typealias)$/
          isMember = match(text, /[^ ]/) <= 3
          if ((isType || isMember) && !isPrivate && word[i + 1] !~ /^(_|in|is|as|case|extension|import|protocol|true|false|init)$/) {
            if (!((file, word[i + 1]) in declared)) { declared[file, word[i + 1]] = 1; owners[word[i + 1]]++ }
            owner[word[i + 1]] = file
          }
        }
      }
    }
    END {
      for (f in lines) {
        if (lines[f] > largest) { largest = lines[f]; largestFile = f }
        total += lines[f]
        n = split(uses[f], word, " ")
        for (i = 1; i <= n; i++)
          if (owners[word[i]] == 1 && owner[word[i]] != f && !((f, word[i]) in own)) { to[f] = to[f] "\t" owner[word[i]]; from[owner[word[i]]] = from[owner[word[i]]] "\t" f }
      }
      # The files that a file reaches and that reach it: its strongly connected component.
      for (f in lines) {
        if (f in settled) continue
        reach(f, to, ahead); reach(f, from, behind)
        size = 0
        for (g in ahead) if (g in behind) { size++; settled[g] = 1 }
        if (size > cycle) cycle = size
      }
      for (f in folders) folderCount++
      sub(".*/", "", largestFile); sub(".*/", "", longestFile)
      printf "%-32s %4d files %3d folders  largest %4d %-34s function %3d %-34s cycle %3d\n", \
        target, count, folderCount, largest, largestFile, longest, longestFile, cycle
    }
    function reach(start, edges, seen,    stack, top, f, next_, k, i) {
      split("", seen); top = 1; stack[1] = start; seen[start] = 1
      while (top > 0) {
        f = stack[top--]
        k = split(edges[f], next_, "\t")
        for (i = 1; i <= k; i++) if (next_[i] != "" && !(next_[i] in seen)) { seen[next_[i]] = 1; stack[++top] = next_[i] }
      }
    }'
done
