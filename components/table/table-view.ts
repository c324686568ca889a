import {
  createParser,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsString,
} from 'nuqs/server'

export type TableSort = { id: string; desc: boolean }

/** Reads `success.desc` in an address; an unknown column is as if it was not there. */
export function sortParser(isKnown: (id: string) => boolean) {
  return createParser<TableSort>({
    parse(text) {
      const dot = text.lastIndexOf('.')
      const id = dot < 0 ? text : text.slice(0, dot)
      return isKnown(id) ? { id, desc: text.slice(dot + 1) === 'desc' } : null
    },
    serialize: ({ id, desc }) => `${id}.${desc ? 'desc' : 'asc'}`,
    eq: (a, b) => a.id === b.id && a.desc === b.desc,
  })
}

/** What a reader chose to see of a table, all of it in the address. */
export const tableParsers = {
  q: parseAsString.withDefault(''),
  /** The first key first; empty = the order of the page. */
  sort: parseAsArrayOf(sortParser((id) => id !== '')).withDefault([]),
  /** `status:done`: rows with one of these words in each named column. */
  f: parseAsArrayOf(parseAsString).withDefault([]),
  /** Null = the columns that are hidden at first, or that this browser remembers. */
  hide: parseAsArrayOf(parseAsString),
}

export type TableView = inferParserType<typeof tableParsers>

/** The names of a table's state in the address; several tables of a page have a prefix each. */
export function urlKeys(prefix: string | undefined): Partial<Record<keyof TableView, string>> {
  if (prefix === undefined) return {}
  return { q: `${prefix}-q`, sort: `${prefix}-sort`, f: `${prefix}-f`, hide: `${prefix}-hide` }
}

/** Returns what writes a sort order into a query. */
export function sortSerializer(prefix: string | undefined) {
  const { sort = 'sort' } = urlKeys(prefix)
  return createSerializer({ sort: tableParsers.sort }, { urlKeys: { sort } })
}

/** `f` by column. */
export function facetsOf(filters: readonly string[]): { id: string; value: string[] }[] {
  const found = new Map<string, string[]>()
  for (const filter of filters) {
    const colon = filter.indexOf(':')
    if (colon < 1) continue
    const id = filter.slice(0, colon)
    found.set(id, [...(found.get(id) ?? []), filter.slice(colon + 1)])
  }
  return [...found].map(([id, value]) => ({ id, value }))
}

/** Adds a word to the filters, or takes it away. */
export function toggleFacet(filters: readonly string[], id: string, word: string): string[] {
  const filter = `${id}:${word}`
  return filters.includes(filter) ? filters.filter((one) => one !== filter) : [...filters, filter]
}
