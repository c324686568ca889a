import type { TextKind } from './text-kinds.ts'

/** What a user says that a model costs, in US dollars per million tokens; cached tokens cost as others where it is silent. */
export type GivenPrice =
  | 'free'
  | { input: number; output: number; cacheRead: number | null; cacheWrite: number | null }

const PRICE = /^\d{1,6}(\.\d{1,6})?$/
const MOST_PARTS = 4

/** Reads `free`, `3/15` or `3/15/0.3/3.75` (input, output, cache reads, cache writes); null = it is no price. */
export function readGivenPrice(text: string): GivenPrice | null {
  if (text.trim() === 'free') return 'free'
  const parts = text.split(/[,/]/).map((part) => part.trim())
  if (parts.length < 2 || parts.length > MOST_PARTS || !parts.every((part) => PRICE.test(part)))
    return null
  const [input = 0, output = 0, cacheRead = null, cacheWrite = null] = parts.map(Number)
  return { input, output, cacheRead, cacheWrite }
}

/** Stored with slashes, because commas separate pins. */
export const GIVEN_PRICE: TextKind<string> = {
  expected:
    'free, or US dollars per million tokens as input/output[/cache reads[/cache writes]], for example 3/15',
  inputMode: 'text',
  read: (text) => {
    const price = readGivenPrice(text)
    if (price === null || price === 'free') return price
    const { input, output, cacheRead, cacheWrite } = price
    return [input, output, cacheRead, cacheWrite].filter((part) => part !== null).join('/')
  },
  print: String,
  describe: (text) => (text === 'free' ? text : `${text} USD per million tokens`),
}
