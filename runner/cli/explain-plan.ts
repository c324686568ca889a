import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type BoardRow, boardOfResults } from '#lib/domain/board/index.ts'
import type { RuleRefusal } from '#lib/domain/eligibility/index.ts'
import {
  type Alternative,
  aboutDuration,
  countPool,
  describeCost,
  describePlan,
  describeTime,
  type Explanation,
  explainPlan,
  findPool,
  findPreviousRow,
  formatPoints,
  type PowerMetric,
  type PreviousEpisode,
  previousEpisode,
} from '#lib/domain/planner/index.ts'
import { type Bundle, type Plan, parseBundle } from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { countOf, formatCost, present } from '#lib/domain/text/index.ts'
import { usageError } from '../runner-error.ts'
import { readJsonFile } from './input-files.ts'
import { priceOf } from './open-providers.ts'
import { defaultOut } from './open-suite.ts'
import { writeError } from './output.ts'
import { listResultFiles, readBundle } from './read-files.ts'

/** Explains a plan with the data of earlier results on this machine, or of the named ones. */
export function explainPlanFor(
  plan: Plan,
  suite: Suite,
  {
    past: paths,
    concurrency,
    providerFile,
    detect,
    forMicroUsd,
  }: {
    past?: string[]
    concurrency: number
    providerFile?: string
    /** The difference to detect, 0–1, and the budget of both sides. */
    detect?: number
    forMicroUsd?: number
  },
): Explanation {
  const past = readPast(paths ?? null, suite)
  return explainPlan({
    plan,
    suite,
    own: findPreviousRow(past.rows, plan.subject),
    competitor: null,
    poolRows: countPool(past.rows, plan),
    pool: findPool(past.rows, plan),
    ...(detect !== undefined && {
      wanted: { difference: detect, budgetMicroUsd: forMicroUsd ?? null },
    }),
    past: past.episodes,
    price: priceOf(plan, { providerFile: providerFile ?? null }),
    concurrency,
    now: plan.frozenAt,
  })
}

/** Formats an explanation for a terminal: a sentence, the figures with their sources, and the alternatives. */
export function explainText(explanation: Explanation): string {
  const { gate: forecast, assumptions } = explanation
  return present([
    describePlan(explanation),
    explanation.cheapest?.sentence,
    '',
    ...ruleLines('Over the whole suite', forecast.aggregate),
    ...ruleLines('For single tasks', forecast.perTask),
    '',
    `Half-width of the 95 % interval  ${pointsOf(explanation.halfWidth)}`,
    `  ${assumptions.spread}`,
    `Detectable difference, 80 % power ${pointsOf(explanation.detectable)}`,
    `  ${assumptions.difference} The other entry is assumed to have the same tasks and repetitions.`,
    explanation.pool.pairs > 1 &&
      `  The 5 % level is the family-wise error over the ${countOf(explanation.pool.pairs, 'pair')} of ${countOf(explanation.pool.rows, 'ranked entry')} (Holm).`,
    ...quoteLines(explanation),
    '',
    ...tableLines(explanation.alternatives),
    `More repetitions of these tasks cannot detect differences below ${pointsOf(explanation.floor)}.`,
    ...explanation.tasksNeeded.map(
      ({ difference, tasks }) =>
        `To detect ${formatPoints(difference)} with ${countOf(explanation.repetitions, 'repetition')}: ${tasks.value === null ? '–' : countOf(tasks.value, 'task')}.`,
    ),
  ]).join('\n')
}

function ruleLines(what: string, refusals: readonly RuleRefusal[]): string[] {
  if (refusals.length === 0) return [`${what}: can be ranked, if every episode is scored.`]
  return [
    `${what}:`,
    ...refusals.flatMap(({ code, reason, remedy }) => [`  ${code}: ${reason}`, `    ${remedy}`]),
  ]
}

function quoteLines({ cost, time }: Explanation): string[] {
  const most = (amount: string | null) =>
    amount === null ? '' : `, at most ${amount} by its limit`
  const limit = cost.atMost === null ? null : formatCost(cost.atMost)
  const longest = time.atMost === null ? null : aboutDuration(time.atMost)
  return [
    `Cost  ${describeCost(cost) ?? 'unknown'}${most(limit)}`,
    `  ${cost.basis}`,
    `Time  ${describeTime(time) ?? 'unknown'}${most(longest)}`,
    `  ${time.basis}`,
  ]
}

function tableLines(alternatives: readonly Alternative[]): string[] {
  const head = ['repetitions', 'episodes', 'difference', 'half width', 'cost']
  const rows = alternatives.map((one) => [
    `${one.isPlanned ? '> ' : ''}${one.repetitions}`,
    String(one.episodes),
    pointsOf(one.detectable),
    pointsOf(one.halfWidth),
    one.costMicroUsd === null ? '–' : formatCost(one.costMicroUsd),
  ])
  return [head, ...rows].map((cells) => cells.map((cell) => cell.padStart(12)).join('  '))
}

function pointsOf({ value }: PowerMetric): string {
  return value === null ? '–' : formatPoints(value)
}

/** Data of earlier results on a suite for the planner: costs and times of episodes, rows of its current version. */
type Past = { episodes: PreviousEpisode[]; rows: BoardRow[]; results: number }

/**
 * Reads the named results, otherwise those in the data folder. An incomplete one is refused if named; otherwise it is
 * left out and reported.
 */
function readPast(paths: readonly string[] | null, suite: Suite): Past {
  const bundles = paths ? readNamed(paths, suite.suiteId) : readKept(suite.suiteId)
  const present = bundles.filter(({ plan }) => plan.suiteDigest === suite.digest)
  return {
    episodes: bundles.flatMap(({ episodes }) =>
      episodes.flatMap((one) => previousEpisode(one) ?? []),
    ),
    rows: boardOfResults(present, suite, 'local').rows,
    results: bundles.length,
  }
}

function readNamed(paths: readonly string[], suiteId: string): Bundle[] {
  const bundles = paths.flatMap((path) => {
    const files = listResultFiles(path)
    if (files.length === 0) throw usageError(`${path} contains no result.json`)
    return files.map(readBundle)
  })
  const other = bundles.find(({ plan }) => plan.suiteId !== suiteId)
  if (other) {
    throw usageError(
      `${other.runId} is a run of suite ${other.plan.suiteId}, not of ${suiteId}: remove it from --past`,
    )
  }
  return bundles
}

const aboutSchema = z.object({ plan: z.object({ suiteId: z.string() }) })

function readKept(suiteId: string): Bundle[] {
  const folder = dirname(defaultOut('run', suiteId))
  if (!existsSync(folder)) return []
  return listResultFiles(folder).flatMap((file) => {
    const input = readQuietly(file)
    const about = aboutSchema.safeParse(input)
    if (about.success && about.data.plan.suiteId !== suiteId) return []
    const parsed = parseBundle(input)
    if (parsed.ok) return [parsed.value]
    writeError(`ignored: ${file} is not a complete result`)
    return []
  })
}

function readQuietly(file: string): unknown {
  try {
    return readJsonFile(file)
  } catch {
    return null
  }
}
