/** The example's function in one language: its tests, its solution, and solutions that omit a rule. */
export type Language = {
  /** Name of the function. */
  name: string
  /** Source of the tests; `module` = the solution's path from them. */
  tests: (module: string) => string
  solution: (variant: Variant) => string
}

/** Plausible wrong solutions, each named for its defect. */
export const WRONG = ['keeps-accents', 'cuts-inside-words', 'empty-stays-empty'] as const
type Variant = 'right' | (typeof WRONG)[number]

/** Input and expected output of each test. */
const CASES: readonly [name: string, title: string, longest: number | null, slug: string][] = [
  ['lowers letters and joins words with hyphens', 'Hello Wide World', null, 'hello-wide-world'],
  ['takes accents off', 'Crème Brûlée', null, 'creme-brulee'],
  ['makes one hyphen of a run of other characters', 'Top 10  --  b & c', null, 'top-10-b-c'],
  ['has no hyphen at either end', '  ...dots...  ', null, 'dots'],
  ['is cut at the last hyphen that fits', 'one two three', 9, 'one-two'],
  ['cuts a first word that is too long', 'extraordinary day', 5, 'extra'],
  ['calls a title without letters and digits untitled', '???', 3, 'untitled'],
]

type Style = {
  library: keyof typeof LIBRARIES
  /** `import` and `export`; else `require`. */
  isModule: boolean
  /** TypeScript. */
  isTyped: boolean
}

type Load = (member: string, from: string, whole?: boolean) => string
type Library = {
  heads: (load: Load) => string[]
  test: (name: string, call: string, slug: string) => string
}

const expecting = (name: string, call: string, slug: string) =>
  `test('${name}', () => {\n  expect(${call}).toBe('${slug}')\n})\n`
const asserting = (word: string) => (name: string, call: string, slug: string) =>
  `${word}('${name}', () => {\n  assert.equal(${call}, '${slug}')\n})\n`
const ASSERT = ['assert', 'node:assert/strict', true] as const

/** Syntax of a test for each library. */
const LIBRARIES = {
  node: {
    heads: (load) => [load(...ASSERT), load('test', 'node:test')],
    test: asserting('test'),
  },
  mocha: { heads: (load) => [load(...ASSERT)], test: asserting('it') },
  vitest: { heads: (load) => [load('expect, test', 'vitest')], test: expecting },
  bun: { heads: (load) => [load('expect, test', 'bun:test')], test: expecting },
  jest: { heads: () => [], test: expecting },
  ava: {
    heads: (load) => [load('test', 'ava', true)],
    test: (name, call, slug) => `test('${name}', (t) => {\n  t.is(${call}, '${slug}')\n})\n`,
  },
  tap: {
    heads: (load) => [load('t', 'tap', true)],
    test: (name, call, slug) =>
      `t.test('${name}', (t) => {\n  t.equal(${call}, '${slug}')\n  t.end()\n})\n`,
  },
} satisfies Record<string, Library>

/** Returns JavaScript or TypeScript for a test library. */
export function javaScript({ library, isModule, isTyped }: Style): Language {
  const words: Library = LIBRARIES[library]
  const load: Load = (member, from, whole = false) => {
    if (!isModule) return `const ${whole ? member : `{ ${member} }`} = require('${from}')`
    return `import ${whole ? member : `{ ${member} }`} from '${from}'`
  }
  return {
    name: 'slugOf',
    tests: (module) => {
      // A compiler may not support the extension of a source; Node needs it.
      const path =
        isTyped || !module.endsWith('.mjs') ? module.replace(/\.[cm]?[jt]s$/, '') : module
      const heads = [...words.heads(load), load('slugOf', path)]
      const tests = CASES.map(([name, title, longest, slug]) =>
        words.test(name, `slugOf('${title}'${longest === null ? '' : `, ${longest}`})`, slug),
      )
      return `${heads.join('\n')}\n\n${tests.join('\n')}`
    },
    solution: (variant) => {
      const head = isTyped
        ? 'function slugOf(title: string, longest = 80): string {'
        : 'function slugOf(title, longest = 80) {'
      const text = `${head}\n${JAVASCRIPT(variant)}}\n`
      return isModule ? `export ${text}` : `${text}\nmodule.exports = { slugOf }\n`
    },
  }
}

const JAVASCRIPT = (variant: Variant) => `${
  variant === 'keeps-accents'
    ? '  const plain = title.toLowerCase()\n'
    : "  const plain = title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase()\n"
}  const words = plain.split(/[^a-z0-9]+/).filter(Boolean)
${variant === 'empty-stays-empty' ? '' : "  if (words.length === 0) return 'untitled'\n"}${
  variant === 'cuts-inside-words'
    ? "  return words.join('-').slice(0, longest).replace(/-$/, '')\n"
    : `  let slug = (words[0] ?? '').slice(0, longest)
  for (const word of words.slice(1)) {
    if (slug.length + 1 + word.length > longest) break
    slug += \`-\${word}\`
  }
  return slug
`
}`

export const PYTHON: Language = {
  name: 'slug_of',
  tests: () => {
    const tests = CASES.map(([name, title, longest, slug]) => {
      const call = `slug_of("${title}"${longest === null ? '' : `, ${longest}`})`
      return `def test_${name.replaceAll(' ', '_')}():\n    assert ${call} == "${slug}"\n`
    })
    return `from title_slug import slug_of\n\n\n${tests.join('\n\n')}`
  },
  solution: (variant) => `import re
import unicodedata


def slug_of(title, longest=80):
${
  variant === 'keeps-accents'
    ? '    plain = title.lower()\n'
    : '    plain = "".join(c for c in unicodedata.normalize("NFD", title) if not unicodedata.combining(c)).lower()\n'
}    words = [word for word in re.split("[^a-z0-9]+", plain) if word]
${variant === 'empty-stays-empty' ? '' : '    if not words:\n        return "untitled"\n'}${
  variant === 'cuts-inside-words'
    ? '    return "-".join(words)[:longest].rstrip("-")\n'
    : `    slug = (words or [""])[0][:longest]
    for word in words[1:]:
        if len(slug) + 1 + len(word) > longest:
            break
        slug += "-" + word
    return slug
`
}`,
}
