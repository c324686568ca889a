import { z } from 'zod'
import {
  type EpisodeFact,
  isModel,
  type ModelUsage,
  modelLabel,
  roleOfModel,
  type Subject,
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

type Part = { model: string; role: Share['role']; isOwnName: boolean } & Sums
type Sums = { calls: number; tokens: number | null }

/**
 * Returns the models that responded in these episodes with their shares; undefined if only the pinned one did, by its
 * own name.
 */
export function shareModels(counted: readonly EpisodeFact[]): ModelShares | undefined {
  const parts = new Map<string, Part>()
  for (const { subject, models = [] } of counted)
    for (const one of models) {
      const part = toPart(subject, one)
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

type Share = ModelShares['models'][number]

/** Largest first; equal ones with the pinned model first, then by name. */
function byShare(a: Share, b: Share): number {
  const isFirst = ({ role }: Share) => Number(role === 'pinned')
  return b.share - a.share || isFirst(b) - isFirst(a) || (a.model < b.model ? -1 : 1)
}

/**
 * All names of the pinned model count as one, under the plan's name for it; a name that is only declared is another.
 */
function toPart(subject: Subject, { model, calls, input, output }: ModelUsage): Part {
  const own = subject.modelRequested ?? 'unnamed'
  const role = model === null ? 'pinned' : roleOfModel(subject, model)
  const tokens = input === null || output === null ? null : input + output
  const isOwnName = role === 'pinned' && (model === null || isModel(own, model))
  return { model: isOwnName ? own : (model ?? own), role, isOwnName, calls, tokens }
}

function joinPart(known: Part | undefined, part: Part): Part {
  if (known === undefined) return part
  const isCounted = known.tokens !== null && part.tokens !== null
  const tokens = isCounted ? (known.tokens ?? 0) + (part.tokens ?? 0) : null
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
    const said = role === 'pinned' && !isOwn ? ` (declared as ${own})` : ''
    return `${formatShare(share)} % ${name}${role === 'other' ? ' (undeclared)' : said}`
  })
  const more = models.length > MAX_NAMED ? [`and ${models.length - MAX_NAMED} more`] : []
  return [...named, ...more].join(', ')
}
