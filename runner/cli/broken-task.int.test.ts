import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { writeHarborTask } from '../harbor/harbor-task.fixture.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const run = (...args: string[]) => startProofboard(join(root, 'data'), args).ended

it('one broken task of a collection is named, and the others run', {
  tags: 'bubblewrap',
}, async () => {
  const suite = join(root, 'collection')
  writeHarborTask(suite, {}, 'good')
  writeHarborTask(suite, { 'task.toml': 'x' }, 'broken')
  const line = 'warning: broken is left out: broken/task.toml: line 1'

  const proven = await run('suite', 'verify', suite)
  expect([proven.code, countOf(line, proven.stderr)], proven.stderr).toEqual([1, 1])

  const reference = ['--suite', suite, '--subject', 'reference']
  const ran = await run('run', ...reference, '--out', join(root, 'run'), '--json')
  expect([ran.code, countOf(line, ran.stderr)], ran.stderr).toEqual([0, 1])
  expect(lastJson(ran.stdout)).toMatchObject({ planned: 1, solved: 1 })

  const request = await run(
    'plan',
    ...reference,
    '--tasks',
    'broken',
    '--out',
    join(root, 'p.json'),
  )
  expect([request.code, request.stdout]).toEqual([2, ''])
  expect(request.stderr).toContain('broken is left out: broken/task.toml: line 1')
})

function countOf(words: string, text: string): number {
  return text.split(words).length - 1
}
