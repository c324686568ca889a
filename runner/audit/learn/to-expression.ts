/** A plain value as an expression of the language; null when it cannot be written down. */
export function toExpression(value: unknown, depth = 0): string | null {
  if (depth > 20) return null
  if (value === undefined) return 'undefined'
  if (typeof value === 'number')
    return Object.is(value, -0) ? '-0' : Number.isFinite(value) ? String(value) : numberName(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value === null || typeof value === 'boolean' || typeof value === 'string')
    return JSON.stringify(value)
  return typeof value === 'object' ? objectExpression(value, depth) : null
}

const numberName = (value: number): string => (Number.isNaN(value) ? 'NaN' : `${value}`)
const tagOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1)

function objectExpression(value: object, depth: number): string | null {
  const inner = (one: unknown) => toExpression(one, depth + 1)
  switch (tagOf(value)) {
    case 'Array':
      return list(value as unknown[], inner, (all) => `[${all}]`)
    case 'Map':
      return list([...(value as Map<unknown, unknown>)], inner, (all) => `new Map([${all}])`)
    case 'Set':
      return list([...(value as Set<unknown>)], inner, (all) => `new Set([${all}])`)
    case 'Date':
      return `new Date(${Number(value)})`
    case 'Object':
      return list(
        Object.entries(value),
        ([key, one]) => {
          const text = inner(one)
          return text === null ? null : `[${JSON.stringify(key)}]: ${text}`
        },
        (all) => `{ ${all} }`,
      )
    default:
      return null
  }
}

function list<T>(
  values: readonly T[],
  write: (value: T) => string | null,
  join: (all: string) => string,
): string | null {
  const written = values.map(write)
  return written.includes(null) ? null : join(written.join(', '))
}
