# The first program inside a sandbox: enter.sh PORT SOCKET PROGRAM [ARGUMENT…]
# Opens the way to the gateway (PORT is - when there is none), then runs the subject and ends with its exit code.
# Every process in here ends with the sandbox, this one's children included.
port=$1
socket=$2
shift 2
if [ "$port" != - ]; then
  # Answers when the bridge listens, or when it could not start.
  ready=$(node /run/proofboard/bridge.mjs "$port" "$socket" 3>&1 </dev/null >/dev/null 2>/dev/null &)
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
