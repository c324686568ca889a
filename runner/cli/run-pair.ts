import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { boardOfResults, type StopDecision } from '#lib/domain/board/index.ts'
import {
  type Bundle,
  digestPair,
  freezePlan,
  type Plan,
  type StopSide,
} from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { systemClock } from '../engine/clock.ts'
import { writeAtomic } from '../engine/files.ts'
import { stoppedError } from '../runner-error.ts'
import { buildPlan } from './build-plan.ts'
import { type LazyVerifier, withSuite, withVerifier } from './open-suite.ts'
import { readSettings } from './options.ts'
import { writeError } from './output.ts'
import type { PlanOptions } from './plan-options.ts'
import { readBundle } from './read-files.ts'
import { runOne } from './run-command.ts'
import type { RunOptions } from './run-options.ts'
import { describeRule, readStop, type StopOptions } from './stop-options.ts'

type Side = { name: string; run: RunOptions & { out: string } }
type Place = { folder: string; suite: string; signal: AbortSignal }

/**
 * Runs two plans alternately up to each look that both registered, and stops both at the first that decides. Returns
 * the decision; null = both plans ran completely without one. A restart continues.
 */
export async function runPair(
  sides: readonly Side[],
  options: StopOptions & { repetitions: number },
  place: Place,
): Promise<StopDecision | null> {
  const { plans, suite } = await freezePair(sides, options, place)
  const [first] = plans
  if (!first?.stop) return null
  writeError(describeRule(first))
  const paths = await Promise.all(
    plans.map((plan, at) => writePlan(plan, sides[at] as Side, place)),
  )
  const order = sides.map((side, at) => ({ ...side, plan: paths[at] as string }))
  const { looks } = first.stop
  return withVerifier(async (verifier) => {
    for (const [index, look] of looks.entries()) {
      const known = decisionOf(sides, suite)
      if (known) return known
      // The sides take turns in going first, so that drift affects both alike.
      const turns = index % 2 === 0 ? order : order.toReversed()
      for (const side of turns) await runPart(side, { index, look }, { verifier, ...place })
    }
    return decisionOf(sides, suite)
  })
}

/** Runs one side up to its half of a look. */
async function runPart(
  { name, plan, run }: Side & { plan: string },
  { index, look }: { index: number; look: number },
  { verifier, signal }: Place & { verifier: LazyVerifier },
): Promise<void> {
  writeError(`== ${name}, up to episode ${look / 2}`)
  const part = { plan, upTo: look / 2, isContinued: index > 0 }
  await runOne({ ...withoutPlan(run), ...part }, signal, verifier)
  if (signal.aborted) throw stoppedError('stopped: run the same command to continue')
}

async function freezePair(
  sides: readonly Side[],
  options: StopOptions & { repetitions: number },
  { suite: name }: Place,
): Promise<{ plans: Plan[]; suite: Suite }> {
  return withSuite(name, async (loaded) => {
    const now = systemClock.now()
    const built: Plan[] = []
    for (const { run } of sides) {
      const request = { ...run, settings: readSettings(run) } as PlanOptions
      built.push((await buildPlan(request, loaded, now)).plan)
    }
    const [a, b] = built as [Plan, Plan]
    const digest = digestPair(a, b)
    const plans = [a, b].map((plan, at) => {
      const { planDigest: _, frozenAt: __, schemaVersion: ___, ...draft } = plan
      const side: StopSide = at === 0 ? 'a' : 'b'
      const stop = readStop(options, draft, { digest, side })
      return freezePlan({ ...draft, ...(stop && { stop }) }, { now })
    })
    return { plans, suite: loaded.suite }
  })
}

async function writePlan(plan: Plan, { name }: Side, { folder }: Place): Promise<string> {
  const path = join(folder, `${name}.plan.json`)
  await writeAtomic(path, `${JSON.stringify(plan, null, 2)}\n`)
  return path
}

/** Removes the options that the frozen plan contains. */
function withoutPlan({ subject: _, model: __, repetitions: ___, ...run }: RunOptions): RunOptions {
  return run
}

function decisionOf(sides: readonly Side[], suite: Suite): StopDecision | null {
  const bundles: Bundle[] = sides
    .map(({ run }) => join(run.out, 'result.json'))
    .filter(existsSync)
    .map(readBundle)
  const { rows } = boardOfResults(bundles, suite, 'local')
  return rows.find(({ stop }) => stop?.side === 'a')?.stop ?? null
}
