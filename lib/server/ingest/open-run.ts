import { z } from 'zod'
import type { DbOrTx } from '../../db/open-db.ts'
import { findRun } from '../../db/run-store.ts'
import { findSuite, findSuiteVersion } from '../../db/suite-store.ts'
import { findShippedLookAlike, IDENTITY_FIELDS } from '../../domain/eligibility/shipped-subjects.ts'
import { findHidden } from '../../domain/eligibility/skeleton.ts'
import { reportedSuiteId } from '../../domain/formats/build-reported.ts'
import type { IncomingEpisode, Refusal } from '../../domain/formats/judge-incoming.ts'
import { bundleSchema, findMisfits } from '../../domain/record/bundle.ts'
import type { Digest } from '../../domain/record/digest.ts'
import type { Episode } from '../../domain/record/episode.ts'
import { type Shard, shardSchema } from '../../domain/record/expand-plan.ts'
import { digestPlan, isFrozen, type Plan, planSchema } from '../../domain/record/plan.ts'
import { formatIssues, type ParseResult, type Problem } from '../../domain/record/problem.ts'
import type { Subject } from '../../domain/record/subject.ts'
import {
  digestSuite,
  kindsOf,
  listKinds,
  REPORTED_PROTOCOL_VERSION,
} from '../../domain/tasks/suite.ts'
import type { IncomingRun } from './format.ts'
import type { StoredFile } from './unpack-archive.ts'

const runIdSchema = z.string().regex(/^run_[0-9a-z]{8,40}$/, 'is not a run id')
const restSchema = bundleSchema.pick({ schemaVersion: true, lock: true }).extend({
  episodes: z.array(z.never(), 'expected a list of episodes'),
})
const wholeShardSchema = shardSchema
  .refine(({ index, count }) => index <= count, 'names a shard that does not exist')
  .nullish()

export type OpenContext = { db: DbOrTx; now: Date; shard?: Shard | undefined }
/** Clocks of two machines differ by this much at most. */
export const CLOCK_SKEW_MS = 10 * 60_000

/** A run of an upload before its episodes are read: its name, its plan and part, and the suite it is about. */
export async function openRun(
  incoming: IncomingRun,
  saidRunId: unknown,
  context: OpenContext,
): Promise<ParseResult<InspectedRun>> {
  const runId = runIdSchema.safeParse(saidRunId)
  if (!runId.success) return refuse('runId', 'is not a run id')
  const problems = checkRest(incoming)
  if (problems.length > 0) return { ok: false, problems }
  const kept = await findRun(context.db, runId.data)
  const plan = readPlan(incoming.plan, kept?.plan ?? null, runId.data)
  if (!plan.ok) return plan
  const misfits = findBundleMisfits(incoming, plan.value)
  if (misfits.length > 0) return { ok: false, problems: misfits }
  const shard = wholeShardSchema.safeParse(incoming.shard)
  if (!shard.success) return refuse('shard', shard.error.issues[0]?.message ?? 'is not a shard')
  const { frozenAt } = plan.value
  const latest = context.now.getTime() + CLOCK_SKEW_MS
  if (frozenAt !== null && Date.parse(frozenAt) > latest)
    return refuse('plan.frozenAt', 'is in the future')
  const suite = await placeSuite(context.db, plan.value)
  if (!suite.ok) return suite
  return {
    ok: true,
    value: {
      runId: runId.data,
      path: incoming.path,
      plan: plan.value,
      hasOwnPlan: incoming.plan !== null,
      shard: wholeAsNull(context.shard ?? shard.data ?? kept?.shard ?? null),
      suite: suite.value,
      episodes: [],
      subjects: new Map(),
      notes: incoming.notes ?? [],
    },
  }
}

function checkRest({ rest }: IncomingRun): Problem[] {
  if (Object.keys(rest).length === 0) return []
  const version = rest.schemaVersion
  if (typeof version === 'number' && version > 2) {
    const message = `version ${version} is newer than this program reads (2): update Proofboard`
    return [{ path: 'schemaVersion', message }]
  }
  const parsed = restSchema.safeParse(rest)
  return parsed.success ? [] : formatIssues(parsed.error.issues)
}

/** Whether what a bundle says besides goes with its plan; nothing is said outside of one. */
function findBundleMisfits({ rest }: IncomingRun, plan: Plan): Problem[] {
  const parsed = restSchema.safeParse(rest)
  return parsed.success ? findMisfits({ ...parsed.data, plan }) : []
}

function readPlan(said: unknown, kept: Plan | null, runId: string): ParseResult<Plan> {
  if (said === null) {
    if (kept) return { ok: true, value: kept }
    return refuse(
      'plan',
      `run ${runId} is not stored here: upload its result.json, which contains the plan`,
    )
  }
  const parsed = planSchema.safeParse(said)
  if (!parsed.success) {
    const problems = formatIssues(parsed.error.issues)
    return { ok: false, problems: problems.map((p) => ({ ...p, path: `plan.${p.path}` })) }
  }
  if (digestPlan(parsed.data) !== parsed.data.planDigest)
    return refuse('plan.planDigest', 'does not match the plan: it was edited after it was frozen')
  // What is stored already keeps its name, and may be uploaded again.
  const misnamed = kept ? null : findMisnamed(parsed.data.subject)
  return misnamed ? { ok: false, problems: [misnamed] } : { ok: true, value: parsed.data }
}

/** What is known here of the suite; a plan that names a version known here has to hold its tasks. */
async function placeSuite(db: DbOrTx, plan: Plan): Promise<ParseResult<InspectedRun['suite']>> {
  const renamed = findRenamed(plan)
  if (renamed) return refuse('plan.suiteId', renamed)
  const suite = await findSuiteVersion(db, plan.suiteDigest)
  if (!suite) return { ok: true, value: isFrozen(plan) ? 'unknown' : 'told' }
  if (suite.suiteId !== plan.suiteId)
    return refuse('plan.suiteId', `is not the suite of this digest, which is ${suite.suiteId}`)
  const tasks = new Map(suite.tasks.map((task) => [task.taskId, task]))
  const index = plan.tasks.findIndex(({ taskId, digest, category }) => {
    const task = tasks.get(taskId)
    return task?.digest !== digest || task.category !== category
  })
  if (index !== -1)
    return refuse(`plan.tasks.${index}`, 'is not this task as that version of the suite has it')
  const taken = kindsOf(suite)
  if (!taken.includes(plan.subject.kind))
    return refuse(
      'plan.subject.kind',
      `is ${plan.subject.kind}, and ${suite.suiteId} measures only ${listKinds(taken)}`,
    )
  const current = await findSuite(db, plan.suiteId)
  return { ok: true, value: current?.digest === suite.digest ? 'current' : 'earlier' }
}

/** A reported set of tasks gets the name that its tasks give it, and so never one of ours. */
function findRenamed(plan: Plan): string | null {
  if (isFrozen(plan)) return null
  const digest = digestSuite(plan.tasks, REPORTED_PROTOCOL_VERSION)
  const suiteId = reportedSuiteId(plan.dataset.name, digest)
  if (plan.suiteDigest === digest && plan.suiteId === suiteId) return null
  return `is not the name that its data set and tasks give it, which is ${suiteId}`
}

/** A name that is unreadable, or that would be mistaken for one that comes with Proofboard. */
function findMisnamed(subject: Subject): Problem | null {
  for (const [field] of IDENTITY_FIELDS) {
    const hidden = findHidden(subject[field] ?? '')
    if (hidden !== null) return { path: `plan.subject.${field}`, message: hidden }
  }
  const alike = findShippedLookAlike(subject.name)
  if (alike === null) return null
  const message = `looks like ${alike}, which comes with Proofboard: choose another name`
  return { path: 'plan.subject.name', message }
}

function wholeAsNull(shard: Shard | null): Shard | null {
  return shard && shard.count > 1 ? shard : null
}

function refuse(path: string, message: string): ParseResult<never> {
  return { ok: false, problems: [{ path, message }] }
}

type Match = { matched: MatchedFile[]; wrong: string[]; missing: number }

/** Holds an envelope's list of evidence against the files that came along: by path, and then by digest and size. */
export function matchEvidence(episode: Episode, findEvidence: IncomingRun['findEvidence']): Match {
  const match: Match = { matched: [], wrong: [], missing: 0 }
  const seen = new Set<string>()
  for (const { path, digest, sizeBytes } of episode.evidence) {
    const stored = findEvidence?.(episode, path)
    if (!stored) match.missing++
    else if (stored.digest !== digest || stored.sizeBytes !== sizeBytes) match.wrong.push(path)
    else if (!seen.has(path)) match.matched.push({ path, stored })
    seen.add(path)
  }
  return match
}

/** One evidence file of an episode that was received whole: its path beside the envelope, and where it is now. */
export type MatchedFile = { path: string; stored: StoredFile }

/** A run of an upload, read whole, whether or not it is stored here already. */
export type InspectedRun = {
  runId: string
  path: string
  plan: Plan
  /** A plan came along; false = the one that is stored here was used. */
  hasOwnPlan: boolean
  shard: Shard | null
  /** `told`: not known so far, and described whole by the plan of another program: it is stored with the run. */
  suite: 'current' | 'earlier' | 'unknown' | 'told'
  episodes: IncomingEpisode[]
  subjects: Map<string, Subject>
  notes: readonly string[]
}

/** Everything an upload holds, checked as far as can be without knowing which episodes are stored. */
export type Inspected = {
  format: string
  runs: InspectedRun[]
  rejected: (Refusal & { runId: string | null })[]
  /** Evidence by episode. */
  files: Map<string, MatchedFile[]>
  evidence: { wrong: number; extra: number }
}

/** A seal as a part of a folder's name. */
export function sealName(episodeId: string, seal: Digest | string): string {
  return `${episodeId}.${seal.replace('sha256:', '')}`
}
