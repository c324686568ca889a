import { z } from 'zod'

const MAX_LIMIT = 500

/** Parameters of every list: the page size, and the key to start after. */
export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .default(50)
    .meta({ description: 'Maximum number of items.' }),
  cursor: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'The start of the page, taken from `next` of the previous page.' }),
}

/** Path of the next page on this server; null = last page. */
export const nextSchema = z
  .string()
  .nullable()
  .meta({ description: 'The path of the next page; null = this is the last page.' })

/** The response of a list: its items under their name, and the next page. */
export function listAnswer<Items extends z.core.$ZodLooseShape>(name: string, items: Items) {
  return { name, schema: z.object({ ...items, next: nextSchema }) }
}

type Key = readonly [string, string]

/**
 * Returns one page of a complete list, sorted by key: the items after `after`, and the key of the next page; null = all
 * items.
 */
export function cutPage<T>(
  list: readonly T[],
  keyOf: (item: T) => Key,
  { after, limit }: { after: Key | null; limit: number },
): { items: T[]; last: Key | null } {
  const sorted = [...list].sort((a, b) => (isBehind(keyOf(a), keyOf(b)) ? 1 : -1))
  const rest = after ? sorted.filter((item) => isBehind(keyOf(item), after)) : sorted
  return endPage(rest, keyOf, limit)
}

/** Cuts a read of up to `limit + 1` items to `limit`; the extra one shows that a next page exists. */
export function endPage<T>(
  read: readonly T[],
  keyOf: (item: T) => Key,
  limit: number,
): { items: T[]; last: Key | null } {
  const items = read.slice(0, limit)
  const end = items.at(-1)
  return { items, last: end !== undefined && read.length > limit ? keyOf(end) : null }
}

function isBehind(key: Key, place: Key): boolean {
  return key[0] === place[0] ? key[1] > place[1] : key[0] > place[0]
}
