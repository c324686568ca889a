import { describe, expect, it } from 'vitest'
import {
  comparisonInputOf,
  numberedVersion,
  sampleRow,
  sampleTasks,
} from '#lib/testing/factories/sample-rows.ts'
import { SAMPLE_AGENT } from '#lib/testing/factories/sample-run.ts'
import type { BoardRow } from '../board/index.ts'
import { digestJson } from '../digest/index.ts'
import { EMPTY_ARM_DIGEST } from '../record/index.ts'
import { buildComparison } from './build-comparison.ts'
import { formatArms } from './format-arms.ts'

const TASKS = 20
const suite = numberedVersion(TASKS)

function armRow(arm: string, solved: readonly number[], changes: Partial<BoardRow> = {}) {
  const cost = changes.driven === undefined ? (arm === 'baseline' ? 1000 : 1500) : null
  const tasks = sampleTasks(solved, 10).map((task) => ({
    ...task,
    spent: { subjectMs: 0, tokens: 0, costMicroUsd: cost && cost * 10, solvedCostMicroUsd: null },
  }))
  return sampleRow(arm, suite, tasks, {
    subject: {
      ...SAMPLE_AGENT,
      arm,
      armDigest: arm === 'baseline' ? EMPTY_ARM_DIGEST : digestJson(arm),
    },
    runIds: ['run_of_all'],
    ...changes,
  })
}

function viewOf(...rows: BoardRow[]) {
  const view = buildComparison(comparisonInputOf(rows, [suite]))
  if (!view.ok) throw new Error(view.reason)
  return view
}

const LOW = Array.from({ length: TASKS }, (_, task) => 2 + (task % 3))
const HIGH = LOW.map((solved) => solved + 3)

describe('arms against their baseline', () => {
  const seen = { episodes: 200, offered: { yes: 200, known: 200 }, used: { yes: 155, known: 200 } }
  const view = viewOf(
    armRow('skill-x', HIGH, { activation: seen }),
    armRow(
      'same',
      LOW.map((solved, task) => solved + (task % 2 === 0 ? 1 : -1)),
    ),
    armRow('baseline', LOW),
  )

  it('have effect, interval and verdict of the comparison that the page shows, corrected for all pairs', () => {
    const [skill, same] = view.arms?.effects ?? []
    const pair = view.pairs.find(({ a, b }) => a === 'row_skill-x' && b === 'row_baseline')
    expect(skill?.difference).toEqual(pair?.result)
    expect(skill?.difference?.verdict.kind).toBe('better')
    expect(skill?.difference?.difference).toBeCloseTo(0.3)
    expect(view.multiplicity.tested).toBe(3)
    expect(same?.difference?.verdict.kind).not.toBe('better')
    expect(skill?.more).toBeNull()
  })

  it('say what one more solved task costs, or why not', () => {
    const [skill, same] = view.arms?.effects ?? []
    // 500 micro-dollars more for .3 tasks more.
    expect(skill?.costPerGain).toMatchObject({ ok: true, microUsd: expect.closeTo(500 / 0.3, 6) })
    expect(same?.costPerGain).toEqual({
      ok: false,
      reason: 'Not stated, because the arm is not shown to solve more than the baseline.',
    })
    const unknown = viewOf(armRow('x', HIGH, { driven: 'scripted' }), armRow('baseline', LOW))
    expect(unknown.arms?.effects[0]?.costPerGain).toEqual({
      ok: false,
      reason: 'The cost of some scored episodes is unknown.',
    })
  })

  it('say whether the treatment was used, and how many more runs would decide', () => {
    const lines = formatArms(view.arms ?? { effects: [], notes: [] }).join('\n')
    expect(lines).toContain(
      'Its content reached the model, or its tools were called, in 155 of 200 attempts; offered in 200.',
    )
    const few = viewOf(
      armRow(
        'x',
        LOW.map((solved, task) => solved + (task % 4 === 0 ? 4 : -1)),
      ),
      armRow('baseline', LOW),
    )
    const [effect] = few.arms?.effects ?? []
    expect(effect?.difference?.verdict.kind).toBe('cannot-tell')
    expect(effect?.more?.sentence).toMatch(
      /would(?: not)? decide a difference of \d+ points \(80 % power\)/,
    )
    const five = viewOf(armRow('x', HIGH.slice(0, 5)), armRow('baseline', LOW.slice(0, 5)))
    expect(five.arms?.effects[0]?.more, 'no test over five tasks can decide').toMatchObject({
      repetitions: null,
      tasks: 7,
    })
  })

  it('tell arms of one run apart from entries with other settings, and say where they ran apart', () => {
    const limited = { ...LOW_SETTINGS, maxSteps: 20 }
    const own = viewOf(
      armRow('x', HIGH, { settings: limited, armParts: ['max steps 20'] }),
      armRow('baseline', LOW),
    )
    expect(own.standing).toMatchObject({
      kind: 'claim',
      text: expect.stringMatching(
        /and are arms of the same runs\. Their arms: .*x puts in max steps 20; .*baseline puts in nothing\.$/,
      ),
    })
    const apart = viewOf(armRow('x', HIGH, { runIds: ['run_other'] }), armRow('baseline', LOW))
    expect(apart.arms?.notes).toEqual([expect.stringContaining('did not run in the same runs')])
  })

  it('say what an arm puts in, and are not drawn from a baseline that puts in something', () => {
    const arm = armRow('x', HIGH, { armParts: ['1 file: AGENTS.md'] })
    expect(viewOf(arm, armRow('baseline', LOW)).arms?.effects[0]?.sentence).toMatch(
      /^x \(1 file: AGENTS\.md\) is better than baseline on these tasks.*: 30 points \(/,
    )
    const full = armRow('baseline', LOW, {
      subject: { ...SAMPLE_AGENT, arm: 'baseline', armDigest: digestJson('sabotage') },
    })
    expect(viewOf(arm, full).arms).toBeUndefined()
  })

  it('are nothing where no arm has a baseline beside it', () => {
    expect(viewOf(armRow('x', HIGH), armRow('y', LOW)).arms).toBeUndefined()
    expect(
      viewOf(sampleRow('a', suite, sampleTasks(HIGH)), armRow('baseline', LOW)).arms,
    ).toBeUndefined()
  })
})

const LOW_SETTINGS = armRow('baseline', LOW).settings
