import { FAULT_KINDS, parseFault } from '#runner/gateway/faults.ts'
import { solveScript } from '#runner/gateway/model-script.ts'
import type { LoadedExercise } from '#runner/suites/task-folder.ts'
import { CALLS_FILE } from '../../../domain/record/index.ts'
import { type AgentBench, type AgentRun, readEvidence } from '../../factories/agent-bench.ts'
import type { Level, RealAgent } from '../../factories/real-agents.ts'

/** A failure: a planned fault, or a provider that really responds with errors at a step. */
export type Cell = {
  name: string
  fault: string | null
  trouble: { status: number; atStep: number } | null
  /** Time limit of an attempt. */
  timeoutSeconds: number
}

const ONCE_SECONDS = 90
/** Time limit for faults that never end. */
const LASTING_SECONDS = 20

/** Faults that hang or stall last five seconds instead of thirty. */
const LIMITED = new Set(['hang', 'stalled-stream'])

/** One fault of each kind, one that lasts, and a provider that really fails. */
export const ALL_CELLS = [
  ...FAULT_KINDS.map((kind) => `${kind}@2${LIMITED.has(kind) ? ',limit=5' : ''}`),
  'rate-limit@2x50',
  'provider-429@2',
  'provider-529@2',
].join(',')

/** Parses `rate-limit@2,hang@2,limit=5,provider-429@1` into cells. Throws a sentence that says what to write. */
export function parseCells(text: string): Cell[] {
  return splitFaults(text).map((name) => {
    const [, status, step] = /^provider-(\d{3})@(\d{1,2})$/.exec(name) ?? []
    if (status !== undefined) {
      const trouble = { status: Number(status), atStep: Number(step) }
      return { name, fault: null, trouble, timeoutSeconds: LASTING_SECONDS }
    }
    const parsed = parseFault(name)
    if (!parsed.ok) throw new Error(parsed.problem)
    const { times, forMs } = parsed.value
    const lasts = (times ?? 1) > 5 || forMs !== null
    return {
      name,
      fault: name,
      trouble: null,
      timeoutSeconds: lasts ? LASTING_SECONDS : ONCE_SECONDS,
    }
  })
}

/** Splits at commas, except those inside a fault, which precede a `name=`. */
function splitFaults(text: string): string[] {
  return text
    .split(/,(?![a-z-]+=)/)
    .map((name) => name.trim())
    .filter(Boolean)
}

const MANY = 500

/** Runs one agent with one fault, in its preferred protocol, and returns how it ended. */
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

/** Describes the episode briefly: a fault counts as recovered only if it occurred and the final contract passed. */
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

/** Number of requests to the gateway, from the evidence. */
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
