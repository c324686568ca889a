import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCells, runCell } from '#lib/testing/chaos/fault-matrix/agent-cells.ts'
import { AgentBench } from '#lib/testing/factories/agent-bench.ts'
import { loadOneTask } from '#lib/testing/factories/fake-agent.ts'
import {
  findRealAgents,
  type RealAgent,
  requestedAgents,
} from '#lib/testing/factories/real-agents.ts'
import { lacking } from '#lib/testing/needs.ts'

// One agent is enough to show the effect of a fault; `npm run fault-matrix` has the others.
const NAME = 'pi'
const isRequested = requestedAgents().names?.includes(NAME) ?? true
const { agents, missing } = await findRealAgents(isRequested ? [NAME] : [])
const [lacks = null] = missing.map(({ name, reason }) => `${name}: ${reason}`)

describe(`${NAME} under faults`, lacking(lacks), () => {
  const [agent] = agents as [RealAgent]
  let bench: AgentBench
  beforeAll(() => {
    bench = new AgentBench()
  })
  afterAll(() => bench.remove())

  const meet = async (fault: string, timeoutSeconds: number) => {
    const [cell] = parseCells(fault)
    if (!cell) throw new Error(`${fault} is not a fault`)
    const task = await loadOneTask('lru-cache')
    const run = await runCell(bench, agent, 'local', { ...cell, timeoutSeconds }, task)
    expect([run.episode.mode, run.row?.eligible, run.row?.label]).toEqual([
      'mock',
      false,
      'scaffold',
    ])
    expect(bench.leftovers(run)).toEqual([])
    return run.episode
  }

  it.each(['rate-limit@2', 'cut-stream@2', 'server-error@1'])(
    'recovers from %s, by the word of the final contract',
    async (name) => {
      const { outcome, contract, fault, effort } = await meet(name, 60)
      const [kind, step] = name.split('@')
      expect(fault).toMatchObject({ plan: kind, point: `step ${step}`, recovered: true })
      expect(fault?.firedAt).not.toBeNull()
      expect([outcome.status, contract?.verdict]).toEqual(['solved', 'pass'])
      expect(effort.retries.gateway).toBeGreaterThan(0)
    },
  )

  it('does not recover from what lasts longer than its time', async () => {
    const { outcome, fault } = await meet('rate-limit@2x50', 6)
    expect(fault?.firedAt).not.toBeNull()
    expect([fault?.recovered, outcome.status === 'solved']).toEqual([false, false])
  })

  it('is not blamed for a provider that really fails', async () => {
    const { outcome, fault, attempt } = await meet('provider-429@2', 6)
    expect(outcome).toMatchObject({ status: 'void', fault: 'provider' })
    expect([fault, attempt]).toEqual([null, 3])
  })
})
