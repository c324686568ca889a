import { parseArgs } from 'node:util'
import { settingsSchema } from '#lib/domain/settings/index.ts'
import { AgentBench } from '../../factories/agent-bench.ts'
import { loadOneTask } from '../../factories/fake-agent.ts'
import {
  findLevels,
  findRealAgents,
  type Level,
  type RealAgent,
} from '../../factories/real-agents.ts'
import {
  ALL_CELLS,
  type Cell,
  describeEnd,
  parseCells,
  requestsOf,
  runCell,
} from './agent-cells.ts'

const WIDTHS = [10, 26, 24, 6, 9, 8, 8]
const HEAD = ['agent', 'fault', 'end', 'steps', 'requests', 'retries', 'seconds']

/** Prints a row for each agent and fault as it ends. Rows show real runs and are never ranked. */
export async function main(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      agents: { type: 'string', default: 'pi,codex,claude' },
      faults: { type: 'string', default: ALL_CELLS },
      isolation: { type: 'string', default: 'local' },
    },
  })
  const cells = parseCells(values.faults)
  const { agents, missing } = await findRealAgents(values.agents.split(','))
  const available = await findLevels([settingsSchema.shape.isolation.parse(values.isolation)])
  if (missing.length > 0 || available.levels.length === 0) process.exitCode = 1
  const bench = new AgentBench()
  try {
    print(HEAD)
    for (const level of available.levels)
      for (const agent of agents)
        for (const cell of cells) print(await rowOf(bench, agent, level, cell))
  } finally {
    bench.remove()
    await available.stop()
  }
}

async function rowOf(bench: AgentBench, agent: RealAgent, level: Level, cell: Cell) {
  const named = [agent.definition.name, cell.name]
  try {
    const run = await runCell(bench, agent, level, cell, await loadOneTask('lru-cache'))
    const { steps, retries } = run.episode.effort
    const figures = [steps, requestsOf(run), retries.gateway, run.seconds.toFixed(1)]
    return [...named, describeEnd(run), ...figures.map((one) => String(one ?? '-'))]
  } catch (error) {
    // The other rows are still useful.
    process.exitCode = 1
    return [...named, `broken: ${(error as Error).message.split('\n')[0]}`]
  }
}

function print(row: readonly string[]): void {
  const cells = row.map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0))
  process.stdout.write(`${cells.join('  ').trimEnd()}\n`)
}
