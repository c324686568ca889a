#!/bin/sh
# Rotates logs: rotate.sh [-k COUNT] FILE...
. "$(dirname "$0")/lib/shift.sh"

usage() {
  echo 'usage: rotate.sh [-k COUNT] FILE...' >&2
  exit 2
}

keep=3
while getopts k: option; do
  case $option in
    k) keep=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
case $keep in
  '' | *[!0-9]*) usage ;;
esac

code=0
for file in "$@"; do
  case $file in
    /*) path=$file ;;
    *) path=./$file ;;
  esac
  if [ ! -f "$path" ]; then
    echo "rotate: $file: no such file" >&2
    code=1
  elif [ -s "$path" ]; then
    rotate_one "$path" "$keep" || code=1
  fi
done
exit $code
