import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { samplePlan } from '#lib/testing/factories/samples.ts'
import { existingRun, findOwedRun, lockRunFolder, RunFolder } from './run-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-owed-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const plan = samplePlan()
const BOARD = 'https://board.example'
const find = (to = BOARD, digest: string = plan.planDigest) =>
  findOwedRun(join(root, 'runs'), digest, to)

function begin(name: string, to: string | null): RunFolder {
  const folder = new RunFolder(join(root, 'runs', name))
  mkdirSync(folder.episodesPath, { recursive: true })
  writeFileSync(folder.planPath, JSON.stringify(plan))
  const started = { runId: 'run_owed0001', boot: null, supervisor: null, subjectCanSignal: false }
  const lines = [
    { event: 'runner-started', ...started },
    ...(to === null ? [] : [{ event: 'registering', to }]),
  ]
  for (const line of lines) {
    const at = '2026-01-01T00:00:00.000Z'
    appendFileSync(folder.journalPath, `${JSON.stringify({ at, ...line })}\n`)
  }
  return folder
}

it('finds the run that a board may have heard of, as long as nothing of it began', async () => {
  expect(find()).toBeNull()
  begin('never-registered', null)
  const folder = begin('registered', BOARD)
  expect(find()).toBe(folder.path)
  expect(existingRun(folder.path)?.runId).toBe('run_owed0001')
  expect([find('https://other.example'), find(BOARD, 'sha256:0')]).toEqual([null, null])
  const release = await lockRunFolder(folder.holderPath)
  expect(find()).toBeNull()
  await release()
  writeFileSync(folder.holderPath, '1 2 another-machine\n')
  expect(find()).toBeNull()
  rmSync(folder.holderPath)
  mkdirSync(join(folder.episodesPath, 'task', 'r1-a1'), { recursive: true })
  expect(find()).toBeNull()
  rmSync(join(folder.episodesPath, 'task'), { recursive: true })
  writeFileSync(folder.resultPath, '{}')
  expect(find()).toBeNull()
})
