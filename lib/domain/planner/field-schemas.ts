import { z } from 'zod'

/** Parsers of form fields: each returns the value, or a message about what is allowed. */

/** A whole number from 1 to `most`. */
export const count = (what: string, most: number) =>
  z.string().transform((text, context) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= 1 && value <= most) return value
    const range = `a whole number from 1 to ${most.toLocaleString('en-US')}`
    context.addIssue({ code: 'custom', message: `${what} must be ${range}, not “${text}”.` })
    return z.NEVER
  })

/** The same, or nothing: null = no limit. */
export const limit = (what: string, most: number) =>
  z.string().transform((text, context) => {
    if (text === '') return null
    const parsed = count(what, most).safeParse(text)
    if (parsed.success) return parsed.data
    context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? '' })
    return z.NEVER
  })

const MOST_MICRO_USD = 1e10

/** US dollars as whole millionths; nothing = null. */
export const usd = (takes: string) =>
  z.string().transform((text, context) => {
    if (text === '') return null
    const microUsd = Math.round(Number(text) * 1e6)
    if (/^\d*\.?\d+$/.test(text) && microUsd >= 1 && microUsd <= MOST_MICRO_USD) return microUsd
    const message = `${takes}, from 0.000001 to 10,000, not “${text}”.`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

export const temperatureSchema = z.string().transform((text, context) => {
  if (text === '') return null
  if (text === 'provider-fixed') return 'provider-fixed' as const
  const value = Number(text)
  if (/^\d*\.?\d+$/.test(text) && value <= 2) return value
  const message = `Temperature must be a number from 0 to 2 or provider-fixed, not “${text}”.`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})
