import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { scanTranscript } from '#lib/domain/transcript/index.ts'
import { bash, HELPER, RATE_LIMITER, result, steps } from '#lib/testing/cases/transcripts/said.ts'
import { readChangedFiles } from './read-changed-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-base-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const change = (path: string, text = '') => ({ path, bytes: Buffer.from(text), executable: false })

it('lists the changed files of a base, so that an agent may read them', async () => {
  writeFileSync(join(folder, 'buckets.ts'), HELPER)
  writeFileSync(join(folder, 'large.ts'), 'x'.repeat(300_000))
  symlinkSync('/etc/passwd', join(folder, 'link.ts'))
  const solved = `${HELPER}\nexport const refillsEveryFullHourOfTheDay = true`
  const changes = [
    change('buckets.ts', solved),
    ...['new.ts', 'large.ts', 'link.ts'].map((path) => change(path)),
  ]
  const given = await readChangedFiles(folder, changes)
  expect(given).toEqual([HELPER])
  const data = steps(bash('cat buckets.ts'), result(HELPER))
  const knowledge = { ...RATE_LIMITER, reference: [{ path: 'buckets.ts', text: solved }] }
  expect(scanTranscript(data, knowledge)).toHaveLength(1)
  expect(scanTranscript(data, { ...knowledge, given })).toEqual([])
})
