import { countOf } from '#lib/domain/text/index.ts'
import { LIBRARIES } from '../libraries/registry.ts'
import { isRunnerError, type RunnerError, usageError } from '../runner-error.ts'
import { listAgentNames } from '../subjects/agents/load-agents.ts'
import { printJsonResult, printResult, writeError } from './output.ts'

/** Options that name one subject, or one place for one run. */
const ONE_ALONE = {
  subject: '--subject',
  command: '--command',
  agentFile: '--agent-file',
  libraryFile: '--library-file',
  agentVersion: '--agent-version',
  plan: '--plan',
  out: '--out',
  runId: '--run-id',
  replay: '--replay',
} as const

/** Subjects that are run in turn, by the option that asks for them. */
const GROUPS = {
  allAgents: { flag: '--all-agents', one: 'agent', several: 'agents', list: listAgentNames },
  allLibraries: {
    flag: '--all-libraries',
    one: 'library',
    several: 'libraries',
    list: () => LIBRARIES.map(({ name }) => name),
  },
} as const
type Group = (typeof GROUPS)[keyof typeof GROUPS]

type GivenOptions = Partial<Record<keyof typeof ONE_ALONE | keyof typeof GROUPS, unknown>> & {
  json?: boolean
  printInstructions?: boolean
}

/** True if the options ask for every agent or every library. */
export function asksForAll(options: GivenOptions): boolean {
  return groupOf(options) !== undefined
}

function groupOf(options: GivenOptions): Group | undefined {
  const [group, other] = Object.entries(GROUPS).flatMap(([name, one]) =>
    options[name as keyof typeof GROUPS] ? [one] : [],
  )
  if (other) throw usageError('use --all-agents or --all-libraries, not both', other.flag)
  return group
}

/**
 * `--all-agents` and `--all-libraries`: the same run with every subject that can be started here, one after the other.
 * A subject that is not installed or has no key is skipped, and listed with the reason and the kind of problem. Exit
 * code: the worst of the runs; 1 if none could be started.
 */
export async function runAllSubjects(
  options: GivenOptions,
  signal: AbortSignal,
  run: (subject: string) => Promise<void>,
): Promise<void> {
  const group = groupOf(options)
  if (group === undefined) return
  refuseOne(options, group)
  const ended: Ended[] = []
  for (const subject of group.list()) {
    if (signal.aborted) break
    if (!options.json) printResult(`== ${subject}`)
    ended.push(await runSubject(subject, run))
  }
  const started = ended.flatMap(({ subject, skipped }) => (skipped === null ? [subject] : []))
  const skipped = ended.flatMap(({ subject, skipped: why }) =>
    why === null ? [] : [{ [group.one]: subject, code: why.kind, reason: why.message }],
  )
  process.exitCode = started.length === 0 ? 1 : Math.max(...ended.map(({ code }) => code))
  if (options.json) printJsonResult({ started, skipped })
  else
    printResult(
      `${countOf(started.length, `${group.one} runs`, `${group.several} run`)}, ${skipped.length} left out`,
    )
}

type Ended = { subject: string; code: number; skipped: RunnerError | null }

async function runSubject(
  subject: string,
  run: (subject: string) => Promise<void>,
): Promise<Ended> {
  try {
    await run(subject)
    return { subject, code: Number(process.exitCode ?? 0), skipped: null }
  } catch (error) {
    if (!isRunnerError(error) || isOfEverySubject(error)) throw error
    writeError(`${subject} is left out: ${error.message}`)
    return { subject, code: 0, skipped: error }
  }
}

/** Reports a missing suite or task once, not for every subject. */
function isOfEverySubject({ kind, options }: RunnerError): boolean {
  return kind === 'suite' || kind === 'stopped' || options.includes('--tasks')
}

function refuseOne(options: GivenOptions, { flag, one }: Group): void {
  const flags = Object.entries(ONE_ALONE).flatMap(([name, named]) =>
    options[name as keyof typeof ONE_ALONE] === undefined ? [] : [named],
  )
  const [named] = flags
  if (named) throw usageError(`${flag} runs every ${one} in turn: remove ${named}`, named)
  if (options.printInstructions)
    throw usageError(`every ${one} is given the same prompt: remove ${flag}`, flag)
}
