import {
  createParser,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsString,
} from 'nuqs/server'

export type TableSort = { id: string; desc: boolean }

/** Parses `success.desc` in a URL; unknown columns are ignored. */
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

/** View state of a table, all of it in the URL. */
export const tableParsers = {
  q: parseAsString.withDefault(''),
  /** Sort keys in order; empty = the order of the page. */
  sort: parseAsArrayOf(sortParser((id) => id !== '')).withDefault([]),
  /** Filters, such as `status:done`: rows with one of these values in each named column. */
  f: parseAsArrayOf(parseAsString).withDefault([]),
  /** Hidden columns; null = those hidden by default, or as stored by the browser. */
  hide: parseAsArrayOf(parseAsString),
}

export type TableView = inferParserType<typeof tableParsers>

/** Names of a table's URL parameters; on a page with several tables each has a prefix. */
export function urlKeys(prefix: string | undefined): Partial<Record<keyof TableView, string>> {
  if (prefix === undefined) return {}
  return { q: `${prefix}-q`, sort: `${prefix}-sort`, f: `${prefix}-f`, hide: `${prefix}-hide` }
}

/** Returns a function that writes a sort order into a query. */
export function sortSerializer(prefix: string | undefined) {
  const { sort = 'sort' } = urlKeys(prefix)
  return createSerializer({ sort: tableParsers.sort }, { urlKeys: { sort } })
}

/** Groups the filters `f` by column. */
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

/** Adds a value to the filters, or removes it. */
export function toggleFacet(filters: readonly string[], id: string, word: string): string[] {
  const filter = `${id}:${word}`
  return filters.includes(filter) ? filters.filter((one) => one !== filter) : [...filters, filter]
}

/** Typing replaces the history entry. */
export function historyOf(next: Partial<TableView>) {
  return 'q' in next
    ? ({ history: 'replace', limitUrlUpdates: { method: 'debounce', timeMs: 250 } } as const)
    : {}
}
