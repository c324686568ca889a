import { CALLS_FILE } from '#lib/domain/episode.ts'
import { solveScript } from '#runner/agents/solve-script.ts'
import type { LoadedExercise } from '#runner/suites/task-folder.ts'
import { type AgentBench, type AgentRun, readEvidence } from '../agent-bench.ts'
import type { Level, RealAgent } from '../real-agents.ts'
import type { Cell } from './parse-cells.ts'

const MANY = 500

/** Lets one agent meet one fault, in the protocol it prefers, and answers how it ended. */
export async function runCell(
  bench: AgentBench,
  agent: RealAgent,
  level: Level,
  cell: Cell,
  task: LoadedExercise,
): Promise<AgentRun> {
  const [protocol = 'anthropic'] = [agent.definition.preferred, ...agent.protocols].flatMap(
    (one) => one ?? [],
  )
  const script = cell.trouble ? bench.write('trouble.json', troubledScript(task, cell)) : 'solve'
  const fault = cell.fault === null ? [] : ['--fault', cell.fault]
  const timeout = ['--timeout', String(cell.timeoutSeconds)]
  return bench.run(agent, protocol, level, ['--script', script, ...fault, ...timeout])
}

/** The episode in a few words: a fault is recovered from only when it fired and the final contract passed. */
export function describeEnd({ episode }: AgentRun): string {
  const { outcome, fault } = episode
  switch (outcome.status) {
    case 'solved':
      return fault?.firedAt ? 'recovered' : 'solved, not fired'
    case 'void':
      return `void: ${outcome.fault}`
    case 'out-of-budget':
      return `out-of-budget: ${outcome.budget}`
    default:
      return outcome.status
  }
}

/** How often the gateway was asked, by the evidence. */
export function requestsOf(run: AgentRun): number {
  return readEvidence(run, CALLS_FILE).trim().split('\n').filter(Boolean).length
}

function troubledScript(task: LoadedExercise, { trouble }: Cell): string {
  const { turns } = solveScript(task)
  const errors = Array.from({ length: MANY }, () => ({ status: trouble?.status }))
  return JSON.stringify({
    turns: turns.map((turn, index) => (index + 1 === trouble?.atStep ? { ...turn, errors } : turn)),
  })
}
