import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { benchBeside } from '#runner/bench/bench-beside.ts'

/** Accepts the options of ts-bench, judges the code in the folder, and records its arguments. */
const STAND_IN = `
import { appendFileSync, readFileSync } from 'node:fs'
const option = (name) => process.argv[process.argv.indexOf(name) + 1]
if (!process.argv.includes('--test-only')) process.exit(2)
const slug = option('--exercise')
const text = readFileSync(process.cwd() + '/' + option('--exercism-path') + '/exercises/practice/' + slug + '/' + slug + '.ts', 'utf8')
appendFileSync('asked.txt', slug + '\\n')
console.log(text.includes('n * 2') && slug !== 'broken' ? 'Passed: 1' : 'Failed: 1')
`
export const SLUGS = ['one', 'two', 'broken']
export const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
export const checkout = join(root, 'ts-bench')
export const stub = (slug: string) =>
  `repos/exercism-typescript/exercises/practice/${slug}/${slug}.ts`

/** Creates a checkout of it, and removes it after the tests of the file. */
export function withTsBenchCheckout(): void {
  beforeAll(layCheckout)
  afterAll(() => rmSync(root, { recursive: true, force: true }))
}

function layCheckout(): void {
  const manifest = { name: 'ts-bench', version: '1.1.0', bin: { 'ts-bench': './src/index.mjs' } }
  write('package.json', JSON.stringify(manifest))
  write('src/index.mjs', STAND_IN)
  for (const slug of SLUGS) {
    const folder = `repos/exercism-typescript/exercises/practice/${slug}`
    const files = {
      solution: [`${slug}.ts`],
      test: [`${slug}.test.ts`],
      example: ['.meta/proof.ci.ts'],
    }
    write(stub(slug), "export function solve(n: number): number { throw new Error('' + n) }\n")
    write(
      `${folder}/${slug}.test.ts`,
      `import { it, expect, xit } from '@jest/globals'\nimport { solve } from './${slug}.ts'\nit('a', () => { expect(solve(1)).toEqual(2) })\nxit('b', () => { expect(solve(2)).toEqual(4) })\n`,
    )
    write(`${folder}/.meta/config.json`, JSON.stringify({ files }))
    write(
      `${folder}/.meta/proof.ci.ts`,
      'export function solve(n: number): number { return n * 2 }\n',
    )
    write(`${folder}/.docs/instructions.md`, 'double it')
    write(`${folder}/package.json`, '{"type":"module"}')
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true })
  writeFileSync(join(checkout, path), text)
}

/** Compares these exercises and returns the printed lines. */
export async function lines(folder: string, tasks: string): Promise<string[]> {
  const parts: string[] = []
  await benchBeside(folder, { tasks, say: (line) => parts.push(line) })
  return parts
}
