import type { Random, Scenario } from '../../../held-out.ts'
import { createIgnore, matchGlob } from '../glob-matcher.ts'

const NAMES = [
  'a',
  'b',
  'ab',
  'aab',
  '.a',
  '..b',
  'a.b',
  'B',
  'build',
  '😀',
  'a😀b',
  'x.log',
  '-',
  ']',
]
const LITERALS = ['a', 'b', 'ab', '.', 'B', '-', '😀', '+', '$', '(', '^', '|', 'x']
const SPECIALS = ['*', '*', '?', '**', '\\*', '\\?', '\\a', '\\.', '\\[', '\\{', '\\,', '\\\\']
const HALF_GROUPS = [
  '\\{a,b}',
  '{a\\,b,x}',
  '{a\\},b}',
  '{a,{b}',
  '{b}',
  '{a,b',
  '{a,\\{b}',
  '[{a,b}]',
]
const NOISE = ['*', '?', '[', ']', '{', '}', ',', '!', '-', '\\', '/', 'a', 'b', '.', '**', '😀']

/** Random patterns against paths made to fit them or nearly so, and random lists of ignore entries. */
export const scenario: Scenario = ({ random, attempt }) => {
  const match = (pattern: string, path: string): void => {
    const dot = random.chance(0.3)
    const options = dot ? { dot } : random.pick([undefined, {}, { dot }])
    const label = `${JSON.stringify([pattern, path])} ${dot}`
    attempt(label, () => (options ? matchGlob(pattern, path, options) : matchGlob(pattern, path)))
  }
  for (let round = 0; round < 230; round++) {
    const pattern = random.list(1, 4, () => segment(random)).join('/')
    for (let times = 0; times < 2; times++) match(pattern, fitting(random, pattern))
    match(pattern, randomPath(random))
  }
  for (let round = 0; round < 260; round++) {
    const pattern = noise(random)
    match(pattern, fitting(random, pattern))
    match(pattern, randomPath(random))
  }
  for (let round = 0; round < 80; round++) {
    const inside = `${randomPath(random)}/${random.pick(NAMES)}`
    const entries = random.list(0, 5, () => entry(random))
    if (random.chance(0.5)) {
      entries.push(inside.split('/')[0] ?? '')
      entries.splice(random.int(0, entries.length), 0, `!${inside}`)
    }
    const label = JSON.stringify(entries)
    const ignores = attempt(label, () => createIgnore(entries))
    if (random.chance(0.5)) entries.splice(0, entries.length, '**')
    const paths = random.list(4, 8, () => {
      return random.chance(0.6)
        ? randomPath(random)
        : fitting(random, random.pick(label.split('"')))
    })
    for (const path of [inside, ...paths]) attempt(JSON.stringify(path), () => ignores?.(path))
  }
}

function randomPath(random: Random): string {
  return random.list(1, 4, () => random.pick(NAMES)).join('/')
}

function segment(random: Random): string {
  if (random.chance(0.25)) return random.pick(['**', '*', '.*', '**', random.pick(NAMES)])
  return random.list(1, 4, () => piece(random, 0)).join('')
}

function piece(random: Random, depth: number): string {
  const kind = random.int(0, 9)
  if (kind < 4) return random.pick(LITERALS)
  if (kind < 7) return random.pick(SPECIALS)
  if (kind === 7 || depth > 1) return set(random)
  if (random.chance(0.2)) return random.pick(HALF_GROUPS)
  const one = (): string => {
    return random.list(0, 2, () => (random.chance(0.1) ? '/' : piece(random, depth + 1))).join('')
  }
  return `{${random.list(1, 3, one).join(',')}}`
}

/** Ranges go upwards, and their ends are no dashes. */
function set(random: Random): string {
  const member = (): string =>
    random.pick(['a', 'b', 'B', '.', 'a-c', 'A-Z', '😀', '😁-😃', '\\]', '\\-', '*', '?', '['])
  const first = random.pick(['', '', '!', ']', '!]', '-', '!-'])
  return `[${first}${random.list(1, 3, member).join('')}${random.pick(['', '', '-'])}]`
}

/** Characters with a meaning in any order. What a dash between two members of a class means is not asked here. */
function noise(random: Random): string {
  const text = random.list(1, 8, () => random.pick(NOISE)).join('')
  return text.includes('[') ? text.replaceAll('-', 'x') : text
}

/** A path that the pattern may well accept: every special part is filled in. */
function fitting(random: Random, pattern: string): string {
  let text = pattern
  for (let times = 0; times < 4; times++) {
    text = text.replace(/\{([^{}]*)\}/g, (_all, inside: string) => random.pick(inside.split(',')))
  }
  text = text.replace(/\[[!\]]?([^\]]*)\]/g, () =>
    random.pick(['a', 'b', 'B', '.', ']', '-', 'x', '😀', '😁', '😂', '😄']),
  )
  text = text.replace(/\*\*/g, () => random.pick(['', 'a', 'a/b', '.a', 'a/.a/b']))
  text = random.chance(0.9) ? text.replace(/\\(.)/gu, '$1') : text
  text = text.replace(/\*/g, () => random.pick(['', 'a', 'ab', '.', '*']))
  text = text.replace(/\?/g, () => random.pick(['a', '😀', '.', '?']))
  const names = text.split('/').filter((name) => name !== '')
  if (random.chance(0.15))
    names.splice(random.int(0, names.length), random.int(0, 1), random.pick(NAMES))
  return names.join('/') || 'a'
}

function entry(random: Random): string {
  if (random.chance(0.1))
    return random.pick(['', '!', '/', '!/', '# a', '#', '\\#a', '\\!a', '#*', '!#a'])
  const patterns = [
    segment(random),
    random.pick(NAMES),
    '*',
    'a/*',
    'a/**',
    '**/b',
    '*.log',
    '*b',
    '{a,b}',
  ]
  const pattern = random.pick([...patterns, `${random.pick(NAMES)}/${random.pick(NAMES)}`])
  const front = random.pick(['', '', '!', '!', '/', '!/'])
  return front + pattern + random.pick(['', '', '', '/'])
}
