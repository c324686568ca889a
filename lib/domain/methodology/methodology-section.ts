/** A line of a list of terms; `id` makes it linkable: `/methodology#gate-samples`. */
export type TermItem = { id: string; term: string; text: string; mark: string | null }

/** A row of a table of sentences: a name, then one cell for each further column. */
export type CaseItem = { id: string; title: string; cells: string[][] }

/** What a section is made of. Texts may hold `_{…}` for subscripts and `^{…}` for superscripts. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'formula'; text: string }
  | { kind: 'terms'; items: TermItem[] }
  | { kind: 'table'; caption: string; head: string[]; rows: string[][] }
  | { kind: 'cases'; caption: string; head: string[]; items: CaseItem[] }
  | { kind: 'link'; text: string; href: string }

export type Section = { id: string; title: string; blocks: Block[] }

export function text(value: string): Block {
  return { kind: 'text', text: value }
}

export function formula(value: string): Block {
  return { kind: 'formula', text: value }
}

export function terms(
  prefix: string,
  items: readonly { key: string; term?: string; text: string; mark?: string | null }[],
): Block {
  return {
    kind: 'terms',
    items: items.map(({ key, term = key, text: meaning, mark = null }) => ({
      id: `${prefix}-${key}`,
      term,
      text: meaning,
      mark,
    })),
  }
}

/** A share of 0–1 as per cent, two decimals at most: `5 %`, kept on one line. */
export function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))}\u00a0%`
}

/** A number as short as it can be said exactly enough: four decimals at most. */
export function number(value: number): string {
  return String(Number(value.toFixed(4)))
}
