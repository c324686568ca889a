import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { benchBeside } from './bench-beside.ts'

/** Takes the options that ts-bench takes, judges the code in the folder, and writes down how it was asked. */
const STAND_IN = `
import { appendFileSync, readFileSync } from 'node:fs'
const option = (name) => process.argv[process.argv.indexOf(name) + 1]
if (!process.argv.includes('--test-only')) process.exit(2)
const slug = option('--exercise')
const text = readFileSync(process.cwd() + '/' + option('--exercism-path') + '/exercises/practice/' + slug + '/' + slug + '.ts', 'utf8')
appendFileSync('asked.txt', slug + '\\n')
console.log(text.includes('n * 2') && slug !== 'broken' ? 'Passed: 1' : 'Failed: 1')
`
const SLUGS = ['one', 'two', 'broken']
const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
const checkout = join(root, 'ts-bench')
const stub = (slug: string) => `repos/exercism-typescript/exercises/practice/${slug}/${slug}.ts`

beforeAll(() => {
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
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true })
  writeFileSync(join(checkout, path), text)
}

async function lines(folder: string, tasks: string): Promise<string[]> {
  const said: string[] = []
  await benchBeside(folder, { tasks, say: (line) => said.push(line) })
  return said
}

it('judges the same exercises with both, in turns, and leaves the checkout as it was', async () => {
  const said = await lines(checkout, SLUGS.join(','))
  expect(said[0]).toContain('ts-bench 1.1.0')
  expect(said[0]).toContain(process.version)
  const row = /^(one|two|all) +([\d.]+ s +){4}[\d.]+ x +[\d.]+ x$/
  expect(said.slice(2).map((line) => row.exec(line)?.[1] ?? line)).toEqual([
    'one',
    'two',
    'broken is not compared: ts-bench does not pass its reference on this machine',
    'all',
  ])
  const asked = readFileSync(join(checkout, 'asked.txt'), 'utf8').trim().split('\n')
  expect(asked).toEqual(['one', 'two', 'broken', 'one', 'two'])
  expect(readFileSync(join(checkout, stub('one')), 'utf8')).toContain('throw new Error')
})

it('says in a sentence why nothing is measured', async () => {
  expect(await lines(root, 'one')).toEqual([
    `beside ts-bench: skipped, ${root} is not a checkout of ts-bench`,
  ])
  expect((await lines(checkout, 'nine'))[0]).toContain('its track has no exercise nine')
  const empty = join(root, 'empty')
  mkdirSync(empty)
  writeFileSync(join(empty, 'package.json'), '{"name":"ts-bench"}')
  expect((await lines(empty, 'one'))[0]).toContain('git submodule update --init')
})
