import { describe, expect, it } from 'vitest'
import type { UsageReport } from '#lib/domain/runs/index.ts'
import { readUsageReport } from './agent-driver.ts'
import { findAgent } from './load-agents.ts'

const reportOf = (name: string) => findAgent(name)?.usageReport as UsageReport
const lines = (...items: unknown[]) => items.map((item) => JSON.stringify(item)).join('\n')
const NOTHING = { input: null, output: null, costUsd: null }

describe('readUsageReport', () => {
  it('takes the last result of claude', () => {
    const usage = { input_tokens: 10, output_tokens: 2 }
    const output = `noise {\n${lines({ type: 'result', usage, total_cost_usd: 0.01 })}\n`
    expect(readUsageReport(reportOf('claude'), output)).toEqual({
      input: 10,
      output: 2,
      costUsd: 0.01,
    })
  })

  it('adds up the turns of codex, the messages of pi and the steps of opencode', () => {
    const turn = { type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 2 } }
    expect(readUsageReport(reportOf('codex'), lines(turn, { type: 'turn.started' }, turn))).toEqual(
      {
        input: 20,
        output: 4,
        costUsd: null,
      },
    )
    const message = { usage: { input: 5, output: 1, cost: { total: 0.5 } } }
    const told = lines(
      { type: 'message_end', message: { role: 'user' } },
      { type: 'message_end', message },
      { type: 'message_end', message },
    )
    expect(readUsageReport(reportOf('pi'), told)).toEqual({ input: 10, output: 2, costUsd: 1 })
    const step = { type: 'step_finish', part: { tokens: { input: 3, output: 4 }, cost: 0 } }
    expect(readUsageReport(reportOf('opencode'), lines(step))).toEqual({
      input: 3,
      output: 4,
      costUsd: 0,
    })
  })

  it('reads an array on one line, as qwen prints it', () => {
    const result = { type: 'result', usage: { input_tokens: 7, output_tokens: 1 } }
    expect(readUsageReport(reportOf('qwen'), JSON.stringify([{ type: 'system' }, result]))).toEqual(
      {
        input: 7,
        output: 1,
        costUsd: null,
      },
    )
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{ not JSON\n[1, 2'],
    ['odd numbers', lines({ type: 'result', usage: { input_tokens: -1, output_tokens: '9' } })],
    ['no objects', '[null, 1, "x"]\n{}'],
    ['inherited members', lines({ type: 'result', usage: 'toString' })],
  ])('knows nothing from %s', (_, output) => {
    expect(readUsageReport(reportOf('claude'), output)).toEqual(NOTHING)
  })
})
