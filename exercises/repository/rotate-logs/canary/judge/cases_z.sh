run() { sh "$rotate" "$@"; }
is() { [ "$(cat "$1")" = "$2" ]; }

case_{{canary}}() {
  echo 1 > a
  run a
  is a.1 2
}
