#!/bin/sh
# Builds the programs and puts them, their manual pages, completions, systemd units, snippets for status bars and the
# Reference store where Debian's users expect them.
#
#   sh Workers/packaging/stage.sh PREFIX [ROOT]
#
# PREFIX is where they will be used, such as /usr/local; ROOT is a folder to put before it, for a package. Prints the path
# of each file, without ROOT.
set -eu

stop() { printf 'stage.sh: %s\n' "$*" >&2; exit 1; }

[ $# -ge 1 ] && [ $# -le 2 ] || stop "give the prefix, such as /usr/local"
case $1 in /*) ;; *) stop "the prefix must be an absolute path, not \"$1\"" ;; esac
prefix=${1%/}
root=${2:-}

cd "$(dirname "$0")/../.."
. Workers/requirements.sh
. Workers/programs.sh
require_swift
require_packages
build_programs quakes quakes-fetch quakes-summary coredata generate-manual >&2
build_reference || reference=

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Installs a file with its permissions. Processes that run the old one keep it.
put() { # FILE MODE PATH
  mkdir -p "$root$(dirname "$3")" || stop "cannot create $root$(dirname "$3"): choose another prefix, or run this as root"
  install -m "$2" "$1" "$root$3" || stop "cannot write $root$3"
  printf '%s\n' "$3"
}

# zsh and systemd look for Debian's own files elsewhere than for those of /usr/local and ~/.local.
fish=$prefix/share/fish/vendor_completions.d
if [ "$prefix" = /usr ]; then
  zsh=/usr/share/zsh/vendor-completions units=/usr/lib/systemd/user
else
  zsh=$prefix/share/zsh/site-functions units=$prefix/share/systemd/user
fi
date=$(git log -1 --format=%cs 2>/dev/null || date +%F)
# As mdoc(7) has it.
day=$(LC_ALL=C date -d "$date" '+%B %-d, %Y')

put_completions() { # PROGRAM; the scripts are in $work
  put "$work/bash" 644 "$prefix/share/bash-completion/completions/$1"
  put "$work/zsh" 644 "$zsh/_$1"
  put "$work/fish" 644 "$fish/$1.fish"
}

# As it is handed out: without symbols, and with the paths of debugging cut off.
for program in quakes quakes-fetch quakes-summary coredata; do
  strip -o "$work/program" "$bin/$program"
  put "$work/program" 755 "$prefix/bin/$program"
done

for program in quakes quakes-fetch coredata; do
  rm -rf "$work/pages"
  mkdir "$work/pages"
  "$bin/generate-manual" "$bin/$program" --multi-page --date "$date" --output-directory "$work/pages"
  for page in "$work/pages"/*.1; do
    title=$(basename "$page" .1 | tr . ' ')
    case $title in *" help") continue ;; esac
    # The page of `quakes list` is quakes-list.1, which `man quakes list` finds.
    name=$(printf '%s' "$title" | tr ' ' -)
    # Those that have settings say where these are explained.
    case $title in quakes | quakes-fetch | "quakes config") also='$s/1$/1 ,\n.Xr quakes-config 5/' ;; *) also= ;; esac
    sed -E -e "$also" -e "s/^\\.Nm \"$title\"\$/.Nm $name/" -e "s/^\\.Nm\$/.Nm \"$title\"/" -e '/^\.Xr [^ ]*\.help 1/d' \
      -e 's/^\.Nd "(.*)"$/.Nd \1/' -e 's/^$/.Pp/' \
      -e '/^\.(Xr|Dt) / { :dot; s/^(\.[A-Za-z]+ [^ ]*)\.([A-Za-z])/\1-\2/; t dot }' "$page" | gzip -9nc >"$work/page.gz"
    put "$work/page.gz" 644 "$prefix/share/man/man1/$name.1.gz"
  done
  for shell in bash zsh fish; do "$bin/$program" --generate-completion-script $shell >"$work/$shell"; done
  sed -i '1{/^#!/d}' "$work/bash"
  put_completions "$program"
done

{ printf '.Dd %s\n' "$day"; "$bin/quakes" config print --manual; } | gzip -9nc >"$work/page.gz"
put "$work/page.gz" 644 "$prefix/share/man/man5/quakes-config.5.gz"

"$bin/quakes-summary" --help >"$work/help"
for form in man bash zsh fish; do
  awk -v form=$form -v program=quakes-summary -v date="$day" -f Workers/packaging/help.awk "$work/help" >"$work/$form"
done
put_completions quakes-summary
gzip -9nc "$work/man" >"$work/page.gz"
put "$work/page.gz" 644 "$prefix/share/man/man1/quakes-summary.1.gz"

# Without the environment of the user who builds: the store and the settings are the defaults.
env -u QUAKES_STORE -u QUAKES_CONFIG -u XDG_DATA_HOME -u STRATA_GROUP_CONTAINERS HOME="$work" \
  "$bin/quakes" workers install --print --program "$prefix/bin/quakes-fetch" >"$work/unit"
put "$work/unit" 644 "$units/quakes-fetch.service"

for snippet in Workers/bars/*; do
  case $snippet in *.sh) mode=755 ;; *) mode=644 ;; esac
  put "$snippet" $mode "$prefix/share/quakes/bars/$(basename "$snippet")"
done
if [ -n "$reference" ]; then put "$reference" 644 "$prefix/share/quakes/Reference.sqlite"; fi
put Sources/quakes/README.md 644 "$prefix/share/doc/quakes/README.md"
