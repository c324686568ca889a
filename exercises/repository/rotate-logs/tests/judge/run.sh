#!/bin/sh
# Runs every function case_* of the files beside this one, each in a folder of its own, and prints TAP.
here=$(cd "$(dirname "$0")" && pwd)
rotate=$here/../rotate.sh
count=0
failed=0
for file in "$here"/cases*.sh; do
  for name in $(sed -n 's/^\(case_[a-z0-9_]*\)().*/\1/p' "$file"); do
    count=$((count + 1))
    place=$(mktemp -d)
    if (cd "$place" && rotate=$rotate sh -ec '. "$1"; "$2"' sh "$file" "$name") > "$place.out" 2>&1; then
      echo "ok $count - $name"
    else
      failed=$((failed + 1))
      echo "not ok $count - $name"
      sed 's/^/# /' "$place.out"
    fi
    rm -rf "$place" "$place.out"
  done
done
echo "1..$count"
[ "$failed" -eq 0 ]
