// The exercise that `proofboard init --kind exercise` writes.

import { DEFAULT_COMPILER_OPTIONS } from '../suites/read-task-folder.ts'

/** A file of the example, by its path below the suite's folder. */
export type ExampleFile = { path: string; text: string }

const TASK = 'slug-text'

/** Returns a suite of one small exercise, which passes its proof: `proofboard suite verify <folder>`. */
export function exampleExercise(suiteId: string): ExampleFile[] {
  const about = {
    suiteId,
    kind: 'exercise',
    title: suiteId,
    description: 'Tasks of our own.',
    version: '1.0.0',
    source: null,
  }
  const config = {
    authors: [],
    files: {
      solution: [`${TASK}.ts`],
      test: [`${TASK}.test.ts`],
      example: ['.meta/reference.ts'],
    },
    blurb: 'Turn a title into the part of an address.',
    custom: {
      'flag.tests.jest': true,
      'flag.tests.tstyche': false,
      proofboard: {
        title: 'Slug of a title',
        category: 'text',
        difficulty: 'easy',
        typeTests: false,
        verifyTimeoutMs: 20_000,
      },
    },
  }
  return [
    { path: 'suite.json', text: json(about) },
    { path: 'tsconfig.json', text: json({ compilerOptions: DEFAULT_COMPILER_OPTIONS }) },
    { path: `${TASK}/.meta/config.json`, text: json(config) },
    { path: `${TASK}/.docs/instructions.md`, text: INSTRUCTIONS },
    { path: `${TASK}/${TASK}.ts`, text: STUB },
    { path: `${TASK}/${TASK}.test.ts`, text: TESTS },
    { path: `${TASK}/.meta/reference.ts`, text: REFERENCE },
    ...Object.entries(WRONG).map(([name, text]) => ({
      path: `${TASK}/.meta/wrong/${name}.ts`,
      text,
    })),
  ]
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

const INSTRUCTIONS = `# Slug of a title

Implement \`slugOf(title, longest)\` in \`${TASK}.ts\`. It turns a title into the last part of an address.

- Letters become lower case. Letters with accents lose them: \`é\` is \`e\`.
- Every run of other characters than \`a\` to \`z\` and digits becomes one hyphen.
- There is no hyphen at the beginning or the end.
- The slug has at most \`longest\` characters (80 if it is left out). It is cut at the last hyphen that leaves it short
  enough; if its first word is longer than that, the word is cut.
- A title without letters and digits is \`untitled\`. It is not cut.
`

const STUB = `export function slugOf(title: string, longest = 80): string {
  throw new Error('Remove this line and implement the function')
}
`

const REFERENCE = `export function slugOf(title: string, longest = 80): string {
  const plain = title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase()
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return 'untitled'
  let slug = first.slice(0, longest)
  for (const word of words.slice(1)) {
    if (slug.length + 1 + word.length > longest) break
    slug += \`-\${word}\`
  }
  return slug
}
`

const TESTS = `import { describe, it, expect } from '@jest/globals'
import { slugOf } from './${TASK}.ts'

describe('slugOf', () => {
  it('lowers letters and joins words with hyphens', () => {
    expect(slugOf('Hello Wide World')).toBe('hello-wide-world')
  })
  it('takes accents off', () => {
    expect(slugOf('Crème Brûlée')).toBe('creme-brulee')
  })
  it('keeps digits', () => {
    expect(slugOf('Top 10 of 2026')).toBe('top-10-of-2026')
  })
  it('makes one hyphen of a run of other characters', () => {
    expect(slugOf('a  --  b & c')).toBe('a-b-c')
  })
  it('has no hyphen at either end', () => {
    expect(slugOf('  ...dots...  ')).toBe('dots')
  })
  it('is cut at the last hyphen that fits', () => {
    expect(slugOf('one two three', 9)).toBe('one-two')
    expect(slugOf('one two three', 7)).toBe('one-two')
    expect(slugOf('one two three', 6)).toBe('one')
  })
  it('cuts a first word that is too long', () => {
    expect(slugOf('extraordinary day', 5)).toBe('extra')
  })
  it('calls a title without letters and digits untitled', () => {
    expect(slugOf('???')).toBe('untitled')
    expect(slugOf('', 3)).toBe('untitled')
  })
})
`

const WRONG: Readonly<Record<string, string>> = {
  'keeps-accents-as-hyphens': `export function slugOf(title: string, longest = 80): string {
  const words = title.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return 'untitled'
  let slug = first.slice(0, longest)
  for (const word of words.slice(1)) {
    if (slug.length + 1 + word.length > longest) break
    slug += \`-\${word}\`
  }
  return slug
}
`,
  'cuts-inside-words': `export function slugOf(title: string, longest = 80): string {
  const plain = title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase()
  const slug = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  return slug === '' ? 'untitled' : slug.slice(0, longest).replace(/-$/, '')
}
`,
  'empty-title-is-empty': `export function slugOf(title: string, longest = 80): string {
  const plain = title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase()
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean)
  let slug = (words[0] ?? '').slice(0, longest)
  for (const word of words.slice(1)) {
    if (slug.length + 1 + word.length > longest) break
    slug += \`-\${word}\`
  }
  return slug
}
`,
}
