import { z } from 'zod'
import {
  type EpisodeFact,
  groupBy,
  isModel,
  modelLabel,
  roleOfModel,
  type Subject,
  sumKnown,
} from '../record/index.ts'
import { formatShare } from '../text/index.ts'

export const modelSharesSchema = z.object({
  of: z.enum(['tokens', 'calls']),
  models: z.array(
    z.object({
      model: z.string(),
      role: z.enum(['pinned', 'secondary', 'other']),
      share: z.number(),
    }),
  ),
})
export type ModelShares = z.infer<typeof modelSharesSchema>

type Part = Omit<ModelSums, 'subject' | 'model'> & {
  model: string
  role: Share['role']
  isOwnName: boolean
}
/** Usage of one model; null = no name was given, or not every count of tokens is known. */
export type ModelSums = {
  subject: Subject
  model: string | null
  calls: number
  tokens: number | null
}

/**
 * Returns the models that responded in these episodes with their shares; undefined if only the pinned one did, by its
 * own name.
 */
export function shareModels(counted: readonly EpisodeFact[]): ModelShares | undefined {
  return shareUsage(sumUsage(counted))
}

/** The same for usage that is summed already. */
export function shareUsage(usage: readonly ModelSums[]): ModelShares | undefined {
  const parts = new Map<string, Part>()
  for (const sums of usage) {
    const part = toPart(sums)
    parts.set(part.model, joinPart(parts.get(part.model), part))
  }
  const all = [...parts.values()]
  if (all.every(({ isOwnName }) => isOwnName)) return undefined
  const of = all.some(({ tokens }) => tokens === null) ? 'calls' : 'tokens'
  const total = all.reduce((sum, part) => sum + (part[of] ?? 0), 0)
  const models = all.map((part) => ({
    model: part.model,
    role: part.role,
    share: total === 0 ? 0 : (part[of] ?? 0) / total,
  }))
  return { of, models: models.sort(byShare) }
}

/** Sums by subject and name, each of which is compared with the subject's once. */
export function sumUsage(counted: readonly EpisodeFact[]): ModelSums[] {
  const subjects = groupBy(
    counted,
    ({ subject }) => JSON.stringify(subject),
    (a, b) => a.subject === b.subject,
  )
  return [...subjects.values()].flatMap((own) => {
    const { subject } = own[0] as EpisodeFact
    const sums = new Map<string | null, ModelSums>()
    for (const { models = [] } of own)
      for (const { model, calls, input, output } of models) {
        const sum = sums.get(model) ?? { subject, model, calls: 0, tokens: 0 }
        sums.set(model, sum)
        sum.calls += calls
        sum.tokens = sumKnown([sum.tokens, input, output])
      }
    return [...sums.values()]
  })
}

type Share = ModelShares['models'][number]

/** Largest first; equal ones with the pinned model first, then by name. */
function byShare(a: Share, b: Share): number {
  const isFirst = ({ role }: Share) => Number(role === 'pinned')
  return b.share - a.share || isFirst(b) - isFirst(a) || (a.model < b.model ? -1 : 1)
}

/**
 * All names of the pinned model count as one, under the plan's name for it; a name that is only declared is another.
 */
function toPart({ subject, model, calls, tokens }: ModelSums): Part {
  const own = subject.modelRequested ?? 'unnamed'
  const role = model === null ? 'pinned' : roleOfModel(subject, model)
  const isOwnName = role === 'pinned' && (model === null || isModel(own, model))
  return { model: isOwnName ? own : (model ?? own), role, isOwnName, calls, tokens }
}

function joinPart(known: Part | undefined, part: Part): Part {
  if (known === undefined) return part
  const tokens = sumKnown([known.tokens, part.tokens])
  return { ...part, calls: known.calls + part.calls, tokens }
}

type Shared = { subject: Subject; modelShares?: ModelShares | undefined }

const MAX_NAMED = 4

/**
 * Formats `97 % model-x, 3 % helper-y`, or the plain label if only the pinned model responded. `show` escapes the
 * names, which come from providers.
 */
export function formatModels(
  { subject, modelShares }: Shared,
  show: (text: string) => string,
): string | null {
  const own = modelLabel(subject)
  if (modelShares === undefined) return own
  const { models } = modelShares
  const named = models.slice(0, MAX_NAMED).map(({ model, role, share }) => {
    const isOwn = role === 'pinned' && model === subject.modelRequested
    const name = isOwn ? (own ?? model) : show(model)
    const message = role === 'pinned' && !isOwn ? ` (declared as ${own})` : ''
    return `${formatShare(share)} % ${name}${role === 'other' ? ' (undeclared)' : message}`
  })
  const more = models.length > MAX_NAMED ? [`and ${models.length - MAX_NAMED} more`] : []
  return [...named, ...more].join(', ')
}
