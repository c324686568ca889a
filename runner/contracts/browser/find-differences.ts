import { showAmount, showValue } from './show-value.ts'

type Members = Record<string, unknown>

/**
 * Where a JSON value is not what was wanted, each as one short clause, at most `limit`; none = it fits. `whole`: it may
 * hold nothing else; else objects may have further members, however deep. Lists are compared in order and as a whole.
 */
export function findDifferences(
  wanted: unknown,
  value: unknown,
  { whole, limit }: { whole: boolean; limit: number },
): string[] {
  const found: string[] = []
  for (const difference of compare({ wanted, value, at: '', whole })) {
    found.push(difference)
    if (found.length === limit) break
  }
  return found
}

/** Whether a value has at least what the pattern says. */
export function fits(pattern: unknown, value: unknown): boolean {
  return findDifferences(pattern, value, { whole: false, limit: 1 }).length === 0
}

type Pair<Value = unknown> = { wanted: Value; value: Value; at: string; whole: boolean }

function* compare(pair: Pair): Generator<string> {
  const { wanted, value, at } = pair
  if (wanted === value) return
  if (Array.isArray(wanted) && Array.isArray(value)) yield* compareLists({ ...pair, wanted, value })
  else if (isMembers(wanted) && isMembers(value)) yield* compareMembers({ ...pair, wanted, value })
  else yield `${at || 'it'} is ${showValue(value)}, not ${showValue(wanted)}`
}

function* compareLists({ wanted, value, at, whole }: Pair<unknown[]>): Generator<string> {
  if (wanted.length !== value.length) {
    yield `${at || 'it'} has ${showAmount(value.length, 'element')}, not ${wanted.length}`
    return
  }
  for (const [index, one] of wanted.entries())
    yield* compare({ wanted: one, value: value[index], at: `${at}[${index}]`, whole })
}

function* compareMembers({ wanted, value, at, whole }: Pair<Members>): Generator<string> {
  const place = (key: string) => (at === '' ? key : `${at}.${key}`)
  for (const key of Object.keys(wanted)) {
    if (!Object.hasOwn(value, key)) yield `${place(key)} is missing`
    else yield* compare({ wanted: wanted[key], value: value[key], at: place(key), whole })
  }
  const others = whole ? Object.keys(value).filter((key) => !Object.hasOwn(wanted, key)) : []
  for (const key of others) yield `${place(key)} is too much`
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
