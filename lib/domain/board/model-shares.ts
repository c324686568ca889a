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

type Part = { role: Share['role']; isOwnName: boolean } & Sums<string>
/** Null = no name was given, or not every count of tokens is known. */
type Sums<Name = string | null> = { model: Name; calls: number; tokens: number | null }

/**
 * Returns the models that responded in these episodes with their shares; undefined if only the pinned one did, by its
 * own name.
 */
export function shareModels(counted: readonly EpisodeFact[]): ModelShares | undefined {
  const parts = new Map<string, Part>()
  const subjects = groupBy(
    counted,
    ({ subject }) => JSON.stringify(subject),
    (a, b) => a.subject === b.subject,
  )
  for (const own of subjects.values())
    for (const sums of sumUsage(own)) {
      const part = toPart((own[0] as EpisodeFact).subject, sums)
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

/** Sums by name, each of which is compared with the subject's once. */
function sumUsage(counted: readonly EpisodeFact[]): Sums[] {
  const sums = new Map<string | null, Sums>()
  for (const { models = [] } of counted)
    for (const { model, calls, input, output } of models) {
      const sum = sums.get(model) ?? { model, calls: 0, tokens: 0 }
      sums.set(model, sum)
      sum.calls += calls
      sum.tokens = sumKnown([sum.tokens, input, output])
    }
  return [...sums.values()]
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
function toPart(subject: Subject, { model, calls, tokens }: Sums): Part {
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
    const said = role === 'pinned' && !isOwn ? ` (declared as ${own})` : ''
    return `${formatShare(share)} % ${name}${role === 'other' ? ' (undeclared)' : said}`
  })
  const more = models.length > MAX_NAMED ? [`and ${models.length - MAX_NAMED} more`] : []
  return [...named, ...more].join(', ')
}
