import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePlan } from '#lib/db/plan-store.ts'
import type { LaunchFields, LaunchProblem } from '#lib/domain/launch/launch-fields.ts'
import type { LaunchRequest } from '#lib/domain/launch/parse-launch.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { spawnRunner } from '#lib/jobs/spawn-runner.ts'
import { checkRequest } from './check-request.ts'
import { launchArguments } from './launch-arguments.ts'
import { listChoices } from './list-choices.ts'
import { placeRefusal } from './place-refusal.ts'

/** Freezing asks a program for its version and may read a whole suite. */
const MOST_MS = 120_000

export type FrozenLaunch =
  | {
      ok: true
      request: LaunchRequest
      plan: FrozenPlan
      suite: Suite
      isolation: string | null
      warnings: string[]
    }
  | { ok: false; problems: LaunchProblem[] }

/**
 * Lets the runner freeze what the form asks for, as this machine is now: versions are its to resolve and refusals its to
 * say. Keeps nothing; frozen again, the same request has the same digest as long as nothing changed.
 */
export async function freezeLaunch(fields: LaunchFields, now: Date): Promise<FrozenLaunch> {
  const { suite, choices } = await listChoices(fields.suite, now.getTime())
  const checked = checkRequest(fields, choices, now.toISOString())
  if (!checked.ok) return checked
  if (!suite) throw new Error('a request that was checked names a suite')
  const { request } = checked
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-launch-'))
  try {
    const file = join(folder, 'plan.json')
    const args = ['plan', ...launchArguments(request, choices), '--out', file, '--json']
    const said: string[] = []
    const listener = { onStdout: () => {}, onStderr: (line: string) => said.push(line) }
    const ending = await spawnRunner(args, listener, AbortSignal.timeout(MOST_MS))
    if (ending.exitCode !== 0) return { ok: false, problems: [placeRefusal(ending.lastWords)] }
    const plan = parsePlan(JSON.parse(await readFile(file, 'utf8')))
    return { ok: true, request, plan, suite, ...sortLines(said) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const MOST_WARNINGS = 5

const MOST_WORDS = 600

/** What the runner said while it froze the plan: its line about the isolation level, and everything else. */
function sortLines(lines: readonly string[]): { isolation: string | null; warnings: string[] } {
  const told = lines.map((line) => line.trim().slice(0, MOST_WORDS)).filter(Boolean)
  const isolation = told.find((line) => line.startsWith('isolation: '))
  const warnings = told
    .filter((line) => line !== isolation)
    .map((line) => line.replace(/^warning: /, ''))
    .slice(0, MOST_WARNINGS)
  return { isolation: isolation?.slice('isolation: '.length) ?? null, warnings }
}
