import { countOf } from '#lib/domain/text/index.ts'
import { isRunnerError, type RunnerError, usageError } from '../runner-error.ts'
import { listAgentNames } from '../subjects/agents/load-agents.ts'
import { printJsonResult, printResult, writeError } from './output.ts'

/** Options that name one subject, or one place for one run. */
const ONE_ALONE = {
  subject: '--subject',
  command: '--command',
  agentFile: '--agent-file',
  agentVersion: '--agent-version',
  plan: '--plan',
  out: '--out',
  runId: '--run-id',
  replay: '--replay',
} as const

type Asked = Partial<Record<keyof typeof ONE_ALONE, unknown>> & {
  json?: boolean
  printInstructions?: boolean
}

/**
 * `--all-agents`: the same run with every agent that can be started here, one after the other. An agent that is not
 * installed or has no key is listed with the reason and skipped. Exit code: the worst of the runs; 1 if none could be
 * started.
 */
export async function runAllAgents(
  options: Asked,
  signal: AbortSignal,
  run: (agent: string) => Promise<void>,
): Promise<void> {
  refuseOne(options)
  const ended: Ended[] = []
  for (const agent of listAgentNames()) {
    if (signal.aborted) break
    if (!options.json) printResult(`== ${agent}`)
    ended.push(await runAgent(agent, run))
  }
  const started = ended.flatMap(({ agent, skipped }) => (skipped === null ? [agent] : []))
  const skipped = ended.flatMap((one) =>
    one.skipped === null ? [] : [{ agent: one.agent, reason: one.skipped }],
  )
  process.exitCode = started.length === 0 ? 1 : Math.max(...ended.map(({ code }) => code))
  if (options.json) printJsonResult({ started, skipped })
  else
    printResult(
      `${countOf(started.length, 'agent runs', 'agents run')}, ${skipped.length} left out`,
    )
}

type Ended = { agent: string; code: number; skipped: string | null }

async function runAgent(agent: string, run: (agent: string) => Promise<void>): Promise<Ended> {
  try {
    await run(agent)
    return { agent, code: Number(process.exitCode ?? 0), skipped: null }
  } catch (error) {
    if (!isRunnerError(error) || isOfEveryAgent(error)) throw error
    writeError(`${agent} is left out: ${error.message}`)
    return { agent, code: 0, skipped: error.message }
  }
}

/** Reports a missing suite or task once, not for every agent. */
function isOfEveryAgent({ kind, options }: RunnerError): boolean {
  return kind === 'suite' || options.includes('--tasks')
}

function refuseOne(options: Asked): void {
  const flags = Object.entries(ONE_ALONE).flatMap(([name, flag]) =>
    options[name as keyof Asked] === undefined ? [] : [flag],
  )
  const [flag] = flags
  if (flag) throw usageError(`--all-agents runs every agent in turn: remove ${flag}`, flag)
  if (options.printInstructions)
    throw usageError('every agent is given the same prompt: remove --all-agents', '--all-agents')
}
