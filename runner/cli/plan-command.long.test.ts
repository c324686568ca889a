import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  aboutSamples,
  place,
  proofboard,
  repetitions,
  start,
  withSmallSuite,
} from '#lib/testing/cases/planned-runs.ts'
import { lastJson, pollUntil } from '#lib/testing/factories/proofboard-command.ts'

withSmallSuite()

it('a top-up goes on after kill -9 and makes no slot twice', async () => {
  const agent = ['--command', 'sleep 0.3', '--name', 'sleeper', '--subject-version', '1.0.0']
  const out = place('first')
  await proofboard('run --suite small --tasks lru-cache --concurrency 2 --out', out, ...agent)
  await proofboard('plan --samples 2 --out', place('more.json'), '--top-up', out)
  expect(repetitions('more.json')).toEqual({
    'glob-matcher': [1, 2],
    'lru-cache': [2],
    'rate-limiter': [1, 2],
  })
  const more = place('more')
  const args = ['--out', more, '--json']
  const { child, ended } = start('run --plan', place('more.json'), ...args)
  await pollUntil(() => existsSync(join(more, 'episodes', 'lru-cache', 'r2-a1', 'episode.json')))
  child.kill('SIGKILL')
  await ended
  const early = await proofboard('plan --top-up', out, more)
  expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('finish its run first')])
  const resumed = await proofboard('run --plan', place('more.json'), ...args)
  expect(lastJson(resumed.stdout)).toMatchObject({ planned: 5, sealed: 5, unsolved: 5, void: 0 })
  const rest = await proofboard('plan --samples 2 --top-up', out, more)
  expect([rest.code, rest.stdout]).toEqual([0, expect.stringMatching(/^No episodes are missing/)])
  expect(await aboutSamples('first', 'more')).toEqual(['samples'])
})
