import { vi } from 'vitest'
import { refusalAnswerSchema } from '../../domain/runs/index.ts'
import { parseJson } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { isNight } from '../cases/at-night.ts'
import { proofboardHere } from './command-here.ts'

type Runner = typeof import('#lib/processes/spawn-runner.ts')

/**
 * Replaces `spawn-runner.ts` (`vi.mock`) in tests of how the runner's output is used: the same command runs in this
 * process. Runs of episodes use real processes, and the nightly tests use them for everything.
 */
export async function runnerHere(): Promise<Runner> {
  const actual = await vi.importActual<Runner>('#lib/processes/spawn-runner.ts')
  if (isNight) return actual
  const { STOPS_WITH_STDIN } = actual
  const spawnRunner: Runner['spawnRunner'] = async (args, listener, signal) => {
    if (args[0] === 'run') return actual.spawnRunner(args, listener, signal)
    // No parent process closes stdin here.
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
  const data = parseJson(lines.at(-1) ?? '') ?? null
  if (ending.exitCode === 0) return { ending, output: data, refusals: [] }
  const refused = refusalAnswerSchema.safeParse(data)
  return { ending, output: null, refusals: refused.success ? refused.data.refusals : [] }
}
