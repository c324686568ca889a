import { describe, expect, it } from 'vitest'
import {
  History,
  MINE,
  MY_OTHER_TOKEN,
  measure,
  suite,
} from '#lib/testing/factories/board-history.ts'
import { SAMPLE_AGENT, SAMPLE_SETTINGS, sampleRun } from '#lib/testing/factories/sample-run.ts'
import {
  digestArm,
  type EpisodeFact,
  entryOf,
  expandPlan,
  freezePlan,
  type Plan,
} from '../record/index.ts'
import type { BoardRow } from './board-row.ts'
import { rowNotices } from './row-notices.ts'

// Results that a sender withholds, splits, renames or has removed are shown on the row, or the row is not ranked.
const TEN = Array.from({ length: 9 }, (_, at) => at + 1)
const find = (history: History, runId: string, arm?: string): BoardRow =>
  history.rows().find((row) => row.runIds.includes(runId) && row.subject.arm === arm) as BoardRow
const codes = ({ refusals }: BoardRow) => refusals.map(({ code }) => code)

const armOf = (name: string, promptPrefix?: string) => {
  const content = { files: [], mcpServers: [], ...(promptPrefix && { promptPrefix }) }
  return { name, ...content, digest: digestArm(content) }
}

function armedRun(runId: string, names: readonly string[]) {
  const { run, facts } = sampleRun({ suite, repetitions: 3, runId })
  const { planDigest: _, frozenAt: __, schemaVersion: ___, ...draft } = run.plan
  const arms = names.map((name, at) => armOf(name, at === 0 ? undefined : `Think ${at} times.`))
  const plan: Plan = freezePlan({ ...draft, arms }, { now: run.plan.frozenAt })
  const ofArm = (name: string): EpisodeFact[] =>
    expandPlan(plan)
      .filter(({ arm }) => arm === name)
      .map(({ taskId, repetition }) => ({
        ...(facts.find((fact) => fact.taskId === taskId) as EpisodeFact),
        ...entryOf(plan, name),
        planDigest: plan.planDigest,
        repetition,
        episodeId: `ep_${taskId}_${repetition}`,
      }))
  return { plan, ofArm }
}

describe('arms of one run', () => {
  const NAMES = ['baseline', 'skill-a', 'skill-b']

  it('are ranked when all of them came in', () => {
    const history = new History()
    const { plan, ofArm } = armedRun('run_arms00001', NAMES)
    history.register(plan, ['run_arms00001'], MINE)
    history.receive({ runId: 'run_arms00001', plan }, NAMES.flatMap(ofArm), MINE)
    for (const row of history.rows()) expect(row.refusals).toEqual([])
  })

  it('are not ranked while another arm is missing or incomplete', () => {
    const history = new History()
    const { plan, ofArm } = armedRun('run_arms00001', NAMES)
    history.register(plan, ['run_arms00001'], MINE)
    const sent = [...ofArm('skill-a'), ...ofArm('skill-b').slice(0, 1)]
    history.receive({ runId: 'run_arms00001', plan }, sent, MINE)
    const row = find(history, 'run_arms00001', 'skill-a')
    expect(codes(row)).toEqual(['complete'])
    expect(row.refusals[0]?.reason).toMatch(/baseline.*skill-b/)
  })
})

describe('other plans of a sender', () => {
  it('without results stand beside the rate, under whatever name', () => {
    const history = new History()
    for (const at of TEN) {
      const subject = { ...SAMPLE_AGENT, name: `best-agent-${at}` }
      const { run } = sampleRun({ suite, repetitions: 3, runId: `run_name0000${at}`, subject })
      history.register(run.plan, [run.runId], MINE)
    }
    measure(history, 'run_sent00001')
    expect(rowNotices(find(history, 'run_sent00001'))).toEqual([
      '9 other registered plans of its sender without all results',
    ])
  })

  it('of other versions are not settled by one excluded episode each', () => {
    const history = new History()
    for (const at of TEN) {
      const subject = { ...SAMPLE_AGENT, version: `1.0.${at}` }
      const status = () => 'void' as const
      const made = { subject, status, change: () => ({ verdict: null }) }
      measure(history, `run_stub0000${at}`, made, (_fact, index) => index === 0)
    }
    measure(history, 'run_sent00001')
    expect(rowNotices(find(history, 'run_sent00001'))).toEqual([
      '9 unfinished entries of this agent or library from the same sender',
    ])
  })

  it('of several runs are not settled by one of them', () => {
    const history = new History()
    const subject = { ...SAMPLE_AGENT, version: '1.0.1' }
    const { run, facts } = sampleRun({ suite, repetitions: 3, runId: 'run_other0001', subject })
    history.register(run.plan, ['run_other0001', 'run_other0002'], MINE)
    history.receive(run, facts, MINE)
    measure(history, 'run_sent00001')
    expect(rowNotices(find(history, 'run_sent00001'))).toEqual([
      '1 registered plan without all results',
    ])
  })

  it('that differ only in spaces of the custom instruction are expected', () => {
    const history = new History()
    for (const at of TEN) {
      const settings = { customInstruction: `Be careful.${' '.repeat(at)}` }
      const { run } = sampleRun({ suite, repetitions: 3, runId: `run_space000${at}`, settings })
      history.register(run.plan, [run.runId], MINE)
    }
    measure(history, 'run_sent00001', { settings: { customInstruction: 'Be careful.' } })
    expect(codes(find(history, 'run_sent00001'))).toEqual(['registered'])
  })
})

describe('one subject in several entries', () => {
  it('split by the text of its instruction says so', () => {
    const history = new History()
    const status = () => 'unsolved' as const
    measure(history, 'run_bad000001', { status, settings: { customInstruction: 'Be quick.' } })
    measure(history, 'run_good00001', { settings: { customInstruction: 'Be careful.' } })
    expect(rowNotices(find(history, 'run_good00001'))).toEqual([
      'one of 2 entries of this agent or library from the same sender',
    ])
  })

  it('split by two tokens of one account says so', () => {
    const history = new History()
    measure(history, 'run_bad000001', { status: () => 'unsolved' as const })
    measure(history, 'run_good00001', { by: MY_OTHER_TOKEN })
    expect(rowNotices(find(history, 'run_good00001'))).toEqual([
      'one of 2 entries of this agent or library from the same sender',
    ])
  })

  it('of which the bad one was removed says so', () => {
    const history = new History()
    const settings = { maxTokens: 2 * (SAMPLE_SETTINGS.maxTokens ?? 0) }
    measure(history, 'run_bad000001', { status: () => 'unsolved' as const, settings })
    measure(history, 'run_good00001')
    history.correct({ kind: 'remove', target: 'run_bad000001' })
    expect(rowNotices(find(history, 'run_good00001'))).toEqual([
      '1 registered run removed from the ledger',
    ])
  })
})

describe('a library', () => {
  it('that does not come with Proofboard is ranked where it ran here alone', () => {
    const library = { kind: 'library' as const, provider: null, modelRequested: null }
    const subject = { ...SAMPLE_AGENT, ...library, name: 'fastest-browser' }
    const sent = new History()
    measure(sent, 'run_library01', { subject })
    expect(codes(find(sent, 'run_library01'))).toEqual(['harness'])
    const here = new History()
    measure(here, 'run_library02', { subject, by: null, change: () => ({ provenance: 'local' }) })
    expect(codes(find(here, 'run_library02'))).toEqual([])
  })
})

describe('a number about another vendor’s model', () => {
  it('rests on more than untouched stubs', () => {
    const history = new History()
    measure(history, 'run_defame001', { status: () => 'unsolved' as const })
    const [row] = history.rows(() => true)
    expect(codes(row as BoardRow)).toEqual(['evaluated-here'])
  })

  it('may have some of them', () => {
    const history = new History()
    const status = (task: number) => (task < 4 ? ('unsolved' as const) : ('solved' as const))
    measure(history, 'run_weak00001', { status })
    const [row] = history.rows(({ status: ended }) => ended === 'unsolved')
    expect(codes(row as BoardRow)).toEqual([])
  })

  it('names the model that answered under a declared name', () => {
    const history = new History()
    const subject = { ...SAMPLE_AGENT, aliases: ['model-large'] }
    const models = [
      { model: 'model-large', asked: ['model-x-1'], calls: 3, input: 10, output: 5, toolCalls: 1 },
    ]
    measure(history, 'run_alias0001', {
      subject,
      change: () => ({ models, modelObserved: ['model-large'] }),
    })
    const [row] = history.rows()
    expect(row?.modelShares?.models).toEqual([{ model: 'model-large', role: 'pinned', share: 1 }])
  })
})
