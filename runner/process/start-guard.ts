import { spawn } from 'node:child_process'

/** The variable that every process of one run carries, so that a stranger can find them when the runner is gone. */
export const RUN_VARIABLE = 'PROOFBOARD_RUN'

// Waits until its stdin closes, which also happens when the runner is killed with -9; then ends every process that
// carries the mark, looking again until none is left, and removes the run's temporary folder.
const SCRIPT = `
cat >/dev/null
sweep() {
  if [ -d /proc/self ]; then grep -lzsxF -- "$1" /proc/[0-9]*/environ | sed 's|/proc/||; s|/environ||'
  else ps axeww -o pid=,command= | grep -F -- "$1" | grep -v grep | awk '{print $1}'; fi
}
round=0
while [ $round -lt 50 ]; do
  pids=$(sweep "$1")
  [ -z "$pids" ] && break
  kill -9 $pids 2>/dev/null
  round=$((round + 1)); sleep 0.05
done
rm -rf -- "$2"
`

export type Guard = { mark: string; release: () => void }

/**
 * Starts the run's guard: a shell that outlives the runner by the moment it takes to clean up after it.
 * `folder` is the run's temporary folder, removed at the end. Also the ordinary end goes through `release`.
 */
export function startGuard(runId: string, folder: string): Guard {
  const mark = `${runId}-${process.pid}`
  const guard = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'proofboard-guard', `${RUN_VARIABLE}=${mark}`, folder],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' } as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
      cwd: '/',
    },
  )
  guard.on('error', () => {})
  guard.stdin?.on('error', () => {})
  guard.unref()
  return { mark, release: () => guard.stdin?.end() }
}
