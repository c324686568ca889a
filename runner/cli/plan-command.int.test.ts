import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  aboutSamples,
  place,
  proofboard,
  readPlan,
  repetitions,
  withSmallSuite,
} from '#lib/testing/cases/planned-runs.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'

withSmallSuite()

describe('proofboard plan --explain', () => {
  it('explains and freezes nothing, or freezes too with --out', async () => {
    const out = place('plan.json')
    const line = 'plan --suite small --subject flaky --repetitions 2 --explain'
    const { code, stdout } = await proofboard(line)
    expect([code, existsSync('plan.json')]).toEqual([0, false])
    expect(stdout).toMatch(/^6 episodes \(3 tasks × 2\): not ranked yet/)
    expect(stdout).toContain('mode: This is a control run; it tests the harness.')
    expect(stdout).toContain('Assumption: success probabilities')
    expect(stdout).toContain('Cost  $0\n')
    const frozen = await proofboard(`${line} --json --out`, out)
    const result = lastJson(frozen.stdout)
    expect(result).toMatchObject({ planPath: out, episodes: 6, explanation: { episodes: 6 } })
    expect(readPlan('plan.json').planDigest).toBe(result.planDigest)
  })

  it('learns from results of the data folder and from named ones, and says which', {
    tags: 'night',
  }, async () => {
    const two = '--tasks lru-cache,rate-limiter --repetitions 2'
    await proofboard(`run --suite small --subject flaky ${two}`)
    const line = 'plan --suite small --subject flaky --explain --json'
    const kept = lastJson((await proofboard(line)).stdout).explanation
    expect(kept).toMatchObject({
      assumptions: { spread: expect.stringContaining('from the entry flaky') },
      time: {
        expected: expect.any(Number),
        basis: expect.stringMatching(/^Based on 4 episodes/),
      },
      cost: { expected: 0 },
    })
    await proofboard('run --suite small --subject flaky --tasks lru-cache --out', place('one'))
    const named = await proofboard(`${line} --past`, place('one'))
    expect(lastJson(named.stdout).explanation).toMatchObject({
      time: { basis: expect.stringMatching(/^Based on 1 episode of flaky/) },
    })
    const lost = await proofboard(`${line} --past`, place('nowhere'))
    expect([lost.code, lost.stderr.trim()]).toEqual([2, `cannot read ${place('nowhere')}: ENOENT`])
  })
})

describe('proofboard plan --top-up', () => {
  it('plans exactly what is missing, runs it in shards, and then finds nothing missing', {
    tags: 'night',
  }, async () => {
    const out = place('first')
    await proofboard(
      'run --suite small --subject flaky --tasks lru-cache,rate-limiter --repetitions 3 --out',
      out,
    )
    expect(await aboutSamples('first')).toEqual(['samples'])
    const planned = await proofboard('plan --json --out', place('more.json'), '--top-up', out)
    expect(lastJson(planned.stdout)).toMatchObject({ episodes: 4, needs: { length: 3 } })
    expect(repetitions('more.json')).toEqual({ 'glob-matcher': [1, 2, 3, 4] })
    for (const shard of ['1/2', '2/2']) {
      const half = place(`half${shard[0]}`)
      const run = await proofboard(`run --shard ${shard} --plan`, place('more.json'), '--out', half)
      expect(run.code).toBe(0)
      expect(run.stdout).toContain('2 ')
      expect(run.stdout).toMatch(/^adds to run_\w+: give all their results/m)
      expect((await proofboard('check', join(half, 'result.json'))).code).toBe(0)
    }
    expect(await aboutSamples('first', 'half1', 'half2')).toEqual([])
    const all = [out, place('half1'), place('half2')]
    const nothing = await proofboard('plan --out', place('none.json'), '--top-up', ...all)
    expect([nothing.code, existsSync(place('none.json'))]).toEqual([0, false])
    expect(nothing.stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^No episodes are missing\. .*for other reasons \(mode/),
    ])
    const goal = await proofboard(
      'plan --per-task --json --out',
      place('p.json'),
      '--top-up',
      ...all,
    )
    expect(lastJson(goal.stdout).episodes).toBe(60 - 10)
  })

  it('plans what is missing, and refuses in one line what it cannot add to', async () => {
    const out = place('first')
    await proofboard('run --suite small --subject nop --tasks lru-cache --out', out)
    await proofboard('run --suite small --subject flaky --tasks lru-cache --out', place('other'))
    const more = await proofboard('plan --samples 2 --out', place('p.json'), '--top-up', out)
    expect(more.code, more.stderr).toBe(0)
    const both = { 'glob-matcher': [1, 2], 'lru-cache': [2], 'rate-limiter': [1, 2] }
    expect(repetitions('p.json')).toEqual(both)
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await proofboard('plan --top-up', ...args)
      expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1])
      return stderr
    }
    expect(await refused(out, place('other'))).toMatch(
      /belong to 2 entries \((flaky 1\.0\.0; nop 1\.0\.0|nop 1\.0\.0; flaky 1\.0\.0)\)/,
    )
    expect(await refused(out, '--subject', 'nop')).toContain('remove --subject')
    expect(await refused(out, '--repetitions', '3')).toContain('remove --repetitions')
    const result = join(out, 'result.json')
    const text = readFileSync(result, 'utf8')
    writeFileSync(result, text.replace('"repetitions":1', '"repetitions":2'))
    expect(await refused(out)).toContain('is not a complete result')
    writeFileSync(result, text)
    const about = place('data/suites/small/lru-cache/.docs/instructions.md')
    writeFileSync(about, 'Other instructions.\n')
    expect(await refused(out)).toContain('The suite has changed since this entry was measured')
  })
})
