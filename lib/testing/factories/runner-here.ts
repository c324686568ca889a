import { vi } from 'vitest'
import { parseJson } from '../../domain/record/index.ts'
import { refusalAnswerSchema } from '../../domain/runs/index.ts'
import { env } from '../../env.ts'
import { isNight } from '../cases/at-night.ts'
import { proofboardHere } from './command-here.ts'

type Runner = typeof import('#lib/processes/spawn-runner.ts')

/**
 * What stands for `spawn-runner.ts` (`vi.mock`) in tests of what becomes of the runner's answers: the same command answers
 * in this process. Runs of episodes take real processes, and at night everything does.
 */
export async function runnerHere(): Promise<Runner> {
  const actual = await vi.importActual<Runner>('#lib/processes/spawn-runner.ts')
  if (isNight) return actual
  const { STOPS_WITH_STDIN } = actual
  const spawnRunner: Runner['spawnRunner'] = async (args, listener, signal) => {
    if (args[0] === 'run') return actual.spawnRunner(args, listener, signal)
    // There is nobody here whose end it could wait for.
    const { ending, lines } = await answerHere(args.filter((arg) => arg !== STOPS_WITH_STDIN))
    for (const line of lines) listener.onStdout(line)
    return ending
  }
  return { ...actual, queryRunner, spawnRunner }
}

async function answerHere(args: readonly string[]) {
  const { code, stdout, stderr } = await proofboardHere(env().dataDir, args)
  const lastMessage = stderr.trim().split('\n').at(-1) ?? ''
  return { ending: { exitCode: code, signal: null, lastMessage }, lines: stdout.trim().split('\n') }
}

const queryRunner: Runner['queryRunner'] = async (args) => {
  const { ending, lines } = await answerHere(args)
  const said = parseJson(lines.at(-1) ?? '') ?? null
  if (ending.exitCode === 0) return { ending, answer: said, refusals: [] }
  const refused = refusalAnswerSchema.safeParse(said)
  return { ending, answer: null, refusals: refused.success ? refused.data.refusals : [] }
}
