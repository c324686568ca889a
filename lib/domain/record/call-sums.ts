import type { ModelUsage } from './usage.ts'

/** Fields of a call that its attempt sums up. */
type SummedCall = {
  model: string | null
  modelAsked?: string | null | undefined
  temperature?: number | null | undefined
  tokens: { input: number | null; output: number | null }
  toolCalls: readonly string[]
}

/** Maximum models in an envelope, and maximum requested names of each model. */
export const MAX_MODELS = 50
const MAX_NAMES = 10

/** Sums the billed calls of each model, in order of appearance. */
export function sumModels(calls: readonly SummedCall[]): ModelUsage[] {
  const models = new Map<string | null, ModelUsage>()
  for (const { model, modelAsked, tokens, toolCalls } of calls) {
    const one = models.get(model) ?? emptyUsage(model)
    models.set(model, one)
    one.calls += 1
    if (toolCalls.length > 0) one.toolCalls += 1
    one.input = add(one.input, tokens.input)
    one.output = add(one.output, tokens.output)
    const isNew = (modelAsked ?? null) !== null && !one.asked.includes(modelAsked ?? '')
    if (isNew && one.asked.length < MAX_NAMES) one.asked.push(modelAsked ?? '')
  }
  return [...models.values()].slice(0, MAX_MODELS)
}

function emptyUsage(model: string | null): ModelUsage {
  return { model, asked: [], calls: 0, toolCalls: 0, input: 0, output: 0 }
}

function add(sum: number | null, value: number | null): number | null {
  return sum === null || value === null ? null : sum + value
}

/** Lists the temperatures sent in billed calls, ascending; null = not sent, and comes last. */
export function listTemperatures(calls: readonly SummedCall[]): (number | null)[] {
  const sent = new Set(
    calls.flatMap(({ temperature }) => (temperature === undefined ? [] : [temperature])),
  )
  const order = (value: number | null) => value ?? Number.POSITIVE_INFINITY
  return [...sent].sort((a, b) => order(a) - order(b)).slice(0, MAX_MODELS)
}
