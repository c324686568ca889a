#!/bin/sh
# Rotates logs: rotate.sh [-k COUNT] FILE...
set -e
. "$(dirname "$0")/lib/shift.sh"

keep=3
while getopts k: option; do
  case $option in
    k) keep=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))

for file in $*; do
  rotate_one $file $keep
done
