import { randomBytes } from 'node:crypto'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import {
  BUNDLE_KIND,
  CALLS_FILE,
  type Episode,
  type EpisodeBody,
  entryOf,
  expandPlan,
  freezePlan,
  type GatewayCall,
  gatewayCallSchema,
  identifyEpisode,
  listTemperatures,
  type Plan,
  type PlanDraft,
  type Shard,
  sealEpisode,
  sumModels,
} from '#lib/domain/record/index.ts'
import { packZip, zipFiles } from '../../corpora/pack-zip.ts'
import type { RealAttempt, RealAttempts } from './real-attempts.ts'

export const MODEL = 'model-1'
/** Reported duration of an episode, in milliseconds; real ones take as long, so it has ended when it is sent. */
export const EPISODE_MS = 1200

export type PlanChanges = {
  subject?: Partial<PlanDraft['subject']>
  settings?: Partial<PlanDraft['settings']>
  plan?: Partial<PlanDraft> | ((draft: PlanDraft) => Partial<PlanDraft>)
  frozenAt?: string
}

/** One slot of a run; `status` selects its content. */
export type ForgedSlot = {
  taskId: string
  repetition: number
  attempt: number
  index: number
  /** Absent = the plan has no arms. */
  arm?: string
}
export type ForgedStatus = 'solved' | 'failed' | 'void' | 'cancelled'
export type RunChanges = {
  runId?: string
  shard?: Shard
  /** Start of the first episode; each further one starts a millisecond later. */
  startedAt?: Date
  /** Attempts of one slot, in order; default: one that solved it. */
  attempts?: (place: Omit<ForgedSlot, 'attempt'>) => ForgedStatus[]
  /** Selects the attempts that are sent; default: all. */
  sends?: (place: ForgedSlot) => boolean
  change?: (episode: Episode, place: ForgedSlot) => Partial<EpisodeBody>
  files?: (files: Record<string, string>, place: ForgedSlot) => Record<string, string | null>
  /** Changes an episode after sealing, which its seal must show. */
  spoil?: (episode: Episode) => unknown
  /** The run whose content is copied under this id. */
  contentOf?: string
  /** Copies another attempt's content to this slot. */
  copyOf?: (place: ForgedSlot) => ForgedSlot
}

export type ForgedRun = {
  runId: string
  plan: Plan
  episodes: Episode[]
  /** The run as a folder and as result.json alone. */
  zip: Buffer
  bundle: string
  /** End of the last episode. */
  endsAt: Date
}

/** Another model than the pinned one responded, according to envelope and log of calls. */
export const answeredBy = (model: string): RunChanges => ({
  change: ({ subject, usage }) => ({
    subject: { ...subject, modelObserved: [model] },
    usage: usage && { ...usage, models: usage.models?.map((one) => ({ ...one, model })) },
  }),
  files: (files) => ({ ...files, [CALLS_FILE]: changeCalls(files, () => ({ model })) }),
})

/** Changes each line of the log of calls. */
export function changeCalls(
  files: Readonly<Record<string, string>>,
  change: (call: GatewayCall) => Partial<GatewayCall>,
): string {
  const calls = readCalls(files[CALLS_FILE] ?? '')
  return calls.map((call) => `${JSON.stringify({ ...call, ...change(call) })}\n`).join('')
}

export const newRunId = (): string => `run_${randomBytes(8).toString('hex')}`

/** Changes the real run's plan into one of a live agent without a scripted model. */
export function forgePlan(real: RealAttempts, name: string, changes: PlanChanges = {}): Plan {
  const { plan } = real.bundle
  if (plan.schemaVersion !== 1) throw new Error('a run of ours has a frozen plan')
  const { schemaVersion: _, planDigest: __, frozenAt: ___, ...draft } = plan
  const subject = { ...draft.subject, name, provider: 'anthropic', modelRequested: MODEL }
  return freezePlan(
    {
      ...draft,
      policyVersion: POLICY_VERSION,
      subject: { ...subject, ...changes.subject },
      settings: { ...draft.settings, ...changes.settings },
      ...(typeof changes.plan === 'function' ? changes.plan(draft) : changes.plan),
    },
    { now: changes.frozenAt ?? new Date().toISOString() },
  )
}

/**
 * Makes a run of the plan from real attempts, as a sender who knows every rule would: digests, names and seals are
 * valid, and no two attempts share a time, a log or usage.
 */
export function forgeRun(real: RealAttempts, plan: Plan, changes: RunChanges = {}): ForgedRun {
  const { runId = newRunId(), shard = { index: 1, count: 1 }, startedAt = new Date() } = changes
  const { attempts = () => ['solved'], sends = () => true, spoil = (episode) => episode } = changes
  const texts: Record<string, string> = {}
  const episodes: Episode[] = []
  expandPlan(plan, shard).forEach(({ taskId, repetition, arm }, index) => {
    let previous: Episode | null = null
    attempts({ taskId, repetition, index, ...(arm && { arm }) }).forEach((ending, at) => {
      const place = { taskId, repetition, attempt: at + 1, index, ...(arm && { arm }) }
      const start = new Date(startedAt.getTime() + index + at * EPISODE_MS)
      const made = forgeEpisode({ real, plan, runId, place, ending, start, previous, changes })
      previous = made.episode
      if (!sends(place)) return
      episodes.push(made.episode)
      const folder = `episodes/${taskId}/r${repetition}-a${at + 1}`
      for (const [path, text] of Object.entries(made.files)) texts[`${folder}/${path}`] = text
      texts[`${folder}/episode.json`] = JSON.stringify(spoil(made.episode))
    })
  })
  const [first] = episodes
  const lock = first?.environment ?? null
  const bundle = JSON.stringify({
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId,
    plan,
    shard,
    lock,
    episodes: episodes.map(spoil),
  })
  texts['plan.json'] = JSON.stringify(plan)
  texts['result.json'] = bundle
  const ends = episodes.map(({ endedAt }) => Date.parse(endedAt))
  const endsAt = new Date(Math.max(...ends))
  return { runId, plan, episodes, zip: packZip(zipFiles(texts)), bundle, endsAt }
}

type Forging = {
  real: RealAttempts
  plan: Plan
  runId: string
  place: ForgedSlot
  ending: ForgedStatus
  start: Date
  previous: Episode | null
  changes: RunChanges
}

function forgeEpisode({ real, plan, runId, place, ending, start, previous, changes }: Forging) {
  const { copyOf = (one) => one, change, files: changeFiles } = changes
  const source = copyOf(place)
  const template = findTemplate(real, place, ending)
  const salt = saltOf(changes.contentOf ?? runId, source)
  const startedAt = new Date(start.getTime() - place.index + source.index)
  const relived = relive(template, { salt, startedAt })
  const { seal: _, ...old } = relived.episode
  const entry = entryOf(plan, place.arm ?? plan.subject.arm) ?? plan
  const body: Episode = {
    ...relived.episode,
    runId,
    planDigest: plan.planDigest,
    suiteId: plan.suiteId,
    suiteDigest: plan.suiteDigest,
    taskId: place.taskId,
    repetition: place.repetition,
    attempt: place.attempt,
    mode: 'live',
    taskDigest: plan.tasks.find(({ taskId }) => taskId === place.taskId)?.digest ?? old.taskDigest,
    previousAttempt: previous && { episodeId: previous.episodeId, reason: 'it was void' },
    subject: { ...entry.subject, settings: entry.settings, modelObserved: [MODEL] },
    environment: { ...old.environment, harness: cleanHarness(old.environment.harness) },
    ...(ending === 'void' && VOID),
    ...(ending === 'cancelled' && CANCELLED),
  }
  const ownFiles = pinnedCalls(relived.files, plan)
  const files: Record<string, string> = {}
  for (const [path, text] of Object.entries(changeFiles?.({ ...ownFiles }, place) ?? ownFiles))
    if (text !== null) files[path] = text
  const evidence = body.evidence.map((file) => {
    const text = files[file.path] ?? relived.files[file.path] ?? ''
    return { ...file, digest: digestBytes(text), sizeBytes: Buffer.byteLength(text) }
  })
  const changed = { ...body, evidence, usage: sumUsage(body.usage, ownFiles[CALLS_FILE]) }
  const whole = { ...changed, ...change?.(changed, place) }
  const { seal: __, ...rest } = whole
  return { episode: sealEpisode({ ...rest, episodeId: identifyEpisode(rest) }), files: files }
}

/** Replaces the model in the log of calls by the plan's. */
function pinnedCalls(files: Record<string, string>, { subject, settings }: Plan) {
  if (files[CALLS_FILE] === undefined) return files
  const temperature = typeof settings.temperature === 'number' ? settings.temperature : null
  const pins = { modelAsked: subject.modelRequested, temperature }
  return { ...files, [CALLS_FILE]: changeCalls(files, () => pins) }
}

/** Recomputes the usage as the sum of its calls. */
function sumUsage(usage: Episode['usage'], log: string | undefined): Episode['usage'] {
  if (usage === null || log === undefined) return usage
  const calls = readCalls(log).filter(({ source }) => source !== 'gateway')
  return { ...usage, models: sumModels(calls), temperatures: listTemperatures(calls) }
}

function readCalls(log: string): GatewayCall[] {
  const lines = log.split('\n').filter(Boolean)
  return lines.map((line) => gatewayCallSchema.parse(JSON.parse(line)))
}

const NOTHING = {
  contract: null,
  agentSuccess: false,
  testSuccess: false,
  overallSuccess: false,
} as const
const VOID = {
  ...NOTHING,
  outcome: { status: 'void', fault: 'provider', reason: 'the provider answered 529 three times' },
  failureCategory: 'provider',
} as const
const CANCELLED = {
  ...NOTHING,
  outcome: { status: 'cancelled', reason: 'the run was stopped' },
  failureCategory: 'infrastructure',
} as const

function findTemplate(
  real: RealAttempts,
  { taskId, index }: ForgedSlot,
  ending: ForgedStatus,
): RealAttempt {
  const found = (ending === 'solved' ? real.solved : real.failed).get(taskId) ?? []
  const template = found[index % Math.max(1, found.length)]
  if (!template) throw new Error(`nothing really ran on ${taskId}`)
  return template
}

/** A different number for each attempt of each run. */
function saltOf(runId: string, { taskId, repetition, attempt }: ForgedSlot): number {
  const digest = digestBytes(`${runId}/${taskId}/${repetition}/${attempt}`)
  return Number.parseInt(digest.slice('sha256:'.length, 'sha256:'.length + 6), 16)
}

/** Moves an attempt to another time and changes its usage, so that it differs as a second real attempt would. */
function relive(
  { episode, files }: RealAttempt,
  { salt, startedAt }: { salt: number; startedAt: Date },
) {
  const iso = startedAt.toISOString()
  const input = 4000 + (salt % 900_000)
  const usage = episode.usage && {
    ...episode.usage,
    tokens: {
      ...episode.usage.tokens,
      input: Math.min(input, 400_000),
      output: 700 + (salt % 4001),
    },
  }
  // A real attempt calls its model once, so this call has the envelope's usage.
  const tokens = usage?.tokens
  const calls = changeCalls(files, () => ({
    startedAt: iso,
    model: MODEL,
    ...(tokens && { tokens }),
  }))
  const wall = { ...episode.effort.wall, prepareMs: 60, restoreMs: 1, verifyMs: 400, evidenceMs: 5 }
  const subjectMs = 500 + (salt % 200_000) / 1000
  return {
    files: {
      ...files,
      [CALLS_FILE]: calls,
      'subject.log': `${iso} ${salt}\n${files['subject.log']}`,
    } as Record<string, string>,
    episode: {
      ...episode,
      usage,
      startedAt: iso,
      endedAt: new Date(startedAt.getTime() + EPISODE_MS).toISOString(),
      effort: { ...episode.effort, wall: { ...wall, subjectMs, totalMs: EPISODE_MS } },
    } satisfies Episode,
  }
}

/** A checkout with uncommitted changes would be refused for that alone. */
function cleanHarness(harness: Episode['environment']['harness']) {
  return { ...harness, commit: harness.commit ?? '0'.repeat(40), dirty: false }
}
