import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Marks every process of a run, so that they can be found when the runner is gone. */
export const RUN_VARIABLE = 'PROOFBOARD_RUN'

// Waits until its stdin closes, which also happens when the runner is killed with -9. Then ends every process with the
// mark until none is left, and removes the run's temporary folder.
const SCRIPT = `
cat >/dev/null
sweep() {
  if [ -d /proc/self ]; then grep -lzsxF -- "$1" /proc/[0-9]*/environ | sed 's|/proc/||; s|/environ||'
  else ps -axEww -o pid=,ppid=,command= | awk -v me=$$ -v mark="\${1#*=}" \\
    '$1 != me && $2 != me && index($0 " ", "${RUN_VARIABLE}=" mark " ") { print $1 }'; fi
}
round=0
while [ $round -lt 50 ]; do
  pids=$(sweep "$1")
  [ -z "$pids" ] && break
  kill -9 $pids 2>/dev/null
  round=$((round + 1)); sleep 0.05
done
folder=$2
shift 2
[ $# -eq 0 ] || "$@"
# A subject may leave folders without access rights.
rm -rf -- "$folder" || { chmod -R u+rwX -- "$folder"; rm -rf -- "$folder"; }
`

/** `release` resolves when the guard has finished and is gone, or after ten seconds. */
export type Guard = { mark: string; release: () => Promise<void> }

const MAX_RELEASE_MS = 10_000

/** A guard that is killed is replaced; the limit stops this where guards cannot run. */
const MAX_GUARDS = 20

/** A command that ends what signals cannot reach; `env` is added to the guard's own. */
export type CleanupCommand = { argv: readonly string[]; env: Record<string, string> }

/** The mark of one run: every process of it has it in `RUN_VARIABLE`. */
export function runMark(runId: string): string {
  return `${runId}-${process.pid}`
}

/**
 * Starts the run's guard: a shell that outlives the runner for as long as the cleanup takes. `folder` is the run's
 * temporary folder, removed at the end. A normal end also goes through `release`.
 */
export function startGuard(runId: string, folder: string, cleanup: CleanupCommand | null): Guard {
  const mark = runMark(runId)
  let isReleased = false
  let guard: ChildProcess | null = null
  const watch = (left: number) => {
    guard = spawnGuard(mark, folder, cleanup)
    guard.once('exit', () => {
      if (!isReleased && left > 0) watch(left - 1)
    })
  }
  watch(MAX_GUARDS)
  const release = async () => {
    isReleased = true
    if (!guard || guard.exitCode !== null || guard.signalCode !== null) return
    const gone = once(guard, 'exit', { signal: AbortSignal.timeout(MAX_RELEASE_MS) })
    guard.ref()
    guard.stdin?.end()
    await gone.catch(() => guard?.unref())
  }
  return { mark, release }
}

function spawnGuard(mark: string, folder: string, cleanup: CleanupCommand | null): ChildProcess {
  const guard = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'proofboard-guard', `${RUN_VARIABLE}=${mark}`, folder, ...(cleanup?.argv ?? [])],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {
        PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
        ...cleanup?.env,
      } as unknown as NodeJS.ProcessEnv, // Next's types want NODE_ENV
      cwd: '/',
    },
  )
  guard.on('error', () => {})
  guard.stdin?.on('error', () => {})
  guard.unref()
  return guard
}
