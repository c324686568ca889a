import type { DbOrTx } from '../../db/db.ts'
import { findRegistrationOfRun } from '../../db/plan-store.ts'
import { findRun } from '../../db/run-store.ts'
import { findSuite, findSuiteVersion } from '../../db/suite-store.ts'
import type { Digest } from '../../domain/digest/index.ts'
import { findHidden, findImitatedSubject, IDENTITY_FIELDS } from '../../domain/eligibility/index.ts'
import { lacksZone, reportedSuiteId } from '../../domain/formats/index.ts'
import { CLOCK_TOLERANCE_MS } from '../../domain/ledger/index.ts'
import {
  type AnyEpisode,
  type AnyPlan,
  BUNDLE_KIND,
  isFrozen,
  isMeasured,
  parseBundleHead,
  parseRunHead,
  planMembership,
  type RunHead,
  refuseBaseline,
  refuseStop,
  refuseTwice,
  runIdSchema,
  type Shard,
} from '../../domain/record/index.ts'
import {
  digestSuite,
  kindsOf,
  listKinds,
  REPORTED_PROTOCOL_VERSION,
} from '../../domain/tasks/index.ts'
import { type ParseResult, type Problem, refuseInput } from '../../domain/text/index.ts'
import type { IncomingRun, InspectedRun, MatchedFile } from './format.ts'

export type OpenContext = { db: DbOrTx; now: Date; shard?: Shard | undefined }
/** Maximum difference of two machines' clocks. */
const CLOCK_SKEW_MS = 10 * 60_000
/** Maximum lead of a local time that is read as UTC, east of Greenwich. */
const EASTERNMOST_MS = 14 * 3_600_000

/** Returns how far the times of an episode may be ahead of this machine's clock, in milliseconds. */
export function clockTolerance(episode: AnyEpisode): number {
  if (isMeasured(episode) || episode.escrow) return CLOCK_TOLERANCE_MS
  return CLOCK_SKEW_MS + (lacksZone(episode.source.untold) ? EASTERNMOST_MS : 0)
}

/**
 * Returns a check whether an episode belongs to a run. Only a folder that was checked here can be in escrow, so no
 * envelope can say it of itself.
 */
export function membershipOf(
  { plan, runId }: Pick<InspectedRun, 'plan' | 'runId'>,
  { escrowedAt }: IncomingRun,
): (episode: AnyEpisode) => Problem | null {
  const findStranger = planMembership(plan, runId)
  return (episode) =>
    escrowedAt === undefined && !isMeasured(episode) && episode.escrow
      ? { path: 'escrow', message: 'is only for a job folder: submit the folder and its plan' }
      : findStranger(episode)
}

/** Reads a run of an upload without its episodes: its id, plan, shard and suite. */
export async function openRun(
  incoming: IncomingRun,
  saidRunId: unknown,
  context: OpenContext,
): Promise<ParseResult<InspectedRun>> {
  const runId = runIdSchema.safeParse(saidRunId)
  if (!runId.success) return refuseInput('is not a run id', 'runId')
  const kept = await findRun(context.db, runId.data)
  const head = readHead(incoming, runId.data, kept?.plan ?? null)
  if (!head.ok) return head
  const { plan, shard } = head.value
  // A stored run keeps its name, and may be sent again.
  const misnamed = kept ? null : findMisnamed(plan)
  if (misnamed) return { ok: false, problems: [misnamed] }
  const { frozenAt } = plan
  const latest = context.now.getTime() + CLOCK_SKEW_MS
  if (frozenAt !== null && Date.parse(frozenAt) > latest)
    return refuseInput('is in the future', 'plan.frozenAt')
  const unescrowed = await findUnregistered(context.db, plan, {
    runId: runId.data,
    startedAt: incoming.escrowedAt,
  })
  if (unescrowed) return { ok: false, problems: [unescrowed] }
  const suite = await placeSuite(context.db, plan)
  if (!suite.ok) return suite
  return {
    ok: true,
    value: {
      runId: runId.data,
      path: incoming.path,
      plan,
      hasOwnPlan: incoming.plan !== null,
      shard: wholeAsNull(context.shard ?? shard ?? kept?.shard ?? null),
      suite: suite.value,
      episodes: [],
      subjects: new Map(),
      notes: [...(incoming.notes ?? [])],
    },
  }
}

/** A run of another harness is stored only under the plan that was registered before it started. */
async function findUnregistered(
  db: DbOrTx,
  plan: AnyPlan,
  { runId, startedAt }: { runId: string; startedAt: string | undefined },
): Promise<Problem | null> {
  if (!isFrozen(plan) || plan.escrow === undefined) return null
  const path = 'plan.escrow'
  if (startedAt === undefined)
    return { path, message: `is a plan for ${plan.escrow.harness}: submit the job folder itself` }
  const registered = await findRegistrationOfRun(db, runId)
  if (registered === null)
    return { path, message: `refused (unregistered): ${runId} was not registered here` }
  if (registered.action.target !== plan.planDigest)
    return { path, message: `refused (plan-changed): ${runId} was registered with another plan` }
  return Date.parse(startedAt) < Date.parse(registered.at) - CLOCK_TOLERANCE_MS
    ? { path, message: 'refused (started-early): the job started before it was registered' }
    : null
}

/** Reads the run's plan and shard from the upload; without a plan, the run has to be stored here. */
function readHead(
  { plan: record, shard, rest }: IncomingRun,
  runId: string,
  kept: AnyPlan | null,
): ParseResult<RunHead> {
  const plan = record ?? kept
  if (plan === null) {
    const message = `run ${runId} is not stored here: upload its result.json, which contains the plan`
    return refuseInput(message, 'plan')
  }
  return rest === null
    ? parseRunHead({ runId, plan, shard })
    : parseBundleHead({ ...rest, kind: BUNDLE_KIND, runId, plan, shard })
}

/** Classifies the suite of a plan; a plan that names a version known here has to contain its tasks. */
async function placeSuite(db: DbOrTx, plan: AnyPlan): Promise<ParseResult<InspectedRun['suite']>> {
  const renamed = findRenamed(plan)
  if (renamed) return refuseInput(renamed, 'plan.suiteId')
  const suite = await findSuiteVersion(db, plan.suiteDigest)
  if (!suite) return { ok: true, value: isFrozen(plan) ? 'unknown' : 'reported' }
  if (suite.suiteId !== plan.suiteId)
    return refuseInput(`is not the suite of this digest, which is ${suite.suiteId}`, 'plan.suiteId')
  const tasks = new Map(suite.tasks.map((task) => [task.taskId, task]))
  const index = plan.tasks.findIndex(({ taskId, digest, category }) => {
    const task = tasks.get(taskId)
    return task?.digest !== digest || task.category !== category
  })
  if (index !== -1)
    return refuseInput(
      'is not this task as that version of the suite has it',
      `plan.tasks.${index}`,
    )
  const taken = kindsOf(suite)
  if (!taken.includes(plan.subject.kind))
    return refuseInput(
      `is ${plan.subject.kind}, and ${suite.suiteId} measures only ${listKinds(taken)}`,
      'plan.subject.kind',
    )
  const current = await findSuite(db, plan.suiteId)
  return { ok: true, value: current?.digest === suite.digest ? 'current' : 'earlier' }
}

/**
 * Returns an error unless a suite reported by another program has the id derived from its tasks, which never equals one
 * of Proofboard's.
 */
function findRenamed(plan: AnyPlan): string | null {
  if (isFrozen(plan)) return null
  const digest = digestSuite(plan.tasks, REPORTED_PROTOCOL_VERSION)
  const suiteId = reportedSuiteId(plan.dataset.name, digest)
  if (plan.suiteDigest === digest && plan.suiteId === suiteId) return null
  return `is not the name that its data set and tasks give it, which is ${suiteId}`
}

/** Returns an error for a name that is unreadable, or could be confused with one that comes with Proofboard. */
function findMisnamed(plan: AnyPlan): Problem | null {
  const { subject } = plan
  const baseline = isFrozen(plan) ? refuseBaseline(plan) : null
  if (baseline) return { path: 'plan.arms', message: baseline }
  const twice = isFrozen(plan) ? refuseTwice(plan) : null
  if (twice) return { path: 'plan.tasks', message: twice }
  const stop = isFrozen(plan) ? refuseStop(plan) : null
  if (stop) return { path: 'plan.stop', message: stop }
  for (const [field] of IDENTITY_FIELDS) {
    const hidden = findHidden(subject[field] ?? '')
    if (hidden !== null) return { path: `plan.subject.${field}`, message: hidden }
  }
  const alike = findImitatedSubject(subject.name)
  if (alike === null) return null
  const message = `looks like ${alike}, which is included in Proofboard: choose another name`
  return { path: 'plan.subject.name', message }
}

function wholeAsNull(shard: Shard | null): Shard | null {
  return shard && shard.count > 1 ? shard : null
}

type Match = { matched: MatchedFile[]; wrong: string[]; missing: number }

/** Matches an envelope's list of evidence with the uploaded files: by path, then by digest and size. */
export function matchEvidence(
  episode: AnyEpisode,
  findEvidence: IncomingRun['findEvidence'],
): Match {
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

/** Formats a seal as a part of a folder's name. */
export function sealName(episodeId: string, seal: Digest | string): string {
  return `${episodeId}.${seal.replace('sha256:', '')}`
}
