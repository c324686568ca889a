import { z } from 'zod'
import { type PriceUsage, priceGiven } from '../board/index.ts'
import {
  episodeBodySchema,
  isScored,
  type PlanDraft,
  type Subject,
  type usageSchema,
} from '../record/index.ts'
import { readGivenPrice } from '../settings/index.ts'
import type { Task } from '../tasks/index.ts'
import { countOf, listNames } from '../text/index.ts'
import { guessCost, guessTime, type Quote } from './first-guess.ts'
import { predictTotal, type Sample } from './predict-total.ts'

type CostQuestion = {
  plan: Pick<PlanDraft, 'subject' | 'settings'>
  tasks: readonly { taskId: string; episodes: number }[]
  past: readonly PreviousEpisode[]
  /** The suite's data about the tasks, for a first guess. */
  known: readonly Task[]
  /** The price table, passed in so that pages with a quote need not include it. */
  price: PriceUsage
  now: string
}

/**
 * Estimates a plan's cost in micro-dollars: from past cost of the same subject and model, else of the same model, at
 * the same provider and price; else from past tokens at the plan's price, else a first guess by the size of the tasks,
 * else unknown with the reason.
 */
export function quoteCost(request: CostQuestion): Quote {
  const question = { ...request, price: priceOf(request) }
  const { plan, tasks } = question
  // Cost per token says nothing about a subscription.
  if (plan.settings.login !== undefined) return FLAT
  const { kind, modelRequested, name } = plan.subject
  if (modelRequested === null && kind !== 'agent') return callsNoModel(name)
  const limit = plan.settings.maxCostMicroUsd
  const episodes = tasks.reduce((sum, task) => sum + task.episodes, 0)
  const atMost = limit === null ? null : limit * episodes
  for (const { samples, basis } of listSources(question)) {
    // Episodes stop at the plan's own limit.
    const limited = limit === null ? samples : samples.map((one) => limitAmount(one, limit))
    const scaled = predictTotal(limited, tasks)
    if (scaled)
      return { ...limitBand(scaled, atMost), basis: `${basis} ${describeBand(samples)}`, atMost }
  }
  const unknown = { expected: null, low: null, high: null, atMost }
  return guessCost(question, atMost) ?? { ...unknown, basis: whyUnknown(question) }
}

/** Limits the band to the sum of the episodes' limits. */
function limitBand<Band extends { high: number | null }>(band: Band, atMost: number | null): Band {
  const { high } = band
  return high === null || atMost === null ? band : { ...band, high: Math.min(high, atMost) }
}

function limitAmount({ taskId, amount }: Sample, limit: number): Sample {
  return { taskId, amount: Math.min(amount, limit) }
}

const FLAT: Quote = {
  expected: null,
  low: null,
  high: null,
  atMost: null,
  basis: 'Flat: the subscription is paid, not the tokens.',
}

/** The cost of a control or a scripted library is known before its first run. */
function callsNoModel(name: string): Quote {
  return { expected: 0, low: null, high: null, atMost: null, basis: `${name} calls no model.` }
}

/** Returns the price given with the plan, else the table's. */
function priceOf({ plan, price }: CostQuestion): PriceUsage {
  const given = plan.settings.price === undefined ? null : readGivenPrice(plan.settings.price)
  return given === null ? price : (usage) => priceGiven(given, usage)
}

/** Describes the prediction interval; a single task gives none. */
function describeBand(samples: readonly Sample[]): string {
  const tasks = new Set(samples.map(({ taskId }) => taskId)).size
  if (tasks === 1) return 'There is no interval, because only one task was run before.'
  return `95 % of new runs, by the spread within and between ${countOf(tasks, 'task')}.`
}

type Source = { samples: Sample[]; basis: string }

function listSources(question: CostQuestion): Source[] {
  const { plan, past } = question
  const near = findPrecedents(plan.subject, past).flatMap((precedent) => [
    fromRecordedCost(precedent, question),
    fromTokens(precedent, question),
  ])
  if (plan.subject.modelRequested === null) return near
  return [...near, fromTokens(findModelDriven(past), question)]
}

function fromRecordedCost({ description, episodes }: Precedent, { plan }: CostQuestion): Source {
  const samples = episodes.flatMap((one) => {
    const amount = one.usage?.costMicroUsd ?? null
    return amount === null || !isPricedAlike(one, plan) ? [] : [{ taskId: one.taskId, amount }]
  })
  const part =
    samples.length < episodes.length ? `, ${samples.length} of them with a known cost` : ''
  return { samples, basis: `Based on ${description}${part}.` }
}

/** The price of a model differs between providers, and between prices given by users. */
function isPricedAlike({ subject, price }: PreviousEpisode, plan: CostQuestion['plan']): boolean {
  const { provider } = plan.subject
  const isSameProvider =
    provider === null || subject.provider === null || subject.provider === provider
  return isSameProvider && (price ?? null) === (plan.settings.price ?? null)
}

function fromTokens({ description, episodes }: Precedent, question: CostQuestion): Source {
  const { provider, modelRequested: model } = question.plan.subject
  let table = ''
  const samples = episodes.flatMap(({ taskId, usage }) => {
    if (model === null || usage === null) return []
    const priced = question.price({ provider, model, tokens: usage.tokens, at: question.now })
    if (priced.costMicroUsd === null) return []
    table = priced.priceTable ? `${priced.priceTable.id} of ${priced.priceTable.date}` : 'this plan'
    return [{ taskId, amount: priced.costMicroUsd }]
  })
  const basis = `Based on the tokens of ${description} (${samples.length} with known tokens) at the prices of ${model} in ${table}.`
  return { samples, basis }
}

function whyUnknown({ plan }: CostQuestion): string {
  const { modelRequested: model } = plan.subject
  if (model === null)
    return 'No model is given, and no past episode of this agent on this suite has a known cost.'
  return `No past episode of ${model} on this suite has a known cost, and the model is not in the price table.`
}

type TimeQuestion = Pick<CostQuestion, 'plan' | 'tasks' | 'past' | 'known'> & {
  concurrency: number
}

/**
 * Estimates the duration of the run in milliseconds, including set-up and grading: each task with the mean of its past
 * episodes, others with the mean over tasks, `concurrency` at a time. The total is a sum, so a slow episode counts in
 * full, as it does for the cost. Without past episodes, a first guess if a model is used.
 */
export function quoteTime({ plan, tasks, known, past, concurrency }: TimeQuestion): Quote {
  const episodes = tasks.reduce((sum, task) => sum + task.episodes, 0)
  // Concurrency does not make a single episode shorter.
  const atOnce = Math.max(1, Math.min(concurrency, episodes))
  const atMost = Math.ceil(episodes / atOnce) * plan.settings.timeoutMs
  const [precedent] = findPrecedents(plan.subject, past)
  const samples = (precedent?.episodes ?? []).map(({ taskId, wallMs: amount }) => ({
    taskId,
    amount,
  }))
  const scaled = predictTotal(samples, tasks)
  if (!precedent || !scaled) {
    const basis = 'There is no past episode of this agent or model on this suite.'
    const unknown = { expected: null, low: null, high: null, basis, atMost }
    return guessTime({ plan, tasks, known }, { concurrency: atOnce, atMost }) ?? unknown
  }
  return {
    expected: scaled.expected / atOnce,
    low: scaled.low === null ? null : scaled.low / atOnce,
    high: scaled.high === null ? null : scaled.high / atOnce,
    basis: `Based on ${precedent.description}. Grading is included. ${describeBand(samples)}`,
    atMost,
  }
}

/** Past episodes that a quote is based on, and their description. */
type Precedent = { description: string; episodes: readonly PreviousEpisode[] }

/**
 * Past episodes of one suite, nearest to the planned subject first: its own with the same model; the same model driven
 * by others; any that a model drove (only for subjects that a model drives). Empty groups are left out.
 */
function findPrecedents(subject: Subject, past: readonly PreviousEpisode[]): Precedent[] {
  const model = subject.modelRequested
  const sameModel = past.filter((one) => one.subject.modelRequested === model)
  const own = sameModel.filter((one) => one.subject.name === subject.name)
  const precedents = [
    { description: `${countOf(own.length, 'episode')} of ${nameOf(own)}`, episodes: own },
  ]
  if (model !== null) {
    const others = sameModel.filter((one) => one.subject.name !== subject.name)
    const by = listNames(others.map((one) => one.subject.name))
    const description = `${countOf(others.length, 'episode')} of ${model}, driven by ${by}`
    precedents.push({ description, episodes: others })
  }
  return precedents
    .filter(({ episodes }) => episodes.length > 0)
    .map(({ description, episodes }) => ({
      description: `${description} on this suite`,
      episodes,
    }))
}

/** Past episodes driven by any model: their tokens indicate the length of such work. */
function findModelDriven(past: readonly PreviousEpisode[]): Precedent {
  const episodes = past.filter((one) => one.subject.modelRequested !== null)
  const models = listNames(episodes.flatMap((one) => one.subject.modelRequested ?? []))
  const description = `${countOf(episodes.length, 'episode')} of ${models} on this suite`
  return { description, episodes }
}

function nameOf([first]: readonly PreviousEpisode[]): string {
  if (!first) return ''
  const { name, modelRequested } = first.subject
  return modelRequested ? `${name} · ${modelRequested}` : name
}

/** Facts about a scored past episode that a quote needs. */
export type PreviousEpisode = {
  taskId: string
  subject: Pick<Subject, 'name' | 'provider' | 'modelRequested'>
  /** Stated by the user; absent = from the price table. */
  price?: string | undefined
  /** From its start to its last file, including grading. */
  wallMs: number
  usage: z.infer<typeof usageSchema> | null
}

const pastSchema = z.object({
  taskId: episodeBodySchema.shape.taskId,
  subject: z.object({
    name: z.string(),
    provider: z.string().nullable(),
    modelRequested: z.string().nullable(),
    settings: z.object({ price: z.string().optional() }).optional(),
  }),
  outcome: episodeBodySchema.shape.outcome,
  usage: episodeBodySchema.shape.usage,
  // Another program may report only how long the agent ran.
  effort: z.object({
    wall: z.object({
      subjectMs: z.number().nonnegative(),
      totalMs: z.number().nonnegative().nullish(),
    }),
  }),
})

/** Reads the figures of an envelope; null if it was not scored or cannot be read. */
export function previousEpisode(envelope: unknown): PreviousEpisode | null {
  const parsed = pastSchema.safeParse(envelope)
  if (!parsed.success || !isScored(parsed.data.outcome.status)) return null
  const { taskId, subject, usage, effort } = parsed.data
  const { settings, ...who } = subject
  const { subjectMs, totalMs } = effort.wall
  return {
    taskId,
    subject: who,
    usage,
    wallMs: totalMs ?? subjectMs,
    ...(settings?.price !== undefined && { price: settings.price }),
  }
}
