import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { CACHE } from './layout.mjs'

const folder = mkdtempSync(join(tmpdir(), 'program-'))
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
const entry = join(folder, `${basename(folder)}.ts`)
const kept = () =>
  readdirSync(CACHE)
    .filter((name) => name.startsWith(basename(folder)))
    .map((name) => join(CACHE, name))
afterAll(() => {
  for (const path of [folder, ...kept()]) rmSync(path, { recursive: true, force: true })
})

const LOADER = pathToFileURL('lib/setup/load-program.mjs').href

/** Returns the program's output, from a separate process. */
function start(): unknown {
  const script = `const { loadProgram } = await import('${LOADER}')
    const { told } = await loadProgram(${JSON.stringify(entry)})
    console.log(JSON.stringify(await told()))`
  const args = ['--input-type=module', '--eval', script]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

function write(word: string): void {
  writeFileSync(
    entry,
    `import { z } from 'zod'
    const word: string = z.string().parse('${word}')
    export const told = async () => [word, import.meta.url, typeof (await import('execa')).execa]`,
  )
}

const compiled = () => kept().filter((path) => path.endsWith('.cache'))
const told = (word: string) => [word, expect.stringMatching(/^file:.*\.cjs$/), 'function']

it('keeps what was compiled, and replaces it when it is damaged or the program changes', () => {
  write('naïve ≤')
  expect(start()).toEqual(told('naïve ≤'))
  const [file = '', ...others] = compiled()
  expect(others).toEqual([])
  const whole = readFileSync(file)
  expect(start()).toEqual(told('naïve ≤'))
  expect(readFileSync(file).equals(whole)).toBe(true)

  writeFileSync(file, whole.subarray(0, whole.length >> 1))
  expect(start()).toEqual(told('naïve ≤'))
  expect(readFileSync(file).length).toBeGreaterThan(whole.length >> 1)

  write('another')
  expect(start()).toEqual(told('another'))
  expect(compiled()).toHaveLength(2)
})
