# Moves one log out of the way: rotate_one PATH COUNT; the path must not start with "-".

# Whether a text is a number of an old log.
is_number() {
  case $1 in
    '' | 0* | *[!0-9]*) return 1 ;;
  esac
}

rotate_one() {
  for old in "$1".*; do
    number=${old#"$1".}
    if is_number "$number" && [ "$number" -ge "$2" ]; then
      rm -f "$old"
    fi
  done
  number=$(($2 - 1))
  while [ "$number" -ge 1 ]; do
    [ ! -e "$1.$number" ] || mv "$1.$number" "$1.$((number + 1))"
    number=$((number - 1))
  done
  # A copy keeps the permissions of the file that stays.
  [ "$2" -eq 0 ] || cp -p "$1" "$1.1"
  : > "$1"
}
