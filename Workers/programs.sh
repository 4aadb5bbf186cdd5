# Builds the programs as they are used. Sourced by Workers/up.sh and Workers/packaging/stage.sh, in the project's folder,
# after Workers/requirements.sh.

# Builds the products named, optimized, and sets $bin to the folder of the built programs.
build_programs() { # PRODUCT…
  with_programs
  static_linking
  for product in "$@"; do
    # shellcheck disable=SC2086 # the option may be empty
    swift build -c release $static --product "$product" || {
      echo "Could not build $product; see the messages above." >&2
      return 1
    }
  done
  # shellcheck disable=SC2086
  bin=$(swift build -c release $static --show-bin-path) || {
    echo "Cannot find the built programs." >&2
    return 1
  }
}

# Sets $reference to the Reference store in use. Builds one next to the programs if it does not exist, or if its model or
# its writer has changed since.
build_reference() {
  model="Shared/Quakes.xcdatamodeld/Quakes 2.xcdatamodel/contents"
  reference=$("$bin/quakes" --version | sed -n "s/^Reference store: //p")
  if [ "$reference" = "$bin/Reference.sqlite" ] && [ -n "$(find "$model" Workers/quakes-reference -newer "$reference")" ]; then reference=; fi
  [ -z "$reference" ] || return 0
  echo "building the Reference store, which has the cities and coastlines of the world" >&2
  sh Shared/Reference/build.sh "$bin" >/dev/null && reference=$bin/Reference.sqlite
}
