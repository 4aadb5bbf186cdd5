# Checks the language of the files in the list `files`: see Tests/prose.sh. Prints a hit a line, with tabs between the path,
# the line, the rule, what was found, and the advice. Writes the prose to `texts`, and the path and line of each of its lines
# to `places`, for a spelling checker. Runs in the C locale: columns are bytes.

BEGIN {
  FS = "\n"
  readPhrases()
  readForms()
  while ((getline line < allowed) > 0)
    if (split(line, field, / *\| */) >= 4 && field[1] == "misspelling") watched[field[3]] = 1
  while ((getline path < files) > 0) {
    number = 0
    state = ""
    isFenced = isTest = isDocumented = 0
    if (path ~ /\.(swift|c|h)$/) check = 1
    else if (path ~ /\.sh$/) check = 2
    else check = 3
    while ((getline line < path) > 0) {
      number++
      if (check == 1) readSource(line)
      else if (check == 2) readScript(line)
      else readArticle(line)
    }
    endBlock()
    close(path)
  }
}

# --- Rules ---

function readPhrases(    line, field, words, count, i, key, group, n, pattern) {
  while ((getline line < phrases) > 0) {
    if (line ~ /^#/ || line ~ /^ *$/) continue
    # Only bars between blanks separate: a group has bars of its own.
    split(line, field, " [|] ")
    count = split(field[1], words, " ")
    key = ""
    pattern = ""
    for (i = 1; i <= count; i++) {
      if (words[i] ~ /^[a-z]+$/ && length(words[i]) > length(key)) key = words[i]
      pattern = pattern (i > 1 ? " +" : "") (words[i] == "_" ? "[a-z'-]+" : words[i])
    }
    phraseCount++
    phrasePattern[phraseCount] = "[^a-z0-9'-]" pattern "[^a-z0-9'-]"
    phraseAdvice[phraseCount] = field[2]
    phraseUnless[phraseCount] = field[3]
    # A phrase is searched for where its longest word occurs, or one of its first group.
    group = key == "" ? substr(words[1], 2, length(words[1]) - 2) : key
    n = split(group, words, "[|]")
    for (i = 1; i <= n; i++) phrasesWith[words[i]] = phrasesWith[words[i]] " " phraseCount
  }
}

# British forms: of whole words in prose, and of parts of names in code.
function readForms() {
  british = "colour|behaviour|neighbour|favour|honour|labour|harbour|rumour|flavour|armour|vapour|humour|centre|centring" \
    "|catalogue|licence|defence|offence|pretence|artefact|judgement|sceptic|mould|plough" \
    "|instalment|skilful|labelled|labelling|modelled|modelling|travelled|travelling|signalled|signalling|levelled|totalled" \
    "|marshalled|marshalling|channelled|tunnelled|equalled|analyser|analysed|analysing|paralyse|catalyse" \
    "|(initial|recogn|organ|optim|normal|serial|synchron|special|general|summar|minim|maxim|capital|categor|custom|final" \
    "|local|material|priorit|real|standard|token|util|visual|author|character|critic|equal|item|memor|neutral|random|stabil" \
    "|vector|canonical|emphas|apolog|monopol|modern|symbol)is(e|ed|es|er|ers|ing|ation|ations|able)"
  britishWord = "[^a-z](de|un|re)?(" british "|[a-z]+[a-z](al|or|on|im|ar|iv|an)is(e|ed|es|er|ing|able)|[a-z]+isations?" \
    "|cancelled|cancelling|grey|programme|programmes|whilst|amongst|towards|learnt|spelt" \
    "|kilometre|theatre|fibre|litre|ageing|cheque|storey|tyre|fulfil|enrol)(d|s|r|ful|hood|al)?[^a-z]"
  # A quick test for either.
  britishHint = "our|tre|logue|ence|fact|udgement|mould|lough|alment|ilful|lled|lling|ly|is|grey|amme|st|ards|nt|lt|eing|que|rey|tyre|fil|rol"
  adjective = "most|fewest|longest|shortest|greatest|largest|smallest|biggest|highest|lowest|least|usual"
}

function hit(line, rule, found, advice) {
  printf "%s\t%d\t%s\t%s\t%s\n", path, line, rule, found, advice
}

# --- Blocks of prose ---

# Adds a line to the block. Blocks of another kind, or that ended further up, are checked first.
function add(kind, text) {
  if (kind != blockKind || number > blockEnd + 1) endBlock()
  blockKind = kind
  blockEnd = number
  blockLines++
  blockLine[blockLines] = number
  blockStart[blockLines] = length(block) + 1
  block = block text " "
}

function endBlock(    text, words, count, i, n, list, k) {
  if (blockLines > 0) {
    text = block
    # Code spans, links and addresses, by as many characters that are not part of a word.
    while (match(text, /`[^`]*`|\]\([^)]*\)|<[a-z]+:[^>]*>|[a-z]+:\/\/[^ ]*/)) text = blank(text)
    if (spell) writeTexts(text)
    text = " " tolower(text)
    gsub(/[.:;!?]/, "|", text)
    gsub(/[^a-z0-9'| -]/, ",", text)
    count = split(text, words, /[^a-z']+/)
    split("", list)
    for (i = 1; i <= count; i++) {
      if (words[i] in watched) seen[words[i]] = 1
      if (words[i] in phrasesWith) list[words[i]] = 1
    }
    for (i in list) {
      n = split(phrasesWith[i], words, " ")
      for (k = 1; k <= n; k++) findPhrase(text, words[k])
    }
    if (text ~ britishHint) findBritish(text)
  }
  block = ""
  blockKind = ""
  blockLines = 0
}

# The text with the last match replaced.
function blank(text,    filler) {
  filler = sprintf("%" RLENGTH "s", "")
  gsub(/ /, "~", filler)
  return substr(text, 1, RSTART - 1) filler substr(text, RSTART + RLENGTH)
}

function findPhrase(text, phrase,    offset, rest, found, context) {
  offset = 0
  rest = text
  while (match(rest, phrasePattern[phrase])) {
    found = substr(rest, RSTART + 1, RLENGTH - 2)
    context = substr(text, offset + RSTART > 12 ? offset + RSTART - 12 : 1, RLENGTH + 24)
    offset += RSTART + RLENGTH - 2
    rest = substr(text, offset + 1)
    if (phraseUnless[phrase] != "" && context ~ phraseUnless[phrase]) continue
    gsub(/ +/, " ", found)
    hit(lineAt(offset - length(found)), "phrase", found, phraseAdvice[phrase])
  }
}

function findBritish(text,    offset, rest, found) {
  offset = 0
  rest = text
  while (match(rest, britishWord)) {
    found = substr(rest, RSTART + 1, RLENGTH - 2)
    offset += RSTART + RLENGTH - 2
    rest = substr(text, offset + 1)
    hit(lineAt(offset - length(found)), "spelling", found, "use the American form")
  }
}

# The number of the line that has a column of the block, less the blank that was put before it.
function lineAt(column,    i) {
  for (i = blockLines; i > 1; i--) if (column >= blockStart[i]) break
  return blockLine[i]
}

function writeTexts(text,    i) {
  for (i = 1; i <= blockLines; i++) {
    print substr(text, blockStart[i], (i < blockLines ? blockStart[i + 1] : length(text) + 1) - blockStart[i]) > texts
    print path "\t" blockLine[i] > places
  }
}

# --- Swift and C ---

# Takes a line apart into comments, strings and code.
function readSource(line,    code, text, isDoc) {
  rest = line
  code = ""
  while (rest != "" || state != "") {
    if (state == "comment") {
      text = upTo("*/")
      if (state == "") endComment(text)
      else addComment("comment", text)
    } else if (state == "string") {
      add("string", readString())
    } else if (match(rest, /\/\/|\/\*|#*"""|#*"|`[^`]*`|'\\?"'/)) {
      text = substr(rest, RSTART, RLENGTH)
      code = code substr(rest, 1, RSTART - 1)
      rest = substr(rest, RSTART + RLENGTH)
      if (text == "//") {
        isDoc = rest ~ /^\//
        if (code ~ /[^ ]/) endBlock()
        else if (isDoc && !isDocumented) checkOpening(rest)
        addComment(isDoc ? "documentation" : "comment", substr(rest, isDoc ? 2 : 1))
        if (code ~ /[^ ]/) endBlock()
        isDocumented = isDoc && code !~ /[^ ]/
        checkCode(code)
        return
      }
      if (text == "/*") state = "comment"
      else if (text ~ /"$/ && text !~ /'/) {
        match(text, /^#*/)
        pounds = substr(text, 1, RLENGTH)
        quotes = substr(text, RLENGTH + 1) pounds
        state = "string"
        code = code "\"\""
        endBlock()
      } else code = code text
    } else {
      code = code rest
      rest = ""
    }
    # What is open at the end of a line continues on the next.
    if (rest == "") break
  }
  if (state == "string" && quotes !~ /"""/) state = ""
  isDocumented = 0
  checkCode(code)
}

# What is before `end`, without which all is taken. With it, the state ends.
function upTo(end,    at, text) {
  at = index(rest, end)
  if (at == 0) {
    text = rest
    rest = ""
    return text
  }
  text = substr(rest, 1, at - 1)
  rest = substr(rest, at + length(end))
  state = ""
  return text
}

function endComment(text) {
  addComment("comment", text)
  endBlock()
}

# A fenced example in a comment is code.
function addComment(kind, text) {
  sub(/^ *\* /, " ", text)
  if (text ~ /^ *```/) {
    isFenced = !isFenced
    endBlock()
  } else if (isFenced) {
    return
  } else if (text !~ /[^ ]/) {
    endBlock()
  } else {
    if (text ~ /^ *(- |[0-9]+\. |\|)/) endBlock()
    add(kind, text)
  }
}

# The words of a string, whose beginning was read. Interpolations are left out.
function readString(    text, c) {
  text = ""
  while (match(rest, /["\\]/)) {
    text = text substr(rest, 1, RSTART - 1)
    c = substr(rest, RSTART, 1)
    if (c == "\"" && substr(rest, RSTART, length(quotes)) == quotes) {
      rest = substr(rest, RSTART + length(quotes))
      state = ""
      return text
    }
    rest = substr(rest, RSTART + 1)
    if (c == "\"" || substr(rest, 1, length(pounds)) != pounds) {
      text = text c
      continue
    }
    rest = substr(rest, length(pounds) + 1)
    c = substr(rest, 1, 1)
    rest = substr(rest, 2)
    text = text (c == "n" ? "." : "~")
    if (c == "(") skipInterpolation()
  }
  text = text rest
  rest = ""
  return text
}

function skipInterpolation(    depth, c) {
  depth = 1
  while (depth > 0 && match(rest, /[()"]/)) {
    c = substr(rest, RSTART, 1)
    rest = substr(rest, RSTART + 1)
    if (c == "(") depth++
    else if (c == ")") depth--
    else while (match(rest, /\\.|"/)) {
      c = substr(rest, RSTART, 1)
      rest = substr(rest, RSTART + RLENGTH)
      if (c == "\"") break
    }
  }
}

# A documentation comment begins with a noun or a verb.
function checkOpening(text) {
  if (match(text, /^\/ +(What|Whose|Who|So)[ ,]/)) {
    text = substr(text, 1, RLENGTH)
    gsub(/[\/ ,]/, "", text)
    hit(number, "opening", text, "begin with a noun phrase or a verb")
  }
}

# Code without comments and strings.
function checkCode(code,    name, lower) {
  if (code !~ /[^ ]/) return
  isFenced = 0
  if (path ~ /\.swift$/) {
    if (code ~ /@Test([^A-Za-z]|$)/) isTest = 1
    if (isTest && match(code, /(^|[^A-Za-z])func +(`[^`]*`|[A-Za-z0-9_]+)/)) {
      name = substr(code, RSTART, RLENGTH)
      sub(/^.*func +/, "", name)
      if (name !~ /^`.* .*`$/) hit(number, "test-name", name, "name it with words between backquotes")
      isTest = 0
    }
  }
  if (code ~ /(let|var|case|define|func) /) {
    if (match(code, "(^|[^A-Za-z])(let|var|case|func|define) +\\(?(" adjective ")[A-Z][A-Za-z]*")) {
      name = substr(code, RSTART, RLENGTH)
      sub(/^.*[ (]/, "", name)
      hit(number, "constant-name", name, "name it maximum..., minimum... or default...")
    }
  }
  lower = tolower(code)
  if (lower ~ /our|tre|logue|ence|fact|gement|mould|lough|alment|ilful|sceptic|lled|lling|lys|is[eai]/ && match(lower, british))
    hit(number, "spelling", substr(code, RSTART, RLENGTH), "use the American form")
}

# --- Shell ---

# Comments are prose, and so are messages: of the other lines, everything is taken for one.
function readScript(line) {
  if (line ~ /^ *# ?[^!]/) add("comment", substr(line, index(line, "#") + 1))
  else {
    endBlock()
    if (match(line, /"[^"]* [^"]*"/)) {
      add("string", substr(line, RSTART, RLENGTH))
      endBlock()
    }
    if (match(line, / # .*/)) {
      add("comment", substr(line, RSTART + 2))
      endBlock()
    }
  }
}

# --- Markdown ---

function readArticle(line) {
  if (line ~ /^ *(```|~~~)/) {
    isFenced = !isFenced
    endBlock()
    return
  }
  if (isFenced) return
  if (line !~ /[^ ]/) {
    endBlock()
    return
  }
  if (line ~ /^ *([-*#|>]|[0-9]+\.)/) endBlock()
  add("prose", line)
  if (line ~ /^ *#/) endBlock()
}

END {
  for (word in seen) print word > (texts ".seen")
}
