# The first program inside a sandbox: enter.sh PORT SOCKET PROGRAM [ARGUMENT…]
# Opens the way to the gateway (PORT is - when there is none), then runs the subject and ends with its exit code. In a
# container SOCKET is -: there the bridge is started from outside, and waited for.
# Every process in here ends with the sandbox, this one's children included.
port=$1
socket=$2
shift 2
listens() {
  while read -r _ address _ state _; do
    [ "$address $state" = "$1 0A" ] && return 0
  done < /proc/net/tcp
  return 1
}
if [ "$port" != - ]; then
  if [ "$socket" = - ]; then
    ready=
    at=$(printf '0100007F:%04X' "$port")
    left=600
    until listens "$at"; do
      left=$((left - 1))
      [ $left -gt 0 ] || break
      sleep 0.05
    done
    [ $left -gt 0 ] && ready=listening
  else
    # Answers when the bridge listens, or when it could not start.
    ready=$(node /run/proofboard/bridge.mjs "$port" "$socket" 3>&1 </dev/null >/dev/null 2>/dev/null &)
  fi
  if [ "$ready" != listening ]; then
    echo 'proofboard: the way to the gateway could not be opened inside the sandbox' >&2
    exit 125
  fi
fi
# Ours, and not the subject's: see docker.ts.
unset PROOFBOARD_EPISODE
# A subject that is asked to end is waited for: if this shell ended first, everything would end with it.
trap : TERM INT HUP
"$@"
exit $?
