import { z } from 'zod'
import type { ReportedBody, Usage } from '../record/index.ts'

const tokens = z.number().int().nonnegative().nullish()

/** Usage of a model in an Inspect log; cost in US dollars. */
export const inspectUsageSchema = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  total_tokens: tokens,
  input_tokens_cache_write: tokens,
  input_tokens_cache_read: tokens,
  reasoning_tokens: tokens,
  total_cost: z.number().nonnegative().nullish(),
})
export type InspectUsage = z.infer<typeof inspectUsageSchema>

/** Converts to this program's usage, where `input` includes cached tokens. */
export function fromInspectUsage(usage: InspectUsage): NonNullable<ReportedBody['usage']> {
  const cost = usage.total_cost
  return {
    tokens: {
      input: sumInput(usage),
      output: usage.output_tokens ?? null,
      cacheRead: usage.input_tokens_cache_read ?? null,
      cacheWrite: usage.input_tokens_cache_write ?? null,
      reasoning: usage.reasoning_tokens ?? null,
    },
    costMicroUsd: cost == null ? null : Math.round(1e6 * cost),
    priceTable: null,
  }
}

/**
 * Inspect excludes cached tokens from `input_tokens`. Logs from before March 2026 include them for some providers;
 * there `total_tokens` is input plus output.
 */
function sumInput(usage: InspectUsage): number | null {
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage
  if (input == null) return null
  const cached = (usage.input_tokens_cache_read ?? 0) + (usage.input_tokens_cache_write ?? 0)
  const hasCached = total != null && output != null && total === input + output && input >= cached
  return hasCached ? input : input + cached
}

/**
 * Converts to Inspect's usage; null = unknown, or more tokens came from caches than were sent. Inspect would read a
 * missing count as 0.
 */
export function toInspectUsage({ tokens: data, costMicroUsd }: Usage): InspectUsage | null {
  const { input, output, cacheRead, cacheWrite, reasoning } = data
  if (input === null || output === null) return null
  const fresh = input - (cacheRead ?? 0) - (cacheWrite ?? 0)
  if (fresh < 0) return null
  return {
    input_tokens: fresh,
    output_tokens: output,
    total_tokens: input + output,
    ...(cacheRead === null ? {} : { input_tokens_cache_read: cacheRead }),
    ...(cacheWrite === null ? {} : { input_tokens_cache_write: cacheWrite }),
    ...(reasoning === null ? {} : { reasoning_tokens: reasoning }),
    ...(costMicroUsd === null ? {} : { total_cost: costMicroUsd / 1e6 }),
  }
}
