import { describe, expect, it } from 'vitest'
import {
  again,
  History,
  local,
  MINE,
  MY_OTHER_TOKEN,
  measure,
  onMachine,
  START,
  shardFacts,
  suite,
  topUp,
  unjudged,
  WORKFLOW,
} from '#lib/testing/factories/board-history.ts'
import { type SampleRunOptions, sampleRun } from '#lib/testing/factories/sample-run.ts'
import type { BoardRow } from './board-row.ts'
import { rowNotices } from './row-notices.ts'

function ranked(history: History, notices: string[] = []): BoardRow {
  const [row] = history.rows()
  expect(row?.refusals).toEqual([])
  expect(row?.rank).not.toBeNull()
  expect(rowNotices(row as BoardRow)).toEqual(notices)
  return row as BoardRow
}

/** Expects an unranked row with one reason and a remedy. */
function told(history: History, code: string, remedy: RegExp): BoardRow {
  const [row] = history.rows()
  expect(row?.refusals.map((refusal) => refusal.code)).toEqual([code])
  expect(row?.refusals[0]?.remedy).toMatch(remedy)
  return row as BoardRow
}

// Honest measurements stay ranked, or one sentence says what to do.
describe('an honest history', () => {
  it('1: one finished run is ranked', () => {
    const history = new History()
    measure(history, 'run_whole0001')
    ranked(history)
  })

  it('2: a crash of the runner: the attempt is excluded and run again', () => {
    const history = new History()
    const { run, facts } = sampleRun({ suite, repetitions: 3, runId: 'run_crash0001' })
    history.register(run.plan, [run.runId], MINE)
    history.receive(
      run,
      facts.flatMap((fact, at) => (at === 4 ? again(fact, 'void') : fact)),
      MINE,
    )
    expect(ranked(history).voidAttempts).toBe(1)
  })

  it('3: a run that was sent half, then resumed and sent whole', () => {
    const history = new History()
    const made = measure(history, 'run_resume001', {}, (_fact, at) => at < 11)
    const found = history.rows()[0]?.refusals.find(({ code }) => code === 'complete')
    expect(found?.remedy).toMatch(/resume it/)
    history.receive(made.run, made.facts.slice(11), MINE)
    ranked(history)
  })

  it('4: a top-up of excluded episodes', () => {
    const history = new History()
    const status: SampleRunOptions['status'] = (task, repetition) =>
      task === 0 && repetition === 1 ? 'void' : 'solved'
    const made = measure(history, 'run_voided001', { status, change: unjudged })
    topUp(history, made, made.facts.slice(0, 1), MINE)
    expect(ranked(history).looks, 'it is free').toBeUndefined()
  })

  it('5: a second run of the plan for more samples pays for a look', () => {
    const history = new History()
    measure(history, 'run_first0001')
    measure(history, 'run_second001', { registers: true })
    expect(ranked(history).looks).toMatchObject({ stages: 2 })
  })

  it('6: shards on two machines', () => {
    const history = new History()
    const { run, facts } = sampleRun({ suite, repetitions: 3, runId: 'run_shard0001' })
    const ids = ['run_shard0001', 'run_shard0002']
    history.register(run.plan, ids, MINE, 2)
    const order = facts.map((fact) => `${fact.repetition}/${fact.taskId}`)
    expect(new Set(order).size).toBe(30)
    ids.forEach((runId, part) => {
      const shard = { index: part + 1, count: 2 }
      const own = shardFacts(facts, part).map((fact) => ({
        ...fact,
        runId,
        episodeId: `${fact.episodeId}${part}`,
        ...onMachine(`machine ${part}`),
      }))
      history.receive({ runId, plan: run.plan, shard }, own, MINE)
    })
    expect(ranked(history).mixed).toMatchObject([{ what: 'machine' }])
  })

  it('7: one shard of two is on its way', () => {
    const history = new History()
    const { run, facts } = sampleRun({ suite, repetitions: 3, runId: 'run_shard0001' })
    history.register(run.plan, ['run_shard0001', 'run_shard0002'], MINE, 2)
    const shard = { index: 1, count: 2 }
    history.receive({ ...run, shard }, shardFacts(facts, 0), MINE)
    const codes = history.rows()[0]?.refusals.map(({ code }) => code)
    expect(codes).toContain('registered')
  })

  it('8: Ctrl-C on this server, once in 30 attempts, then continued', () => {
    const history = new History()
    const { run, facts } = sampleRun({
      suite,
      repetitions: 3,
      runId: 'run_ctrlc0001',
      change: local,
    })
    history.register(run.plan, [run.runId], null)
    const all = facts.flatMap((fact, at) => (at === 7 ? again(fact, 'cancelled') : fact))
    history.receive(run, all, null)
    expect(ranked(history, ['1 cancelled attempt']).success).toMatchObject({
      rate: 1,
      attempts: 30,
    })
  })

  it('9: a cancelled run with four attempts under way stays ranked by the worse reading', () => {
    const history = new History()
    const { run, facts } = sampleRun({
      suite,
      repetitions: 3,
      runId: 'run_ctrlc0002',
      change: local,
    })
    history.register(run.plan, [run.runId], null)
    const all = facts.flatMap((fact, at) => (at % 8 === 0 ? again(fact, 'cancelled') : fact))
    history.receive(run, all, null)
    const row = ranked(history, ['4 cancelled attempts counted as failed'])
    expect(row.success).toMatchObject({ attempts: 34 })
    expect(row.success.rate).toBeLessThan(1)
  })

  it('10: a run cancelled half way on this server and topped up pays for a look', () => {
    const history = new History()
    const made = measure(
      history,
      'run_half00001',
      { by: null, change: local },
      (_fact, at) => at < 15,
    )
    topUp(history, made, made.facts.slice(15), null)
    expect(ranked(history, ['15 planned episodes never sent']).looks).toMatchObject({ stages: 2 })
  })

  it('11: a run cancelled by its sender and topped up is told to resume, and is ranked when it did', () => {
    const history = new History()
    const made = measure(history, 'run_half00001', {}, (_fact, at) => at < 15)
    topUp(history, made, made.facts.slice(15), MINE)
    told(history, 'void-attempts', /^Resume the run and submit its missing episodes/)
    history.receive(made.run, made.facts.slice(15), MINE)
    ranked(history)
  })

  it('12: a lost network: the upload comes twice under one registration', () => {
    const history = new History()
    const made = measure(history, 'run_network01', {}, (_fact, at) => at < 3)
    history.receive(made.run, made.facts.slice(3), MINE)
    ranked(history)
  })

  it('13: a registered run that never started is withdrawn with a public reason', () => {
    const history = new History()
    const made = measure(history, 'run_whole0001')
    history.register(made.run.plan, ['run_never0001'], MINE)
    told(history, 'registered', /Submit the missing runs, or ask an administrator/)
    history.correct({ kind: 'remove', target: 'run_never0001' })
    ranked(history, ['1 registered run removed from the ledger'])
  })

  it('14: a correction of one episode', () => {
    const history = new History()
    const made = measure(history, 'run_correct01')
    const target = made.facts[0]?.episodeId ?? ''
    history.correct({ kind: 'rescore', target, from: 'solved', to: 'unsolved', verdict: 'fail' })
    const [row] = history.rows()
    expect(row?.refusals).toEqual([])
    expect(row?.success.rate).toBeLessThan(1)
  })

  it('15: a token expired, and a new one of the same account sends the registered run', () => {
    const history = new History()
    const { run, facts } = sampleRun({ suite, repetitions: 3, runId: 'run_rotated01' })
    history.register(run.plan, [run.runId], MINE)
    history.receive(run, facts, MY_OTHER_TOKEN)
    ranked(history)
  })

  it('16: a workflow registers, runs and sends', () => {
    const history = new History()
    measure(history, 'run_workflow1', { by: WORKFLOW })
    ranked(history)
  })

  it('17: the clock of a short run is 20 s behind, and its episodes name the registration', () => {
    const history = new History()
    const { run, facts } = sampleRun({ suite, repetitions: 3, runId: 'run_clock0001' })
    const { hash } = history.register(run.plan, [run.runId], MINE)
    const early = { startedAt: new Date(START - 20_000).toISOString(), registrations: [hash] }
    history.receive(
      run,
      facts.map((fact) => ({ ...fact, ...early })),
      MINE,
    )
    ranked(history)
  })

  it('18: the same without the hash is told to check its clock', () => {
    const history = new History()
    const { run, facts } = sampleRun({ suite, repetitions: 3, runId: 'run_clock0002' })
    history.register(run.plan, [run.runId], MINE)
    const startedAt = new Date(START - 20_000).toISOString()
    history.receive(
      run,
      facts.map((fact) => ({ ...fact, startedAt })),
      MINE,
    )
    told(history, 'registered', /check the clock/)
  })

  it('19: a newer version of an agent beside the older one, both sent', () => {
    const history = new History()
    measure(history, 'run_version01')
    const { subject } = sampleRun({ suite, repetitions: 1 }).run.plan
    measure(history, 'run_version02', { subject: { ...subject, version: '1.3.0' } })
    for (const row of history.rows()) {
      expect([row.refusals, rowNotices(row)]).toEqual([[], []])
      expect(row.siblings).toEqual({ own: 1, others: 0 })
    }
  })

  it('20: another sender registers many plans of the same agent and sends none', () => {
    const history = new History()
    const made = measure(history, 'run_mine00001')
    for (let at = 0; at < 5; at++)
      history.register(made.run.plan, [`run_theirs00${at}`], { voucher: 'token:theirs' })
    ranked(history)
  })

  it('21: a workflow sends its shards from two machines', () => {
    const history = new History()
    const { run, facts } = sampleRun({ suite, repetitions: 3, runId: 'run_shard0001' })
    const ids = ['run_shard0001', 'run_shard0002']
    history.register(run.plan, ids, WORKFLOW, 2)
    ids.forEach((runId, part) => {
      const shard = { index: part + 1, count: 2 }
      const own = shardFacts(facts, part).map((fact) => ({
        ...fact,
        runId,
        episodeId: `${fact.episodeId}${part}`,
      }))
      history.receive({ runId, plan: run.plan, shard }, own, WORKFLOW)
    })
    ranked(history)
  })

  it('22: a workflow is interrupted, resumed and sends the rest', () => {
    const history = new History()
    const made = measure(history, 'run_resume001', { by: WORKFLOW }, (_fact, at) => at < 11)
    history.receive(made.run, made.facts.slice(11), WORKFLOW)
    ranked(history)
  })

  it('23: a run that was removed by mistake and included again', () => {
    const history = new History()
    const { run } = measure(history, 'run_restored1')
    history.correct({ kind: 'remove', target: run.runId })
    expect(history.rows()).toEqual([])
    history.include(run, MINE)
    ranked(history)
  })

  it('24: the nightly runs of two agents of one repository, both sent', () => {
    const history = new History()
    measure(history, 'run_nightly01', { by: WORKFLOW })
    const { subject } = sampleRun({ suite, repetitions: 1 }).run.plan
    measure(history, 'run_nightly02', { by: WORKFLOW, subject: { ...subject, name: 'other' } })
    for (const row of history.rows()) expect([row.refusals, rowNotices(row)]).toEqual([[], []])
  })
})
