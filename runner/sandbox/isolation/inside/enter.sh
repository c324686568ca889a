# The first program inside a sandbox: enter.sh PORT SOCKET PROGRAM [ARGUMENT…]
# Opens the way to the gateway (PORT is - when there is none), then runs the subject and ends with its exit code. In a
# container SOCKET is -: there stdin and stdout are the way to the gateway, and the subject writes to stderr.
# Every process in here ends with the sandbox, this one's children included.
port=$1
socket=$2
shift 2
if [ "$port" != - ]; then
  bridge() { exec /opt/node/bin/node /run/proofboard/bridge.mjs "$@"; }
  # Answers when the bridge listens, or when it could not start.
  if [ "$socket" = - ]; then
    exec 4<&0 5>&1 0</dev/null 1>&2
    ready=$(bridge "$port" 3>&1 <&4 >&5 2>/dev/null 4<&- 5>&- &)
    exec 4<&- 5>&-
  else
    ready=$(bridge "$port" "$socket" 3>&1 </dev/null >/dev/null 2>/dev/null &)
  fi
  if [ "$ready" != listening ]; then
    echo 'proofboard: the way to the gateway could not be opened inside the sandbox' >&2
    exit 125
  fi
fi
[ ! -e /run/proofboard/stdin ] || exec </run/proofboard/stdin
# Ours, and not the subject's: see docker.ts.
unset PROOFBOARD_EPISODE
# A subject that is asked to end is waited for: if this shell ended first, everything would end with it.
trap : TERM INT HUP
"$@"
exit $?
