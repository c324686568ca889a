import { expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { type Arm, digestArm, expandPlan, type OutcomeStatus } from '../record/index.ts'
import { countArms } from './count-arms.ts'

const arm = (name: string, promptPrefix?: string): Arm => {
  const content = { files: [], mcpServers: [], ...(promptPrefix && { promptPrefix }) }
  return { name, ...content, digest: digestArm(content) }
}

const { run, facts } = sampleRun({ suite: sampleBoardSuite(2), repetitions: 4 })
const plan = { ...run.plan, repetitions: 2, arms: [arm('baseline'), arm('careful', 'Read first.')] }
const slots = expandPlan(plan)
const ofSlot = (position: number, status: OutcomeStatus, more = {}) => {
  const slot = slots[position] ?? expect.unreachable()
  const fact =
    facts.find((one) => one.taskId === slot.taskId && one.repetition === slot.repetition) ??
    expect.unreachable()
  return { ...fact, status, subject: { ...fact.subject, arm: slot.arm ?? '' }, ...more }
}
const ofArm = (name: string) => slots.flatMap((slot, at) => (slot.arm === name ? [at] : []))

it('counts each arm of a run by the last attempt of each slot', () => {
  const [first = 0, second = 0, third = 0] = ofArm('careful')
  const [base = 0] = ofArm('baseline')
  const used = (value: boolean | null) => ({ activation: { offered: value, used: value } })
  const sealed = [
    ofSlot(base, 'unsolved'),
    ofSlot(first, 'void', { episodeId: 'ep_first' }),
    ofSlot(first, 'solved', { attempt: 2, ...used(true) }),
    ofSlot(second, 'unsolved', used(null)),
    ofSlot(third, 'void'),
  ]
  expect(countArms(plan, sealed, null)).toEqual([
    { arm: 'baseline', planned: 4, attempts: 1, scored: 1, solved: 0, voids: 0 },
    {
      arm: 'careful',
      planned: 4,
      attempts: 4,
      scored: 2,
      solved: 1,
      voids: 1,
      activation: {
        episodes: 2,
        offered: { yes: 1, known: 1 },
        used: { yes: 1, known: 1 },
      },
    },
  ])
})

it('shows an arm without an attempt, and nothing of a plan without arms', () => {
  expect(countArms(plan, [], null).map(({ arm: name, attempts }) => [name, attempts])).toEqual([
    ['baseline', 0],
    ['careful', 0],
  ])
  expect(countArms(run.plan, facts, null)).toEqual([])
})
