import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parseBundle } from '#lib/domain/record/index.ts'
import type { RunOptions } from './run-options.ts'
import { runPair } from './run-pair.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-pair-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sideOf = (subject: string) => ({
  name: subject,
  run: {
    suite: 'typescript',
    subject,
    tasks: ['lru-cache', 'rate-limiter'],
    repetitions: 5,
    concurrency: 2,
    out: join(folder, subject),
  } as RunOptions & { out: string },
})

it('stops two plans at the look that decides between them, and leaves them stopped', async () => {
  const sides = ['reference', 'nop'].map(sideOf)
  const options = { stopWhen: 'decided', repetitions: 5 } as const
  const place = { folder, suite: 'typescript', signal: new AbortController().signal }
  const decided = await runPair(sides, options, place)
  expect(decided).toMatchObject({ verdict: 'better', side: 'a', look: 2, after: 8, planned: 20 })
  const bundles = sides.map(({ run }) => {
    const parsed = parseBundle(JSON.parse(readFileSync(join(run.out, 'result.json'), 'utf8')))
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
    return parsed.value
  })
  expect(bundles.map(({ episodes }) => episodes.length)).toEqual([4, 4])
  const [a, b] = bundles.map(({ plan }) => plan.stop?.pair)
  expect([a?.side, b?.side, a?.digest]).toEqual(['a', 'b', b?.digest])
  expect(await runPair(sides, options, place)).toMatchObject({ after: 8 })
})
