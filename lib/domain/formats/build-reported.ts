import { type Digest, digestBytes, digestJson } from '../digest/index.ts'
import {
  digestPlan,
  groupBy,
  identifyEpisode,
  REPORTED_SCHEMA_VERSION,
  type ReportedBody,
  type ReportedEpisode,
  type ReportedPlan,
  reportedPlanSchema,
  type Subject,
  sealReported,
} from '../record/index.ts'
import type { RowSettings } from '../settings/index.ts'
import {
  digestSuite,
  REPORTED_PROTOCOL_VERSION,
  type Suite,
  UNKNOWN_EXERCISE,
} from '../tasks/index.ts'
import type { ReportedAttempt, ReportedRun } from './reported-run.ts'

type BuiltRun = {
  runId: string
  plan: ReportedPlan
  /** In the order of the record; sealed on demand, since there may be many thousands. */
  attempts: readonly { taskId: string; seal: () => ReportedEpisode }[]
}

/** Settings of a reported run: all unknown. */
const UNREPORTED_SETTINGS: RowSettings = {
  timeoutMs: null,
  maxSteps: null,
  maxTokens: null,
  maxCostMicroUsd: null,
  temperature: null,
  isolation: null,
  diskQuotaBytes: null,
  maxAttempts: null,
  seed: null,
}

const UNREPORTED_WALL: ReportedBody['effort']['wall'] = {
  prepareMs: null,
  subjectMs: null,
  restoreMs: null,
  verifyMs: null,
  evidenceMs: null,
  totalMs: null,
}

const UNREPORTED_TASK = 'unknown'

/**
 * Converts another program's run into a plan that lists its parts and one sealed envelope per attempt, with null for
 * whatever the record lacks. The same record gives the same bytes. `identity` names the run, so a record changed since
 * conflicts with the first, and a record of another run is another run.
 */
export function buildReported(run: ReportedRun): BuiltRun {
  const runId = `run_${digestJson([run.format, ...run.identity]).slice('sha256:'.length, 'sha256:'.length + 32)}`
  const plan = buildPlan(run)
  const tasks = new Map(plan.tasks.map((task) => [task.taskId, task]))
  const attempts = run.attempts.map((attempt) => {
    const task = tasks.get(slugOf(attempt.task.name))
    if (!task) throw new Error(`no planned task for ${attempt.task.name}`)
    const seal = () => sealReported(describeReported(run, attempt, { runId, plan, task }))
    return { taskId: task.taskId, seal }
  })
  return { runId, plan, attempts }
}

function buildPlan(run: ReportedRun): ReportedPlan {
  const { name, version, provider, model } = run.subject
  const subject: Subject = {
    kind: 'agent',
    name: subjectNameOf(name),
    version,
    adapterVersion: null,
    provider,
    modelRequested: model,
  }
  const tasks = listTasks(run)
  const suiteDigest = digestSuite(tasks, REPORTED_PROTOCOL_VERSION)
  const plan: ReportedPlan = {
    schemaVersion: 2,
    planDigest: suiteDigest,
    frozenAt: null,
    suiteId: reportedSuiteId(run.dataset.name, suiteDigest),
    suiteDigest,
    tasks,
    subject,
    command: null,
    repetitions: Math.max(...run.attempts.map(({ repetition }) => repetition)),
    settings: { ...UNREPORTED_SETTINGS, ...run.settings },
    policyVersion: null,
    dataset: run.dataset,
  }
  return reportedPlanSchema.parse({ ...plan, planDigest: digestPlan(plan) })
}

/** Lists each task once, in the order of the record, with its number of repetitions. */
function listTasks({ format, dataset, attempts }: ReportedRun): ReportedPlan['tasks'] {
  const max = Math.max(...attempts.map(({ repetition }) => repetition))
  return [...groupBy(attempts, ({ task }) => task.name)].map(([name, own]) => {
    const { checksum = null, category = null } = own[0]?.task ?? {}
    const planned = {
      taskId: slugOf(name),
      digest: digestTask({ format, dataset, name, checksum }),
      category: (category ?? UNREPORTED_TASK).slice(0, 60),
      title: name.slice(0, 200),
    }
    const repetitions = [...new Set(own.map(({ repetition }) => repetition))].sort((a, b) => a - b)
    return repetitions.length === max ? planned : { ...planned, repetitions }
  })
}

/** Digest of a task that is known by name alone, or by the checksum that the program reports; its bytes are unknown. */
function digestTask(task: {
  format: string
  dataset: ReportedRun['dataset']
  name: string
  checksum: string | null
}): Digest {
  return digestJson({ reported: task })
}

type Place = {
  runId: string
  plan: Pick<ReportedPlan, 'planDigest' | 'suiteId' | 'suiteDigest' | 'subject' | 'settings'>
  task: Pick<ReportedPlan['tasks'][number], 'taskId' | 'digest' | 'category'>
}

type DescribedRun = Pick<
  ReportedRun,
  'format' | 'formatVersion' | 'harness' | 'url' | 'untold' | 'startedAt' | 'endedAt'
>

/** Describes one attempt of a run as the body of an envelope. */
export function describeReported(
  run: DescribedRun,
  attempt: ReportedAttempt,
  { runId, plan, task }: Place,
): ReportedBody {
  const { repetition } = attempt
  const { planDigest, suiteId, suiteDigest, subject, settings } = plan
  const { taskId, digest: taskDigest, category } = task
  const named = { runId, planDigest, taskDigest, repetition, attempt: 1 }
  const body: ReportedBody = {
    schemaVersion: REPORTED_SCHEMA_VERSION,
    episodeId: identifyEpisode({ ...named, subject }),
    ...named,
    suiteId,
    suiteDigest,
    taskId,
    category,
    previousAttempt: null,
    source: sourceOf(run, attempt),
    subject: { ...subject, modelObserved: [...attempt.modelObserved], settings },
    environment: null,
    mode: 'reported',
    startedAt: attempt.times?.startedAt ?? run.startedAt,
    endedAt: attempt.times?.endedAt ?? run.endedAt,
    outcome: attempt.outcome,
    failureCategory: attempt.failureCategory,
    contract: null,
    agentSuccess: attempt.agentSuccess,
    testSuccess: attempt.testSuccess,
    overallSuccess: attempt.overallSuccess,
    exit: {
      subject: { code: attempt.exitCode, signal: null },
      gate: { code: null, signal: null },
    },
    effort: effortOf(attempt),
    usage: attempt.usage,
    fault: null,
    integrity: null,
    evidence: [...attempt.evidence],
  }
  return body
}

function sourceOf(run: DescribedRun, attempt: ReportedAttempt): ReportedBody['source'] {
  const { format, formatVersion, harness, url, untold } = run
  return {
    format,
    formatVersion,
    harness,
    url,
    untold: [...untold],
    recordDigest: attempt.recordDigest,
    recordName: attempt.recordName.slice(0, 300),
    times: attempt.times === null ? 'run' : 'attempt',
    score: attempt.score,
  }
}

function effortOf({ steps, toolCalls, retries, wall }: ReportedAttempt): ReportedBody['effort'] {
  return {
    steps,
    toolCalls,
    firstTool: null,
    noProgress: [],
    retries: { subject: null, gateway: null, harness: retries },
    wall: { ...UNREPORTED_WALL, ...wall },
  }
}

const MARK = 8
const MAX_SLUG_CHARS = 80

/**
 * Converts an untrusted name to a valid id: `15815_1` stays, `Two Fer/α` becomes `two-fer-1f0c22ab`. Changed names
 * carry a part of the original's digest, so that different names give different ids.
 */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
  if (slug === name && slug !== '' && slug.length <= MAX_SLUG_CHARS) return slug
  return marked(slug || 'task', digestBytes(name))
}

/** A subject's name as used in rows and addresses; letters keep their case. */
function subjectNameOf(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return plain.slice(0, MAX_SLUG_CHARS) || 'unnamed'
}

/**
 * Id of another program's set of tasks: its name, and a part of the digest of its tasks. Two sets therefore never share
 * a board, whatever their names, and none can take the name of a suite of this server.
 */
export function reportedSuiteId(dataset: string, digest: Digest): string {
  const slug = dataset
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
  return marked(slug || 'tasks', digest)
}

function marked(slug: string, digest: Digest): string {
  const mark = digest.slice('sha256:'.length, 'sha256:'.length + MARK)
  return `${slug.slice(0, MAX_SLUG_CHARS - MARK - 1).replace(/[-.]+$/, '')}-${mark}`
}

/** Longer titles are cut. */
const MAX_TITLE_CHARS = 200

/** The set of tasks of a reported plan, as far as reported: names and digests, no texts. */
export function reportedSuite(plan: ReportedPlan): Suite {
  const { suiteId, suiteDigest, dataset } = plan
  const name = dataset.version === null ? dataset.name : `${dataset.name} ${dataset.version}`
  return {
    suiteId,
    kind: 'reported',
    title: name.slice(0, MAX_TITLE_CHARS),
    description:
      'Measured by another program: its tasks are known here by their names, from its results, and nothing of it can be run here.',
    version: (dataset.version ?? 'unknown').slice(0, 40) || 'unknown',
    protocolVersion: REPORTED_PROTOCOL_VERSION,
    source: null,
    digest: suiteDigest,
    tasks: plan.tasks.map(({ taskId, digest, category, title }) => ({
      ...UNKNOWN_EXERCISE,
      kind: 'reported' as const,
      taskId,
      digest,
      title,
      category,
    })),
  }
}
