import type { IncomingHttpHeaders } from 'node:http'
import { groupDigits } from '#lib/domain/text/index.ts'
import { parseReset } from './read-reset.ts'

const REMAINING = /rate-?limit/

/**
 * Reads the remaining limits of a provider, as `49 of 50 requests until 14:05 UTC`. Null = not stated. The headers are
 * named `…ratelimit…remaining…` (OpenAI, Anthropic, OpenRouter and compatible APIs).
 */
export function readQuota(headers: IncomingHttpHeaders, nowMs: number): string | null {
  const parts = Object.entries(headers).flatMap(([name, value]) => {
    if (!REMAINING.test(name) || !name.includes('remaining')) return []
    const left = Number(value)
    if (value === '' || !Number.isFinite(left)) return []
    const of = (word: string) => headers[name.replace('remaining', word)]
    return [describePart({ name, left, limit: Number(of('limit')), reset: of('reset') }, nowMs)]
  })
  return parts.length === 0 ? null : parts.join(', ')
}

type Part = { name: string; left: number; limit: number; reset: string | string[] | undefined }

function describePart({ name, left, limit, reset }: Part, nowMs: number): string {
  const unit =
    /(?:input-|output-)?(?:requests|tokens)/.exec(name)?.[0].replace('-', ' ') ?? 'requests'
  const whole = limit > 0 ? ` of ${groupDigits(limit)}` : ''
  const until = parseReset(reset, nowMs)
  const clock = until === null ? '' : ` until ${new Date(until).toISOString().slice(11, 16)} UTC`
  return `${groupDigits(left)}${whole} ${unit}${clock}`
}
