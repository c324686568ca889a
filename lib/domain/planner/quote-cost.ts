import type { PriceUsage } from '../cost/price.ts'
import type { PlanDraft } from '../plan.ts'
import { findModelDriven, findPrecedents, type Precedent } from './find-precedents.ts'
import type { PastEpisode } from './past-episode.ts'
import { type Quote, type Sample, scalePast } from './quote.ts'

export type CostQuestion = {
  plan: Pick<PlanDraft, 'subject' | 'settings'>
  tasks: readonly { taskId: string; episodes: number }[]
  past: readonly PastEpisode[]
  /** The price table, handed in: pages that show a quote need not carry it. */
  price: PriceUsage
  now: string
}

/**
 * What a plan will cost in micro-dollars: by past cost of the same subject and model, else of the same model, else by
 * past tokens at the price table's rates, else unknown with the reason.
 */
export function quoteCost(question: CostQuestion): Quote {
  const { plan, tasks, past } = question
  const limit = plan.settings.maxCostMicroUsd
  const episodes = tasks.reduce((sum, task) => sum + task.episodes, 0)
  const atMost = limit === null ? null : limit * episodes
  for (const { samples, basis } of listSources(question)) {
    const scaled = scalePast(samples, tasks)
    if (scaled) return { ...scaled, basis: `${basis} ${bandWords(samples)}`, atMost }
  }
  const unknown = { expected: null, low: null, high: null, atMost }
  return { ...unknown, basis: whyUnknown(question, past) }
}

/** What the band can tell, which is nothing where one task is all that is known. */
function bandWords(samples: readonly Sample[]): string {
  const tasks = new Set(samples.map(({ taskId }) => taskId)).size
  if (tasks === 1) return 'There is no interval, because only one task was run before.'
  return `95 % interval: bootstrap over ${tasks} tasks.`
}

type Source = { samples: Sample[]; basis: string }

function listSources(question: CostQuestion): Source[] {
  const { plan, past } = question
  const near = findPrecedents(plan.subject, past).flatMap((precedent) => [
    recordedCost(precedent),
    tablePrice(precedent, question),
  ])
  if (plan.subject.modelRequested === null) return near
  return [...near, tablePrice(findModelDriven(past), question)]
}

function recordedCost({ words, episodes }: Precedent): Source {
  const samples = episodes.flatMap(({ taskId, usage }) => {
    const amount = usage?.costMicroUsd ?? null
    return amount === null ? [] : [{ taskId, amount }]
  })
  const part =
    samples.length < episodes.length ? `, ${samples.length} of them with a known cost` : ''
  return { samples, basis: `Based on ${words}${part}.` }
}

function tablePrice({ words, episodes }: Precedent, question: CostQuestion): Source {
  const { provider, modelRequested: model } = question.plan.subject
  let table = ''
  const samples = episodes.flatMap(({ taskId, usage }) => {
    if (model === null || usage === null) return []
    const priced = question.price({ provider, model, tokens: usage.tokens, at: question.now })
    if (priced.costMicroUsd === null) return []
    table = `${priced.priceTable?.id} of ${priced.priceTable?.date}`
    return [{ taskId, amount: priced.costMicroUsd }]
  })
  const basis = `Based on the tokens of ${words} (${samples.length} with known tokens) at the prices of ${model} in ${table}.`
  return { samples, basis }
}

function whyUnknown({ plan, price, now }: CostQuestion, past: readonly PastEpisode[]): string {
  const { provider, modelRequested: model, kind, name } = plan.subject
  if (model === null) {
    return kind === 'agent'
      ? 'Unknown: no model is given, and no past episode of this agent on this suite has a known cost.'
      : `Unknown: ${name} uses no model, and none of its past episodes has a recorded cost.`
  }
  const one = { input: 1, output: 1, cacheRead: null, cacheWrite: null, reasoning: null }
  const isPriced = price({ provider, model, tokens: one, at: now }).costMicroUsd !== null
  if (!isPriced) {
    return `Unknown: no past episode of ${model} on this suite has a known cost, and the model is not in the price table.`
  }
  return findModelDriven(past).episodes.length === 0
    ? `Unknown: ${model} is in the price table, but no past episode on this suite used a model.`
    : `Unknown: ${model} is in the price table, but no past episode on this suite has a token count.`
}
