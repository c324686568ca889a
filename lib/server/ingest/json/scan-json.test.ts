import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStrictly, scanWhole } from '#lib/testing/cases/parse-strictly.ts'
import { JsonDocument } from './json-document.ts'

const parse = parseStrictly
function problemOf(input: string | Buffer): string {
  const parsed = parse(input)
  return parsed.ok ? 'taken' : parsed.message
}
const isTaken = (text: string) => parse(text).ok

/** `isEscaped`: the first character of its key is an escape. */
function memberText([key, value]: readonly [string, string], isEscaped: boolean): string {
  const code = key.charCodeAt(0).toString(16).padStart(4, '0')
  const name = isEscaped
    ? `"\\u${code}${JSON.stringify(key.slice(1)).slice(1)}`
    : JSON.stringify(key)
  return `${name}:${value}`
}

function readPlainly(text: string): unknown {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** Characters of JSON, so that random texts reach its edge cases. */
const jsonLike = fc
  .array(
    fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '\\u',
        'd800',
        'dc00',
        '\\n',
        '\n',
        ' ',
        '-',
        '0',
      ],
      ...[
        '1',
        '12',
        '.',
        'e',
        '+',
        'true',
        'false',
        'null',
        '"a"',
        '"b"',
        '"a":',
        '\u2028',
        'ü',
        '\ufeff',
      ],
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))

describe('a strict JSON text', () => {
  it('reads every value as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(4), (value, space) => {
        const text = JSON.stringify(value, null, space)
        const parsed = parse(text)
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text))
        else expect(parsed.message).toMatch(/is not allowed|half of a surrogate|exactly/)
      }),
      { numRuns: 500 },
    )
  })

  it('takes nothing that JSON.parse refuses, and never throws', () => {
    fc.assert(
      fc.property(jsonLike, (text) => {
        const parsed = parse(text)
        if (parsed.ok) expect(readPlainly(text)).toEqual({ value: parsed.value })
      }),
      { numRuns: 3000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const parsed = parse(Buffer.from(bytes))
        if (parsed.ok)
          expect(readPlainly(Buffer.from(bytes).toString())).toEqual({ value: parsed.value })
      }),
      { numRuns: 1000 },
    )
  })

  it('refuses every whole text that was cut off, with the place', () => {
    const text = '{"a":[1,{"b":"c\\u00e4"},true],"d":null}'
    expect(isTaken(text)).toBe(true)
    for (let length = 1; length < text.length; length++) {
      expect(problemOf(text.slice(0, length))).toMatch(/\(line 1, column \d+\)/)
    }
  })

  it.each([
    ['a key twice', '{"a":1,"a":2}', 'the key "a" is duplicated (line 1, column 8)'],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}', 'is duplicated'],
    ['__proto__', '{"__proto__":{"isAdmin":true}}', 'the key __proto__ is not allowed'],
    ['__proto__, escaped', '{"\\u005f_proto__":1}', 'the key __proto__ is not allowed'],
    ['constructor', '[{"constructor":{"prototype":1}}]', 'the key constructor is not allowed'],
    ['a number without end', '[1e999]', 'too large to be held'],
    ['a whole number that loses digits', '{"n":9007199254740993}', 'held exactly'],
    ['half a surrogate pair', '"\\ud83d"', 'half of a surrogate pair'],
    ['the other half', '"\\ude00\\ud83d"', 'half of a surrogate pair'],
    ['a byte order mark', '\ufeff{}', 'byte order mark'],
    ['a comment', '{} // x', 'something follows after the end'],
    ['a trailing comma', '[1,]', 'is not allowed here'],
    ['NaN', '[NaN]', 'is not allowed here'],
    ['a leading zero', '[01]', 'is not allowed here'],
    ['a raw line break in a string', '"a\nb"', 'control character'],
    ['a second document', '{}\n{}', 'something follows after the end'],
    ['nothing', '', 'cut off'],
  ])('refuses %s', (_, text, message) => {
    expect(problemOf(text)).toContain(message)
  })

  it('finds a key twice in any object of a list, whatever the keys of the others are', () => {
    const key = fc.constantFrom('a', 'b', 'ab', 'ü', 'a"', '\\', '__proto__', 'k'.repeat(50))
    const object = fc.array(fc.tuple(key, fc.constantFrom('1', '{"a":[{"b":1}]}', '[{}]')))
    const many = fc.constant(Array.from({ length: 40 }, (_, index) => [`${index}`, '1'] as const))
    fc.assert(
      fc.property(fc.array(fc.oneof(object, many)), fc.boolean(), (objects, isEscaped) => {
        const texts = objects.map((members) => members.map((one) => memberText(one, isEscaped)))
        const isHonest = objects.every((members) => {
          const keys = members.map(([name]) => name)
          return new Set(keys).size === keys.length && !keys.includes('__proto__')
        })
        expect(isTaken(`[${texts.map((members) => `{${members}}`)}]`)).toBe(isHonest)
      }),
      { numRuns: 1000 },
    )
  })

  it('ends a key at its own quote, also where another object had a quote in its key', () => {
    expect(isTaken('[{"a\\"":1},{"a\\"":1}]')).toBe(true)
    expect(isTaken('[{"a\\"":1},{"a"":1}]')).toBe(false)
    expect(isTaken('[{"ab":1},{"a')).toBe(false)
  })

  it('refuses UTF-16 and bytes that are not UTF-8', () => {
    expect(problemOf(Buffer.from('\ufeff{}', 'utf16le'))).toContain('UTF-16')
    expect(problemOf(Buffer.from([0x22, 0xff, 0x22]))).toBe('the text is not UTF-8')
  })

  it('takes a million levels for too many instead of overflowing', () => {
    expect(problemOf('['.repeat(1_000_000))).toContain('more than 64 levels deep')
    expect(problemOf('{"a":'.repeat(1_000_000))).toContain('more than 64 levels deep')
    expect(isTaken('['.repeat(64) + ']'.repeat(64))).toBe(true)
  })

  it('counts values', () => {
    const limits = { depth: 8, values: 3 }
    expect(parse('[1,2]', 1, limits).ok).toBe(true)
    expect(parse('[1,2,3]', 1, limits).ok).toBe(false)
  })

  it('leaves every prototype alone', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'a', 'toString'), fc.jsonValue()),
        (members) => {
          parse(JSON.stringify(members))
          parse(`{"__proto__":${JSON.stringify(members)}}`)
          expect(Object.keys(Object.prototype)).toEqual([])
          expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined()
        },
      ),
    )
  })
})

describe('the outline', () => {
  it('gives the places of every part, which read as the whole does', () => {
    const entry = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.integer())
    fc.assert(
      fc.property(fc.array(entry), fc.nat(3), (episodes, space) => {
        const bytes = Buffer.from(JSON.stringify({ kind: 'ü', episodes, last: [1] }, null, space))
        const scanned = scanWhole(bytes)
        if (!scanned.ok) throw new Error(scanned.message)
        const part = scanned.scan.outlines[0]?.members.get('episodes')
        const read = part?.items.map(({ start, end }) =>
          JSON.parse(bytes.toString().slice(start, end)),
        )
        expect(read).toEqual(episodes)
      }),
    )
  })

  it('reads JSON Lines, and needs the lines', () => {
    const lines = scanWhole('{"a":1}\n\n {"b":2}\r\n[3]\n', 9)
    const kinds = lines.ok && lines.scan.outlines.map(({ kind }) => kind)
    expect(kinds).toEqual(['object', 'object', 'array'])
    expect(scanWhole('{} {}', 9).ok).toBe(false)
    expect(scanWhole('{}\n{}\n{}', 2).ok).toBe(false)
  })

  it('is the same wherever the scan pauses', () => {
    const long = 'x'.repeat(3 << 20)
    const text = JSON.stringify([long, { a: long }, long])
    const scanned = scanWhole(text)
    const [outline] = scanned.ok ? scanned.scan.outlines : []
    expect(outline?.items.map(({ start, end }) => text.slice(start, end).length)).toEqual([
      long.length + 2,
      long.length + 8,
      long.length + 2,
    ])
  })
})

describe('numbers as Python writes them', () => {
  it.each([
    ['{"a":[NaN,-Infinity,{"b":Infinity}],"c":"NaN","d":-1}', 'line 1, column 7'],
    ['{"a":[null,null,{"b":null}],"c":"NaN","d":12345678901234567890}', 'line 1, column 43'],
  ])('are null or as near as can be, and noted: %s', (text, place) => {
    const scanned = scanWhole(text)
    if (!scanned.ok || !scanned.scan.outlines[0]) throw new Error('it is refused')
    const document = new JsonDocument(scanned.scan, scanned.scan.outlines[0])
    expect(document.read()).toMatchObject({ a: [null, null, { b: null }], c: 'NaN' })
    expect(document.member('a')).toEqual([null, null, { b: null }])
    expect(scanned.scan.loose?.message).toContain(place)
    expect(parse(text).ok).toBe(false)
  })

  it('are left alone in strings, whatever is escaped before them', () => {
    const value = { 'NaN"': ['-Infinity', '\\', 'NaN', '\\"NaN', '"'], b: 'Infinity\n' }
    const text = `[NaN,${JSON.stringify(value)},NaN]`
    const scanned = scanWhole(text)
    if (!scanned.ok || !scanned.scan.outlines[0]) throw new Error('it is refused')
    expect(new JsonDocument(scanned.scan, scanned.scan.outlines[0]).read()).toEqual([
      null,
      value,
      null,
    ])
  })

  it.each(['Nan', '-NaN', 'Infinit', '[NaN', '{NaN:1}', '1e999', '[-I]'])(
    'are nothing else: %s',
    (text) => expect(scanWhole(text).ok).toBe(false),
  )
})
