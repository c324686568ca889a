import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const asking = (name: string) => ['libraries', 'doctor', name, '--json']

it('libraries doctor starts a library at a browser, lists its tools and ends', {
  tags: 'night',
}, async () => {
  // A real process: an open handle would keep it alive.
  const { code, stdout, stderr } = await startProofboard(folder, asking('playwright-mcp')).ended
  expect(code, stderr).toBe(0)
  expect(lastJson(stdout)).toMatchObject({ name: 'playwright-mcp', problem: null, missing: null })
  expect((lastJson(stdout).tools as { count: number }).count).toBeGreaterThan(10)
})

it('libraries doctor ends with 1 and the reason where a library is not installed', async () => {
  const { code, stdout } = await proofboardHere(folder, asking('stagehand'))
  expect(code).toBe(1)
  expect(lastJson(stdout).problem).toMatch(
    /is not installed: proofboard libraries install stagehand/,
  )
})
