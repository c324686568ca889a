import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { sampleBundle } from '#lib/testing/factories/sample-bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-export-'))
const result = join(folder, 'result.json')
beforeAll(() => writeFileSync(result, JSON.stringify(sampleBundle())))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => proofboardHere(folder, ['export', ...args])

it('writes the same files as the server, on stdout or to a path', async () => {
  const { code, stdout } = await run(result, '--format', 'junit')
  const golden = readFileSync('lib/domain/formats/golden/sample.junit.xml.golden', 'utf8')
  expect([code, stdout]).toEqual([0, golden])
  const out = join(folder, 'run.csv')
  expect((await run(result, '--format', 'csv', '--out', out)).code).toBe(0)
  const csv = readFileSync('lib/domain/formats/golden/sample.csv.golden', 'utf8')
  expect(readFileSync(out, 'utf8')).toBe(csv)
})

it('says what is wrong, and writes over nothing', async () => {
  const out = join(folder, 'kept.csv')
  writeFileSync(out, 'mine')
  const { code, stderr } = await run(result, '--format', 'csv', '--out', out)
  expect([code, readFileSync(out, 'utf8')]).toEqual([2, 'mine'])
  expect(stderr).toContain('already exists: choose a new file')
  expect(await run(result, '--format', 'xlsx')).toMatchObject({ code: 2 })
  expect(await run(join(folder, 'none.json'), '--format', 'csv')).toMatchObject({ code: 2 })
})

it('says that there is no transcript, and writes nothing', async () => {
  const { code, stdout, stderr } = await run(result, '--format', 'atif')
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr.trim()).toBe('no episode has a transcript here: nothing was written')
})
