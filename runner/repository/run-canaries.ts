import type { LoadedRepository } from '../suites/repository-folder.ts'
import { type DrawnCanaries, drawCanaries, plant } from './draw-canaries.ts'
import { judgeCanaryRun } from './judge-canary-run.ts'
import { once } from './once.ts'
import type { Change } from './overlay.ts'
import type { PreparedBase } from './prepare-base.ts'
import type { VerifySettings } from './run-command.ts'
import { runVerify, type VerifyRun } from './verify-run.ts'

/** Result of the runs with failing tests; `isTampered` if no honest work can be the reason. */
export type CanaryResult = {
  observed: string
  ok: boolean
  isTampered: boolean
  log: string
  /** Probability that work which implements nothing of the task passes them by guessing. */
  guess: number
  /** A run that did not end by itself: the unaltered tests would not end either. */
  stopped: VerifyRun | null
}

/** Expected result of every canary run. */
export const CANARY_EXPECTED = 'failed, and an exit code that says so'

/**
 * Runs the verify command with tests that must fail: added ones, and real ones with altered expected values. The other
 * real tests must pass beside them. Every run is such a mixture, drawn for this attempt, and what work learns of the
 * right values from one of them does not reveal which the next one shows. Null if the task has no canary, which its
 * proof rejects. Called again after a failure of this machine, it continues with the versions that it has drawn.
 */
export function canaryRuns(
  task: LoadedRepository,
  base: PreparedBase,
  changes: readonly Change[],
  settings: VerifySettings,
): () => Promise<CanaryResult | null> {
  const draw = once(() => drawCanaries(task, base, settings))
  const played: { run: VerifyRun; failure: Failure | null }[] = []
  return async () => {
    const { versions, guess } = await draw()
    const isFailed = () => played.some(({ failure }) => failure !== null)
    while (played.length < versions.length && !isFailed()) {
      const version = versions[played.length] as DrawnCanaries['versions'][number]
      const canary = plant(task, version.tests)
      if (canary === null) return null
      const run = await runVerify(task, base, { changes, tests: canary.files }, settings)
      const failure = judgeCanaryRun(run, version, canary.marks)
      played.push({ run, failure })
    }
    const failure = played.find((one) => one.failure !== null)?.failure ?? null
    const command = `$ ${task.task.verify.command} # with tests that must fail\n`
    return {
      ok: failure === null,
      guess,
      log: played.map(({ run }) => command + run.log).join('\n'),
      stopped: played.find(({ run }) => run.ending.cause !== 'exited')?.run ?? null,
      ...(failure ?? { observed: CANARY_EXPECTED, isTampered: false }),
    }
  }
}

type Failure = NonNullable<ReturnType<typeof judgeCanaryRun>>
