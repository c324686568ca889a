import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Outcome, parseBundle } from '#lib/domain/record/index.ts'
import { bundleProgram } from '../../libraries/play-library.ts'
import { nodeProgram } from '../../sandbox/process/node-program.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { runTool } from '../../sandbox/process/run-tool.ts'
import { inScratch } from '../../scratch.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import type { Came, Cheat } from './cheat.ts'
import { readCame } from './cheat.ts'

const PROGRAM = 'runner/workflow/cheats/program.ts'
const MAX_MS = 180_000

export type PlayedCheat = {
  name: string
  class: Cheat['class']
  outcome: Outcome['status']
  /** The codes of the findings. */
  findings: string[]
  /** The cheat's own report; null = it was ended before it could report. */
  came: Came | null
  /** Not solved, not void, and either named or shown to have reached nothing. */
  isPrevented: boolean
}

/** Plays one cheat as `proofboard run` would play the user's own OpenChrome. Throws if the run sealed nothing. */
export async function playCheat(
  cheat: Cheat,
  more: Record<string, string> = {},
): Promise<PlayedCheat> {
  return inScratch('pb-cheat', async (out) => {
    const program = await bundleProgram(PROGRAM)
    const given = Object.entries({ ...RUNNER_ENV, ...more }).filter((one) => one[1] !== undefined)
    const env = {
      ...(Object.fromEntries(given) as Record<string, string>),
      PROOFBOARD_OPENCHROME: `"${nodeProgram().path}" "${program}" ${cheat.name}`,
      PROOFBOARD_DATA_DIR: join(out, 'data'),
    }
    const run = join(out, 'run')
    const { stderr } = await runTool(
      [
        ...[nodeProgram().path, join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs'), 'run'],
        ...['--suite', 'browser', '--subject', 'openchrome', '--tasks', cheat.task, '--out', run],
      ],
      { env, timeoutMs: MAX_MS },
    )
    return readPlay(cheat, run, stderr)
  })
}

function readPlay(cheat: Cheat, run: string, stderr: string): PlayedCheat {
  const file = join(run, 'result.json')
  const parsed = existsSync(file) ? parseBundle(JSON.parse(readFileSync(file, 'utf8'))) : null
  const episode = parsed?.ok ? parsed.value.episodes.at(-1) : undefined
  if (!episode) throw new Error(`the run of ${cheat.name} sealed nothing: ${stderr.slice(-300)}`)
  const { taskId, repetition, attempt, outcome, integrity } = episode
  const folder = join(run, 'episodes', taskId, `r${repetition}-a${attempt}`)
  const came = readCame(readFileSync(join(folder, 'subject.log'), 'utf8'))
  const findings = integrity.findings.map(({ code }) => code)
  const isShown = findings.length > 0 || (came !== null && 'prevented' in came)
  const { status } = outcome
  const isPrevented = status !== 'solved' && status !== 'void' && isShown
  return { name: cheat.name, class: cheat.class, outcome: status, findings, came, isPrevented }
}
