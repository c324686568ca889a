import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JudgedRow } from '#lib/domain/board/index.ts'
import type { Bundle, Plan } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { demoRun } from '#lib/testing/factories/demo/demo-run.ts'
import { DEMO_ROWS, demoSuite } from '#lib/testing/factories/demo/demo-suites.ts'
import type { CommandEnd } from '#lib/testing/factories/proofboard-command.ts'

let folder: string
const suite = demoSuite()
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-check-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A result.json of one demo row, changed as the test wants. */
type DemoBundle = Omit<Bundle, 'plan'> & { plan: Plan }

function result(
  place: number,
  change: (bundle: DemoBundle) => DemoBundle = (bundle) => bundle,
): string {
  const row = DEMO_ROWS[place] as (typeof DEMO_ROWS)[number]
  const { runId, plan, episodes } = demoRun(row, place, suite)
  const lock = episodes[0]?.environment as Bundle['lock']
  const shard = { index: 1, count: 1 }
  const whole = { kind: 'proofboard-result' as const, schemaVersion: 1 as const }
  const file = join(folder, `${place}-${Math.random().toString(36).slice(2)}.json`)
  writeFileSync(file, JSON.stringify(change({ ...whole, runId, plan, lock, shard, episodes })))
  return file
}

const proofboard = (...args: string[]): Promise<CommandEnd> => proofboardHere(folder, args)

async function check(...args: string[]): Promise<{ code: number | null; rows: JudgedRow[] }> {
  const { code, stdout } = await proofboard('check', ...args, '--json')
  const { rows } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { rows: JudgedRow[] }
  return { code, rows }
}

const codes = (rows: readonly JudgedRow[]) => rows[0]?.reasons.map(({ code }) => code)

describe('check applies the evidence rules', () => {
  it('calls a whole agent row a claim, with its interval', async () => {
    const { code, rows } = await check(result(0), '--claim')
    expect(code).toBe(0)
    expect(rows).toMatchObject([
      { eligible: true, label: 'primary', reasons: [], suiteKnown: false, provenance: 'token' },
    ])
    expect(rows[0]?.success.tasks).toBe(20)
  })

  it('refuses the same row without a voucher', async () => {
    const { code, rows } = await check(result(0), '--as', 'manual', '--claim')
    expect([code, codes(rows)]).toEqual([1, ['provenance']])
  })

  it('refuses episodes that started before the plan was frozen', async () => {
    const late = (bundle: DemoBundle) => ({
      ...bundle,
      plan: { ...bundle.plan, frozenAt: '2026-11-20T00:00:00.000Z' },
    })
    // The made-up library is not one of those that come with Proofboard.
    expect(codes((await check(result(4, late))).rows)).toEqual(['harness', 'frozen-plan'])
    expect(codes((await check(result(0, late))).rows)).toEqual(['llm-pins'])
  })

  it('refuses a part as incomplete, few samples as smoke, with a text and a fix each', async () => {
    const part = (bundle: DemoBundle) => ({ ...bundle, episodes: bundle.episodes.slice(0, 30) })
    expect(codes((await check(result(0, part))).rows)).toEqual(['samples', 'complete'])
    const { rows } = await check(result(10))
    expect(rows).toMatchObject([{ eligible: false, label: 'smoke' }])
    for (const { text, fix } of rows[0]?.reasons ?? [{ text: '', fix: '' }]) {
      expect(text).toMatch(/\.$/)
      expect(fix).toMatch(/\.$/)
    }
  })

  it('takes several results together and refuses the same one twice', async () => {
    const [first, second] = [result(0), result(1)]
    expect((await check(first, second)).rows.map(({ eligible }) => eligible)).toEqual([true, true])
    const twice = await proofboard('check', first, first)
    expect(twice).toMatchObject({ code: 2 })
    expect(twice.stderr.trim()).toMatch(/^run_\w+ is listed twice: list each result once$/)
  })

  it('refuses settings other than the planned ones and an edited episode, and says where', async () => {
    const other = (bundle: DemoBundle) => ({
      ...bundle,
      plan: { ...bundle.plan, settings: { ...bundle.plan.settings, maxSteps: 61 } },
    })
    const { code, stdout } = await proofboard('check', result(0, other), '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, rows: [] })
    expect(stdout).toContain('plan.planDigest')
  })
})
