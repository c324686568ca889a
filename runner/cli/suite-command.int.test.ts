import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson, temporarySuite } from '#lib/testing/factories/proofboard-command.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-suite-command-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))

it('does not hand a copy of a suite under another name to the server, which would take its board', {
  tags: 'night',
}, async () => {
  temporarySuite(dataDir, 'mine', ['lru-cache'])
  temporarySuite(dataDir, 'mine-again', ['lru-cache'])
  temporarySuite(dataDir, 'other', ['lru-cache', 'money-allocator'])
  const { code, stdout } = await proofboardHere(dataDir, ['suite', 'list', '--whole', '--json'])
  expect(code).toBe(0)
  const { suites } = lastJson(stdout) as {
    suites: { suiteId: string; suite: unknown; problem?: string }[]
  }
  const own = suites.filter(({ suiteId }) => /mine|other/.test(suiteId))
  expect(own.map(({ suiteId, suite }) => [suiteId, suite !== null])).toEqual([
    ['mine', true],
    ['mine-again', false],
    ['other', true],
  ])
  expect(own[1]?.problem).toMatch(/^the suite mine-again has the same tasks as mine, whose board/)
})
