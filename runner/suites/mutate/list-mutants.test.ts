import typescript from 'typescript-gate'
import { describe, expect, it } from 'vitest'
import { ALL_OPERATORS, listMutants } from './list-mutants.ts'

/** Every operator: a text, and its mutants. */
const CASES: [operator: string, text: string, mutants: string[]][] = [
  ['arithmetic', 'a + b * c', ['a - b * c', 'a + b / c']],
  ['arithmetic', 'a -= b', ['a += b']],
  ['comparison-boundary', 'a < b === c >= d', ['a <= b === c >= d', 'a < b === c > d']],
  ['comparison-negated', 'a < b', ['a >= b']],
  ['comparison-negated', 'a !== b', ['a === b']],
  ['logical', 'a && (b || c)', ['a || (b || c)', 'a && (b && c)']],
  ['nullish', 'a ?? b', ['((a) || (b))', '(b)']],
  ['nullish', 'a ??= b', ['a = b', 'a ||= b']],
  ['nullish', 'f(a ?? [], b ?? 0)', ['f(([]), b ?? 0)', 'f(a ?? [], (0))']],
  ['nullish', 'a ??= new Map()', ['a = new Map()']],
  ['nullish', 'a ?? null', ['((a) || (null))', '(null)']],
  ['optional-chain', 'a?.b?.[c]?.()', ['a!.b?.[c]?.()', 'a?.b![c]?.()', 'a?.b?.[c]!()']],
  ['sign-removed', '!a === -b', ['a === -b', '!a === b']],
  ['increment', 'a++ + --b', ['a-- + --b', 'a++ + ++b']],
  ['increment', 'for (;; i++) a()', []],
  ['await-removed', 'await a()', ['a()']],
  [
    'copy-removed',
    'f([...a], { ...b }, [...c, d])',
    ['f((a), { ...b }, [...c, d])', 'f([...a], (b), [...c, d])'],
  ],
  [
    'copy-removed',
    'new Map(a) === structuredClone(b)',
    ['(a) === structuredClone(b)', 'new Map(a) === (b)'],
  ],
  ['condition-forced', 'if (a) b()', ['if (true) b()', 'if (false) b()']],
  ['condition-forced', 'a ? b : c', ['true ? b : c', 'false ? b : c']],
  ['condition-forced', 'while (a) b()', ['while (false) b()']],
  ['condition-forced', 'while (true) b()', ['while (false) b()']],
  ['condition-forced', 'for (; a; ) b()', ['for (; false; ) b()']],
  ['statement-removed', 'a(); if (b) throw c', ['; if (b) throw c', 'a(); if (b) ;']],
  [
    'statement-removed',
    'for (;;) { if (a) continue; break }',
    ['for (;;) { if (a) ; break }', 'for (;;) { if (a) continue; ; }'],
  ],
  [
    'statement-removed',
    'class A extends B { constructor() { super(); a() } }',
    ['class A extends B { constructor() { super(); ; } }'],
  ],
  [
    'block-emptied',
    'try { a(); b() } catch { return c } finally { d() }',
    ['try {} catch { return c } finally { d() }', 'try { a(); b() } catch {} finally { d() }'],
  ],
  ['block-emptied', 'while (a) { b(); c() }', []],
  [
    'return-value',
    'function f() { return a < b }',
    [
      'function f() { return true }',
      'function f() { return false }',
      'function f() { return undefined as never }',
    ],
  ],
  [
    'return-value',
    'const f = (n) => isOdd(n)',
    ['const f = (n) => true', 'const f = (n) => false'],
  ],
  ['return-value', 'const f = (n) => n + 1', []],
  ['number', 'a(3, 0n)', ['a(4, 0n)', 'a(2, 0n)', 'a(3, 1n)', 'a(3, (-1n))']],
  [
    'text',
    `a('b', '', \`c\${d}\`)`,
    [`a('', '', \`c\${d}\`)`, `a('b', 'mutant', \`c\${d}\`)`, "a('b', '', '')"],
  ],
  ['text', "import a from 'b'; const c = { 'd': 1 }", []],
  ['text', "throw new RangeError('not a whole number')", []],
  ['call-removed', `throw new CsvError(\`\${a.slice(1)} is no row\`)`, []],
  ['call-removed', 'throw new CsvError(a.slice(1) + b)', ['throw new CsvError(a + b)']],
  ['text', "throw new CsvError('open-quote')", ["throw new CsvError('')"]],
  ['boolean', 'a(true, false)', ['a(false, false)', 'a(true, true)']],
  ['array-emptied', 'const a = [b, c]', ['const a = []']],
  ['array-emptied', 'const [a] = []', []],
  ['method-mistaken', 'a.some(b)', ['a.every(b)']],
  ['method-mistaken', 'Math.min(a, b)', ['Math.max(a, b)']],
  ['method-mistaken', 'a.slice(b)', []],
  ['call-removed', 'f(a.filter(b).sort())', ['f(a.filter(b))', 'f(a.sort())']],
  ['call-removed', 'a.sort()\nb()', []],
  ['slice-bound', 'f(a.slice(b, c))', ['f(a.slice(b))', 'f(a.slice(0, c))']],
  ['slice-bound', 'f(a.slice(0, c))', ['f(a.slice(0))']],
  ['arguments-swapped', 'f(a, b, ...c)', ['f(b, a, ...c)']],
  ['arguments-swapped', 'f(a, a) || Math.min(b, c)', []],
  [
    'regex',
    '/^[^a]+\\d*$/gi',
    [
      '/[^a]+\\d*$/gi',
      '/^[a]+\\d*$/gi',
      '/^[^a]*\\d*$/gi',
      '/^[^a]+\\D*$/gi',
      '/^[^a]+\\d+$/gi',
      '/^[^a]+\\d*/gi',
      '/^[^a]+\\d*$/i',
      '/^[^a]+\\d*$/g',
    ],
  ],
  [
    'regex',
    '/(?:a{2})?(?=[+?b])\\./',
    [
      '/(?:a)?(?=[+?b])\\./',
      '/(?:a{2})(?=[+?b])\\./',
      '/(?:a{2})?(?![+?b])\\./',
      '/(?:a{2})?(?=[^+?b])\\./',
    ],
  ],
]

const mutate = (text: string) => listMutants(typescript, [{ path: 'a.ts', text }])

describe('operators', () => {
  it.each(CASES)('%s: %s', (operator, text, expected) => {
    const found = mutate(text).filter((mutant) => mutant.operator === operator)
    const texts = found.map(({ files }) => files[0]?.text)
    expect(texts.sort()).toEqual([...expected].sort())
  })

  it('are all shown above', () => {
    const shown = new Set(CASES.map(([operator]) => operator))
    expect(ALL_OPERATORS.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([])
  })
})

describe('a list of mutants', () => {
  it('leaves types alone', () => {
    const text =
      "import type { A } from 'a'\ntype B = 'b' | 1\ninterface C { d: true }\nlet e: 'f' = g as 'h'"
    expect(mutate(text)).toEqual([])
  })

  it('names each mistake by its place, in the order of the text, and changes one file at a time', () => {
    const files = [
      { path: 'a.ts', text: 'export const a = 1\n' },
      { path: 'b.ts', text: '\nexport const b = true && c\n' },
    ]
    const mutants = listMutants(typescript, files)
    expect(mutants.map(({ path, line, operator, after }) => [path, line, operator, after])).toEqual(
      [
        ['a.ts', 1, 'number', '2'],
        ['a.ts', 1, 'number', '0'],
        ['b.ts', 2, 'boolean', 'false'],
        ['b.ts', 2, 'logical', '||'],
      ],
    )
    expect(mutants.map((one) => one.files.map(({ text }) => text))[3]).toEqual([
      'export const a = 1\n',
      '\nexport const b = true || c\n',
    ])
  })

  it('holds no text twice and is the same each time', () => {
    const text = 'if (!a || b.some((c) => c === 0)) throw new Error()\nreturn [1, -1]'
    const texts = mutate(text).map(({ files }) => files[0]?.text)
    expect(new Set(texts).size).toBe(texts.length)
    expect(mutate(text)).toEqual(mutate(text))
  })
})
