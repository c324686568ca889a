import { z } from 'zod'
import {
  type AnyBundle,
  type AnyEpisode,
  type AnyPlan,
  anyBundleSchema,
  isFrozen,
  isMeasured,
} from './any-record.ts'
import type { Bundle } from './bundle.ts'
import { canonicalJson } from './digest.ts'
import { expandPlan, slotKey } from './expand-plan.ts'
import { digestPlan } from './plan.ts'
import { formatIssues, type ParseResult, type Problem } from './problem.ts'
import { parseAnyEpisode } from './seal.ts'

const shellSchema = anyBundleSchema.extend({ episodes: z.array(z.unknown()) })

/** Reads a bundle whole or refuses it whole, with a path and a message for each problem. Never throws. */
export function parseAnyBundle(input: unknown): ParseResult<AnyBundle> {
  const shell = shellSchema.safeParse(input)
  if (!shell.success) return { ok: false, problems: formatIssues(shell.error.issues) }
  const { plan } = shell.data
  const problems = findMisfits(shell.data)
  if (digestPlan(plan) !== plan.planDigest) {
    problems.push({
      path: 'plan.planDigest',
      message: 'does not match the plan: it was edited after it was frozen',
    })
  }
  const episodes: AnyEpisode[] = []
  shell.data.episodes.forEach((entry, index) => {
    const parsed = parseAnyEpisode(entry)
    if (parsed.ok) episodes.push(parsed.value)
    else
      problems.push(
        ...parsed.problems.map((p) => ({
          path: `episodes.${index}.${p.path}`,
          message: p.message,
        })),
      )
  })
  problems.push(...strangers(plan, shell.data.runId, episodes), ...repeated(episodes))
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, value: { ...shell.data, episodes } }
}

/** The same for a bundle that our runner wrote: what another program reported is refused. */
export function parseBundle(input: unknown): ParseResult<Bundle> {
  const parsed = parseAnyBundle(input)
  if (!parsed.ok) return parsed
  const { plan, lock, episodes: all, ...rest } = parsed.value
  const episodes = all.filter(isMeasured)
  if (isFrozen(plan) && lock !== null && episodes.length === all.length)
    return { ok: true, value: { ...rest, schemaVersion: 1, plan, lock, episodes } }
  const message = 'holds results reported by another program, which were not measured by this one'
  return { ok: false, problems: [{ path: 'schemaVersion', message }] }
}

/** A version of a bundle belongs to a version of its plan, and only a reported one may lack its environment. */
export function findMisfits({
  schemaVersion,
  lock,
  plan,
}: Pick<AnyBundle, 'schemaVersion' | 'lock' | 'plan'>): Problem[] {
  if (schemaVersion !== plan.schemaVersion)
    return [
      {
        path: 'schemaVersion',
        message: `does not go with a plan of version ${plan.schemaVersion}`,
      },
    ]
  if (lock !== null || schemaVersion === 2) return []
  return [{ path: 'lock', message: 'a measured run has its environment' }]
}

function strangers(plan: AnyPlan, runId: string, episodes: readonly AnyEpisode[]): Problem[] {
  const findStranger = planMembership(plan, runId)
  return episodes.flatMap((episode, index) => {
    const problem = findStranger(episode)
    return problem ? [{ ...problem, path: `episodes.${index}.${problem.path}` }] : []
  })
}

function repeated(episodes: readonly AnyEpisode[]): Problem[] {
  const seen = new Set<string>()
  return episodes.flatMap(({ episodeId }, index) => {
    if (!seen.has(episodeId)) {
      seen.add(episodeId)
      return []
    }
    return [{ path: `episodes.${index}.episodeId`, message: 'stands in this bundle twice' }]
  })
}

/** A check whether an episode is one that this run of this plan asked for; null = it is. Made once a run. */
export function planMembership(
  plan: AnyPlan,
  runId: string,
): (episode: AnyEpisode) => Problem | null {
  const digests = new Map(plan.tasks.map((task) => [task.taskId, task.digest]))
  const slots = new Set(expandPlan(plan).map(slotKey))
  const ranAsPlanned = sameSubject(plan)
  const demands: readonly (Problem & { holds: (episode: AnyEpisode) => boolean })[] = [
    {
      path: 'planDigest',
      message: 'belongs to another plan',
      holds: (episode) => episode.planDigest === plan.planDigest,
    },
    {
      path: 'runId',
      message: 'belongs to another run',
      holds: (episode) => episode.runId === runId,
    },
    {
      path: 'suiteDigest',
      message: 'is not the suite that the plan asks for',
      holds: ({ suiteId, suiteDigest }) =>
        suiteDigest === plan.suiteDigest && suiteId === plan.suiteId,
    },
    {
      path: 'taskDigest',
      message: 'is not the planned version of this task',
      holds: ({ taskId, taskDigest }) => digests.get(taskId) === taskDigest,
    },
    {
      path: 'subject',
      message: 'is not the planned subject with the planned settings',
      holds: ranAsPlanned,
    },
    {
      path: 'repetition',
      message: 'is no repetition of the plan',
      holds: (episode) => slots.has(slotKey(episode)),
    },
  ]
  return (episode) => {
    const broken = demands.find(({ holds }) => !holds(episode))
    return broken ? { path: broken.path, message: broken.message } : null
  }
}

function sameSubject(plan: AnyPlan): (episode: AnyEpisode) => boolean {
  const planned = canonicalJson([plan.subject, plan.settings])
  return ({ subject }) => {
    const { settings, modelObserved: _, ...who } = subject
    return canonicalJson([who, settings]) === planned
  }
}
