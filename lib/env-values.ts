import { z } from 'zod'
import { readSize } from './domain/settings/index.ts'
import { isLoopback } from './domain/text/index.ts'

/** `1` or `0`. */
export const flag = z.enum(['0', '1']).transform((value) => value === '1')

/** `500MB`, `20 GB`: bytes, in powers of 1000. */
export const size = z
  .string()
  .refine((text) => readSize(text) !== null, 'expected a size such as 500MB or 20GB')
  .transform((text) => readSize(text) ?? 0)

/** Days after which something is deleted. */
export const keepDays = z.coerce
  .number()
  .int()
  .min(1, 'expected a number of days from 1; unset it to delete nothing by age')
  .max(36_500)

/** Keys fetched over plain http can be forged, except on this machine. */
function isSafeIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash } = new URL(text)
  const isOwn = protocol === 'http:' && isLoopback(text)
  return (protocol === 'https:' || isOwn) && search === '' && hash === ''
}

/** `https://a.example,https://b.example`, exactly as the issuers name themselves. */
export const issuers = z.string().transform((text, context) => {
  if (text.trim() === 'none') return []
  const all = text.split(',').map((part) => part.trim())
  const wrong = all.find((part) => !isSafeIssuer(part))
  if (wrong === undefined) return all
  context.addIssue(`expected addresses that begin with https://, not "${wrong.slice(0, 80)}"`)
  return z.NEVER
})

/** Contains a password, so messages never repeat it. */
export const databaseUrl = z.string().refine(
  (text) => {
    if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false
    const { pathname, searchParams } = new URL(text)
    return pathname.length > 1 && /^[a-z_][a-z0-9_]{0,62}$/.test(searchParams.get('schema') ?? 'a')
  },
  {
    error:
      'expected postgresql://user:password@host:5432/name; unset it for SQLite in the data folder',
  },
)

/** `https://a.example/hook,slack:https://b.example`. Never repeated in a message: an address may contain a secret. */
export const webhooks = z.string().transform((text, context) => {
  const all = text.split(',').map((part) => {
    const [, slack, url = ''] = /^\s*(slack:)?(.*?)\s*$/.exec(part) ?? []
    const isSlack = slack !== undefined || /^https:\/\/hooks\.slack\.com\//.test(url)
    return { url, isSlack }
  })
  if (all.every(({ url }) => url.startsWith('https://') || isLoopback(url)) && all.every(isAddress))
    return all
  context.addIssue('expected addresses that begin with https://, separated by commas')
  return z.NEVER
})

function isAddress({ url }: { url: string }): boolean {
  return URL.canParse(url)
}
