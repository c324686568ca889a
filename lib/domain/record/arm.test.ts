import { describe, expect, it } from 'vitest'
import { SAMPLE_AGENT, SAMPLE_SETTINGS } from '#lib/testing/factories/sample-run.ts'
import { digestJson } from '../digest/index.ts'
import { listArmParts } from './arm-words.ts'
import { countSlots, expandPlan } from './expand-plan.ts'
import {
  type Arm,
  armSchema,
  digestArm,
  entriesOf,
  entryOf,
  freezePlan,
  orderArms,
  type Plan,
  planSchema,
  refuseBaseline,
} from './plan.ts'

function arm(name: string, content: Partial<Arm> = {}): Arm {
  const whole = { files: [], mcpServers: [], ...content }
  return { name, digest: digestArm(whole), ...whole }
}

const BASELINE = arm('baseline')
const SKILL = arm('skill-x', {
  files: [{ path: 'AGENTS.md', text: 'Read the tests first.' }],
  settings: { maxSteps: 20 },
  agentVersion: '2.0.0',
  version: '2.0.0-build',
})

function planOf(arms: Arm[] | undefined, tasks = ['a', 'b', 'c'], repetitions = 4): Plan {
  return freezePlan(
    {
      suiteId: 'sample',
      suiteDigest: digestJson('suite'),
      tasks: tasks.map((taskId) => ({ taskId, digest: digestJson(taskId), category: 'x' })),
      subject: SAMPLE_AGENT,
      command: null,
      repetitions,
      ...(arms && { arms }),
      settings: SAMPLE_SETTINGS,
      policyVersion: 1,
    },
    { now: '2026-11-23T00:00:00.000Z' },
  )
}

describe('an arm named baseline', () => {
  it('is empty, also where the plan has no other arm', () => {
    expect(refuseBaseline(planOf([BASELINE, SKILL]))).toBeNull()
    expect(refuseBaseline(planOf(undefined))).toBeNull()
    const full = arm('baseline', { promptPrefix: 'Give up.' })
    expect(refuseBaseline(planOf([full, SKILL]))).toContain('must be empty')
    const alone = { ...planOf(undefined).subject, arm: 'baseline', armDigest: full.digest }
    expect(refuseBaseline({ subject: alone })).toContain('must be empty')
    expect(planSchema.safeParse(planOf([full])).success, 'stored plans stay readable').toBe(true)
  })
})

describe('the content of an arm', () => {
  it('is covered by its digest, byte for byte, and not by its name', () => {
    const digest = digestArm(SKILL)
    const changes: Partial<Arm>[] = [
      { files: [{ path: 'AGENTS.md', text: 'Read the tests first!' }] },
      { files: [{ path: 'CLAUDE.md', text: 'Read the tests first.' }] },
      { files: [{ path: 'AGENTS.md', text: 'Read the tests first.', executable: true }] },
      { mcpServers: [{ name: 'db', command: 'db', args: [], env: {} }] },
      { promptPrefix: 'x' },
      { settings: { maxSteps: 21 } },
      { agentVersion: '2.0.1' },
    ]
    for (const change of changes) expect(digestArm({ ...SKILL, ...change })).not.toBe(digest)
    expect(digestArm({ ...SKILL })).toBe(digest)
    expect(armSchema.safeParse({ ...SKILL, name: 'other' }).success).toBe(true)
    expect(armSchema.safeParse({ ...SKILL, promptPrefix: 'slipped in' }).success).toBe(false)
  })

  it('is told part by part', () => {
    expect(listArmParts(SKILL)).toEqual([
      '1 file: AGENTS.md',
      'max steps 20',
      'agent version 2.0.0',
    ])
    expect(listArmParts(BASELINE)).toEqual([])
  })
})

describe('a plan with arms', () => {
  const plan = planOf([BASELINE, SKILL])

  it('has an entry for each arm, with what the arm changes', () => {
    expect(entriesOf(plan).map(({ subject }) => [subject.arm, subject.version])).toEqual([
      ['baseline', SAMPLE_AGENT.version],
      ['skill-x', '2.0.0-build'],
    ])
    expect(entryOf(plan, 'skill-x')?.settings).toEqual({ ...SAMPLE_SETTINGS, maxSteps: 20 })
    expect(entryOf(plan, undefined)).toBeNull()
    const topUp = { ...plan, ...entryOf(plan, 'skill-x'), arms: [SKILL] }
    expect(entriesOf(topUp)).toEqual([entryOf(plan, 'skill-x')])
  })

  it('runs every arm once in each block of a task, in an order that the seed draws', () => {
    const slots = expandPlan(plan)
    expect(slots).toHaveLength(24)
    expect(countSlots(plan)).toBe(24)
    for (let at = 0; at < slots.length; at += 2) {
      const [one, other] = slots.slice(at, at + 2)
      expect(one?.taskId).toBe(other?.taskId)
      expect([one?.arm, other?.arm].sort()).toEqual(['baseline', 'skill-x'])
    }
    const first = slots.filter((_, at) => at % 2 === 0).map(({ arm: name }) => name)
    expect(new Set(first).size).toBe(2)
    const reseeded = { ...plan, settings: { ...plan.settings, seed: 2 } }
    expect(expandPlan(reseeded)).not.toEqual(slots)
    expect(orderArms([SKILL, BASELINE], { seed: 1, taskId: 'a', block: 1 })).toEqual(
      orderArms([BASELINE, SKILL], { seed: 1, taskId: 'a', block: 1 }),
    )
  })

  it('is cut into shards between blocks, disjoint and together complete', () => {
    const shards = [1, 2, 3, 4, 5].map((index) => expandPlan(plan, { index, count: 5 }))
    for (const shard of shards) {
      const names = shard.map(({ arm: name }) => name)
      expect(names.filter((name) => name === 'baseline')).toHaveLength(names.length / 2)
    }
    const key = ({ taskId, repetition }: { taskId: string; repetition: number }) =>
      `${taskId}/${repetition}`
    expect(shards.flat().map(key).sort()).toEqual(expandPlan(plan).map(key).sort())
  })

  it('refuses two arms of one name, and leaves plans without arms as they were', () => {
    expect(planSchema.safeParse({ ...plan, arms: [SKILL, SKILL] }).success).toBe(false)
    const plain = planOf(undefined)
    expect(Object.keys(plain)).not.toContain('arms')
    expect(expandPlan(plain).every((slot) => !('arm' in slot))).toBe(true)
    expect(entriesOf(plain)).toEqual([{ subject: plain.subject, settings: plain.settings }])
  })
})
