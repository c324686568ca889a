import { format, inspect } from 'node:util'
import { format as prettyFormat } from 'pretty-format'

const PLACEHOLDER = /%[sdifjoOp#%]/g
const pretty = (value: unknown): string => prettyFormat(value, { maxDepth: 1, min: true })

/** The title of one row of `each`, by jest's rules: printf placeholders, %p, %#, and $name for object rows. */
export function eachTitle(title: string, row: readonly unknown[], index: number): string {
  const [first] = row
  const named =
    row.length === 1 && typeof first === 'object' && first !== null && !Array.isArray(first)
  const withNames = named ? fillNames(title, first as Record<string, unknown>, index) : title
  return fillPlaceholders(withNames, row, index)
}

function fillNames(title: string, row: Record<string, unknown>, index: number): string {
  return title.replace(/\$([A-Za-z_#][\w.]*)/g, (whole, path: string) => {
    if (path === '#') return String(index)
    const keys = path.split('.')
    if (!Object.hasOwn(row, keys[0] as string)) return whole
    const value = keys.reduce<unknown>(
      (inner, key) => (inner as Record<string, unknown> | null)?.[key],
      row,
    )
    return typeof value === 'string' ? value : pretty(value)
  })
}

function fillPlaceholders(title: string, row: readonly unknown[], index: number): string {
  let next = 0
  return title.replace(PLACEHOLDER, (mark) => {
    if (mark === '%%') return '%'
    if (mark === '%#') return String(index)
    if (next >= row.length) return mark
    const value = row[next++]
    if (mark === '%p') return pretty(value)
    return mark === '%o' || mark === '%O' ? inspect(value) : format(mark, value)
  })
}

/** Rows of a tagged template: the heading names the fields of each row. */
export function templateRows(
  strings: readonly string[],
  values: readonly unknown[],
): Record<string, unknown>[] {
  const names =
    (strings[0] ?? '')
      .trim()
      .split('\n')[0]
      ?.split('|')
      .map((name) => name.trim()) ?? []
  const rows: Record<string, unknown>[] = []
  for (let start = 0; start < values.length; start += names.length) {
    rows.push(Object.fromEntries(names.map((name, column) => [name, values[start + column]])))
  }
  return rows
}
