import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { canonicalJson } from '#lib/domain/digest/index.ts'
import { parseAnyBundle, parseAnyEpisode } from '#lib/domain/record/index.ts'
import { countDraws } from '#lib/testing/cases/draws.ts'
import { parseStrictly } from '#lib/testing/cases/parse-strictly.ts'
import { smallBundle } from '#lib/testing/corpora/small-bundle.ts'

// Thousands of documents, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const parse = parseStrictly

/** A document in one of many spellings: white space, escapes, number formats. */
type Written = { value: unknown; text: string }

const space = fc.stringMatching(/^[ \t\n\r]{0,3}$/)

function writeString(value: string, escapeEvery: number): string {
  const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at))
  const written = units.map((unit, at) => {
    const plain = unit >= 0x20 && unit !== 0x22 && unit !== 0x5c && (unit < 0xd800 || unit > 0xdfff)
    const isPair = unit >= 0xd800 && unit <= 0xdfff
    if (plain && (escapeEvery === 0 || at % escapeEvery !== 0)) return String.fromCharCode(unit)
    // Both halves of a pair are written in the same way.
    if (isPair && escapeEvery === 0) return String.fromCharCode(unit)
    return `\\u${unit.toString(16).padStart(4, '0')}`
  })
  return `"${written.join('')}"`
}

const string = fc.record({
  value: fc.string({ unit: 'grapheme', maxLength: 12 }),
  every: fc.nat(3),
})
const writtenString = string.map(({ value, every }): Written => {
  return { value, text: writeString(value, every) }
})
const writtenNumber = fc
  .oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc.tuple(fc.integer(), fc.integer({ min: -20, max: 20 })).map(([a, b]) => `${a}E${b}`),
    fc.tuple(fc.integer(), fc.nat(999)).map(([a, b]) => `${a}.${b}`),
  )
  // An integer that would lose digits is refused on purpose.
  .filter((text) => !/^-?\d{16,}$/.test(text))
  .map((text): Written => ({ value: JSON.parse(text), text }))
const literal = fc.constantFrom<Written[]>(
  { value: null, text: 'null' },
  { value: true, text: 'true' },
  { value: false, text: 'false' },
)
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const { document } = fc.letrec<{ document: Written; list: Written; object: Written }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literal,
    writtenNumber,
    writtenString,
    tie('list'),
    tie('object'),
  ),
  list: fc.tuple(fc.array(tie('document'), { maxLength: 5 }), space).map(([parts, gap]) => ({
    value: parts.map(({ value }) => value),
    text: `[${gap}${parts.map(({ text }) => text).join(`${gap},${gap}`)}${gap}]`,
  })),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(writtenString, tie('document')), {
        selector: ([key]) => key.value,
        maxLength: 5,
      }),
      space,
    )
    .map(([pairs, gap]) => {
      const kept = pairs.filter(([key]) => !FORBIDDEN.has(String(key.value)))
      const members = kept.map(([key, part]) => `${key.text}${gap}:${gap}${part.text}`)
      return {
        value: Object.fromEntries(kept.map(([key, part]) => [key.value, part.value])),
        text: `${gap}{${gap}${members.join(`${gap},${gap}`)}${gap}}${gap}`,
      }
    }),
}))

describe('the strict reader', () => {
  it('reads back whatever was written down, however it was written', () => {
    fc.assert(
      fc.property(document, ({ value, text }) => {
        const parsed = parse(text)
        if (!parsed.ok) throw new Error(`${parsed.message}: ${text}`)
        expect(parsed.value).toEqual(value)
        expect(parsed.value).toEqual(JSON.parse(text))
      }),
      { numRuns: countDraws(2000, 500) },
    )
  })

  it('refuses a key that stands twice, wherever and however it is written', () => {
    const twice = fc.tuple(document, fc.string({ maxLength: 6 }), fc.nat(3), fc.nat(3))
    fc.assert(
      fc.property(twice, ([{ text }, key, one, other]) => {
        const pair = `${writeString(key, one)}:1,"between":${text},${writeString(key, other)}:2`
        expect(parse(`[{"in":{${pair}}}]`).ok).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('refuses whatever was cut off, and never throws', () => {
    fc.assert(
      fc.property(document, fc.double({ min: 0, max: 1, noNaN: true }), ({ text }, part) => {
        const whole = `[${text}]`
        const cut = whole.slice(0, Math.floor(part * (whole.length - 1)))
        expect(parse(cut).ok).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })
})

const BUNDLE = Buffer.from(smallBundle({ episodes: 4 }))
const ORIGINAL = parseAnyBundle(JSON.parse(BUNDLE.toString()))
if (!ORIGINAL.ok) throw new Error('the good bundle is not good')
const SEALED = new Map(
  ORIGINAL.value.episodes.map((episode) => [episode.seal as string, canonicalJson(episode)]),
)

/** One change of bytes: removal, insertion or replacement. */
const damage = fc.record({
  at: fc.nat(BUNDLE.length - 1),
  drop: fc.nat(12),
  add: fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc
      .constantFrom(
        '"',
        '\\',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '0',
        '9',
        '-',
        'e',
        'null',
        'true',
        ' ',
      )
      .map((text) => Buffer.from(text)),
    // Other bytes of the same text, as after a bad merge or on a bad disk.
    fc.nat(BUNDLE.length - 1).map((from) => BUNDLE.subarray(from, from + 40)),
  ),
})

function apply(bytes: Buffer, { at, drop, add }: { at: number; drop: number; add: Uint8Array }) {
  return Buffer.concat([bytes.subarray(0, at), add, bytes.subarray(at + drop)])
}

/** Expects an accepted envelope to equal the sealed one, byte for byte. */
function expectSealed(input: unknown): void {
  const parsed = parseAnyBundle(input)
  if (!parsed.ok) return
  expect(parsed.value.plan.planDigest).toBe(ORIGINAL.ok && ORIGINAL.value.plan.planDigest)
  for (const episode of parsed.value.episodes)
    expect(canonicalJson(episode)).toBe(SEALED.get(episode.seal))
}

describe('a good bundle with something of it changed', () => {
  it('is accepted only as sealed, whatever happens to its bytes', () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (all) => {
        const parsed = parse(all.reduce(apply, BUNDLE))
        if (parsed.ok) expectSealed(parsed.value)
      }),
      { numRuns: countDraws(1500, 400) },
    )
  })

  it('is accepted only as sealed, whatever replaces any value', () => {
    const paths = listPaths(JSON.parse(BUNDLE.toString()))
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 2 }), (path, value) => {
        const bundle = JSON.parse(BUNDLE.toString())
        put(bundle, path, value)
        expectSealed(bundle)
      }),
      { numRuns: countDraws(1500, 400) },
    )
  })
})

describe('the check of one envelope', () => {
  it('never throws, and lets nothing in that was not sealed', () => {
    const [episode] = JSON.parse(BUNDLE.toString()).episodes
    const paths = listPaths(episode)
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.anything({ maxDepth: 2 }), (path, value) => {
        const changed = structuredClone(episode)
        put(changed, path, value)
        const parsed = parseAnyEpisode(changed)
        if (parsed.ok) expect(canonicalJson(parsed.value)).toBe(SEALED.get(parsed.value.seal))
      }),
      { numRuns: countDraws(1500, 400) },
    )
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(parseAnyEpisode(value).ok).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })
})

type Path = readonly string[]

/** Lists every path in a value, including the empty one. */
function listPaths(value: unknown, path: Path = []): Path[] {
  const own = path.length > 0 ? [path] : []
  if (typeof value !== 'object' || value === null) return own
  const parts = Object.entries(value).flatMap(([key, part]) => listPaths(part, [...path, key]))
  return [...own, ...parts]
}

function put(root: object, path: Path, value: unknown): void {
  const holder = path.slice(0, -1).reduce((at, key) => Reflect.get(at, key) as object, root)
  Reflect.set(holder, path.at(-1) ?? '', value)
}
