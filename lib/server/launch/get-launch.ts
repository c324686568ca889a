import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { database } from '../../db/database.ts'
import { listScoredEpisodes } from '../../db/episode-store.ts'
import { type Job, listActiveJobs } from '../../db/job-store.ts'
import { findSuite } from '../../db/suite-store.ts'
import type { LaunchView } from '../../domain/api/index.ts'
import { POLICY_VERSION } from '../../domain/eligibility/index.ts'
import { countShards } from '../../domain/executors/index.ts'
import {
  countPool,
  type Explanation,
  explainPlan,
  findPreviousRow,
} from '../../domain/planner/index.ts'
import { priceUsage } from '../../domain/prices/index.ts'
import {
  type AnyPlan,
  type Arm,
  BASELINE_ARM,
  digestArm,
  isFrozen,
  listArmParts,
  type PlanDraft,
} from '../../domain/record/index.ts'
import {
  checkLaunch,
  chooseTasks,
  forecastWait,
  type LaunchChoices,
  type LaunchFields,
  type LaunchRequest,
  launchAgain,
  type SubjectChoice,
  slotClaim,
  type WaitForecast,
  writeLaunchQuery,
} from '../../domain/runs/index.ts'
import { completeSettings, type Settings } from '../../domain/settings/index.ts'
import { runsBrowser, type Suite } from '../../domain/tasks/index.ts'
import { env } from '../../env.ts'
import { getBoard } from '../board/board.ts'
import { readRunState } from '../live/run-state.ts'
import { readExecutors } from '../remote/executors.ts'
import { checkRequest } from './freeze-launch.ts'
import { listChoices } from './list-choices.ts'
import { getPresets } from './presets.ts'

/** Returns the launch form: the choices, an error for each invalid field, or the explanation. */
export async function getLaunch(requested: LaunchFields, now: Date): Promise<LaunchView> {
  const [{ suite, choices }, presets] = await Promise.all([
    listChoices(requested.suite, now.getTime()),
    getPresets(),
  ])
  const fields = { ...requested, suite: requested.suite || (suite?.suiteId ?? '') }
  const view = { fields, choices, presets, problems: [], explanation: null, wait: null }
  if (choices.suites.length === 0) return view
  const checked = checkRequest(
    fields,
    (request) => checkLaunch(request, choices),
    now.toISOString(),
  )
  if (!checked.ok) return { ...view, problems: checked.problems }
  if (!suite) return view
  const plan = draftOf(checked.request, suite, choices)
  const wait = await forecastLaunch(checked.request, plan, choices)
  const explanation = await explainLaunch({ suite, plan, slots: wait.slots }, now.toISOString())
  return { ...view, explanation, wait }
}

/** Forecasts when the run would start if it were queued now, and how many episodes it would run at once. */
async function forecastLaunch(
  request: LaunchRequest,
  plan: PlanDraft,
  { subjects }: LaunchChoices,
): Promise<WaitForecast> {
  const { concurrency, providerConcurrency: providers } = env()
  const jobs = await listActiveJobs(database())
  const ahead = jobs
    .filter(({ status, priority }) => status === 'queued' && priority >= request.priority)
    .sort((a, b) => b.priority - a.priority || (a.createdAt < b.createdAt ? -1 : 1))
  const claimOf = ({ concurrency: wanted, provider }: Job) => ({ concurrency: wanted, provider })
  const running = jobs.filter(({ status }) => status === 'running')
  const left = await Promise.all(
    running.map(async (job) => {
      const state = job.runId === null ? null : await readRunState(job.runId)
      return { ...claimOf(job), leftMs: state?.left?.highMs ?? null }
    }),
  )
  const queued = ahead.map((job) => ({
    ...claimOf(job),
    jobId: job.jobId,
    isCancelled: job.cancelRequestedAt !== null,
  }))
  const requested = slotClaim({
    isRemote: request.remote !== null,
    concurrency: request.concurrency,
    provider: providerOf(request, subjects),
  })
  const wait = forecastWait(requested, { running: left, queued }, { concurrency, providers })
  return request.remote === null ? wait : { ...wait, slots: countElsewhere(request, plan) }
}

/** Counts the episodes that shards run at once; each shard runs as many as a local run would. */
function countElsewhere({ remote, concurrency }: LaunchRequest, plan: PlanDraft): number {
  const settings = remote === null ? undefined : readExecutors()[remote.executor]
  const shards = countShards(plan, remote?.shards || settings?.shards || 1)
  return concurrency * Math.min(settings?.parallelism ?? shards, shards)
}

/** Returns the named provider, else the first with a key, as the runner chooses; null = no model is used. */
function providerOf(
  { provider, model, subject: name }: LaunchRequest,
  subjects: LaunchChoices['subjects'],
): string | null {
  if (provider !== null || model === null) return provider
  const { providers } = subjects.find((one) => one.name === name) ?? {}
  return providers?.find(({ missingKeys }) => missingKeys === null)?.name ?? null
}

/** Estimates power and cost of the request from earlier results here; freezes nothing. */
async function explainLaunch(
  { suite, plan, slots }: { suite: Suite; plan: PlanDraft; slots: number },
  now: string,
): Promise<Explanation> {
  const board = await getBoard(suite.suiteId)
  return explainPlan({
    plan,
    suite,
    own: findPreviousRow(board?.rows ?? [], plan.subject),
    competitor: null,
    poolRows: countPool(board?.rows ?? [], plan),
    past: await listScoredEpisodes(database(), suite.suiteId),
    price: priceUsage,
    concurrency: slots,
    now,
  })
}

/** Builds the plan as far as it is known before the runner resolves versions. */
function draftOf(request: LaunchRequest, suite: Suite, choices: LaunchChoices): PlanDraft {
  const { subject: name, provider, model, repetitions, pins, fault, isCold } = request
  const { agentVersion, instruction, arms } = request
  const subject = choices.subjects.find((one) => one.name === name)
  const chosen = chooseTasks(request, choices.suite?.tasks ?? []).map(({ taskId }) => taskId)
  const tasks = suite.tasks.filter(({ taskId }) => chosen.includes(taskId))
  return {
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    tasks: tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    subject: {
      kind: subject?.kind ?? 'agent',
      name,
      version: agentVersion ?? subject?.version ?? null,
      adapterVersion: null,
      provider,
      modelRequested: model,
    },
    command: null,
    repetitions,
    ...(arms !== null && { arms: draftArms(arms) }),
    settings: completeSettings({
      ...pins,
      isolation: levelOf(request, choices, subject?.kind),
      fault,
      ...(instruction !== null && { customInstruction: instruction }),
      ...(runsBrowser(suite.kind) && { browser: isCold ? 'cold' : 'reused' }),
    }),
    policyVersion: POLICY_VERSION,
  }
}

/** Builds as many arms as a text lists, which is enough for an estimate; an invalid text gets the minimum. */
function draftArms(text: string): Arm[] {
  const parsed = armNamesSchema.safeParse(readYaml(text))
  const names = parsed.success ? parsed.data.arms.map(({ name }) => name) : []
  const all = new Set([BASELINE_ARM, ...names])
  return [...all].map((name) => {
    const content = { files: [], mcpServers: [], promptPrefix: name }
    return { name, digest: digestArm(content), ...content }
  })
}

const armNamesSchema = z.object({ arms: z.array(z.object({ name: z.string().max(200) })).max(100) })

function readYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 })
  } catch {
    return null
  }
}

/** Returns the level that `auto` resolves to here; the runner reports it again when it freezes the plan. */
function levelOf(
  { isolation }: LaunchRequest,
  choices: LaunchChoices,
  kind: SubjectChoice['kind'] = 'agent',
): Settings['isolation'] {
  if (isolation !== 'auto') return isolation
  return kind === 'agent' ? (choices.isolation?.level ?? 'local') : 'local'
}

/** Returns the query of the launch form with a plan's settings; null = no form can express them. */
export async function getLaunchAgain(plan: AnyPlan): Promise<string | null> {
  if (!isFrozen(plan)) return null
  const fields = launchAgain(plan, await findSuite(database(), plan.suiteId))
  const query = fields && writeLaunchQuery({ ...fields, arms: writeArms(plan.arms ?? []) })
  // Arms whose files make the URL too long are run again from their plan.
  return query !== null && query.length <= MAX_QUERY_CHARACTERS ? query : null
}

const MAX_QUERY_CHARACTERS = 6000

/** Writes arms in the form's syntax; the form adds the empty baseline itself. */
function writeArms(arms: readonly Arm[]): string {
  const given = arms.filter((arm) => arm.name !== BASELINE_ARM || listArmParts(arm).length > 0)
  const written = given.map(writeArm)
  return written.length === 0 ? '' : stringify({ arms: written })
}

function writeArm({ digest: _digest, version: _version, files, mcpServers, ...rest }: Arm) {
  return {
    ...rest,
    ...(files.length > 0 && {
      files: Object.fromEntries(files.map(({ path, ...file }) => [path, file])),
    }),
    ...(mcpServers.length > 0 && {
      mcpServers: Object.fromEntries(mcpServers.map(({ name, ...server }) => [name, server])),
    }),
  }
}
