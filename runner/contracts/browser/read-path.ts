/** What lies at a path, or how far the path led. */
export type Found =
  | { found: true; value: unknown }
  | { found: false; until: string; value: unknown }

const PATH = /^(?:[^.[\]]+|\[\d+\])(?:\.[^.[\]]+|\[\d+\])*$/

/**
 * Follows `orders[0].lines` into a JSON value; the empty path is the value itself. Only own members count, so that no
 * path finds `constructor`. Where it leads nowhere, the last value that was there is answered with its path.
 */
export function readPath(root: unknown, path: string): Found {
  if (path === '') return { found: true, value: root }
  if (!PATH.test(path)) return { found: false, until: '', value: root }
  let value = root
  let until = ''
  for (const [step] of path.matchAll(/[^.[\]]+|\[\d+\]/g)) {
    const next = readMember(value, step)
    if (next === undefined) return { found: false, until, value }
    value = next.value
    until = step.startsWith('[') || until === '' ? `${until}${step}` : `${until}.${step}`
  }
  return { found: true, value }
}

function readMember(value: unknown, step: string): { value: unknown } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const isIndex = step.startsWith('[')
  if (isIndex !== Array.isArray(value)) return undefined
  const key = isIndex ? step.slice(1, -1) : step
  if (!Object.hasOwn(value, key)) return undefined
  return { value: (value as Record<string, unknown>)[key] }
}
