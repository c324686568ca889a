#!/bin/sh
# Prints TAP.
here=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d)
cd "$place" || exit 1
printf 'one\n' > app.log
printf 'old\n' > app.log.1
sh "$here/rotate.sh" app.log
echo 1..2
[ "$(cat app.log.1)" = one ] && echo 'ok 1 - the log becomes .1' || echo 'not ok 1 - the log becomes .1'
[ "$(cat app.log.2)" = old ] && echo 'ok 2 - .1 becomes .2' || echo 'not ok 2 - .1 becomes .2'
