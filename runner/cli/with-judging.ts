import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { baseCache, openJudging } from '../repository/open-judging.ts'
import type { BaseSettings } from '../repository/prepare-base.ts'
import { isRunnerError, stoppedError } from '../runner-error.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { closeInherited } from '../sandbox/process/close-inherited.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { runMark, startGuard } from '../sandbox/process/start-guard.ts'
import { freshRunId } from './options.ts'
import { commandSignal, writeError } from './output.ts'

/**
 * Runs `work` with what judges repository tasks outside of a run, in the `given` sandbox or else the strongest one of
 * this machine. A guard cleans up if this process is killed. After a signal it throws a RunnerError that says so.
 */
export async function withJudging<T>(
  use: (settings: BaseSettings) => Promise<T>,
  given: Isolation | null = null,
): Promise<T> {
  closeInherited()
  const isolation = given ?? (await openJudging(null))
  if (isolation.level === 'local')
    writeError('judging: solutions run without a sandbox here, and can use your network')
  const temporary = join(tmpdir(), `proofboard-judging-${randomBytes(6).toString('hex')}`)
  await mkdir(temporary, { mode: 0o711 })
  const runId = freshRunId()
  const guard = startGuard(runId, temporary, isolation.cleanup(runMark(runId)))
  const signal = commandSignal({ stopWithStdin: false })
  const cache = baseCache(RUNNER_ENV)
  try {
    return await use({ isolation, temporary, cache, runMark: guard.mark, signal })
  } catch (error) {
    // A failure after the signal is due to the stop.
    if (!signal.aborted || isRunnerError(error, 'stopped')) throw error
    throw stoppedError('stopped before the end: run the same command again')
  } finally {
    await rm(temporary, { recursive: true, force: true })
    await guard.release()
  }
}
