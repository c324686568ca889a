import { appendFileSync, linkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { digestBytes } from '#lib/domain/digest/index.ts'
import {
  agrees,
  type Environment,
  type Episode,
  REGRADES_FILE,
  type Regrade,
  regradeLineSchema,
} from '#lib/domain/record/index.ts'
import type { LoadedTask } from '../suites/task-folder.ts'
import { writeAtomic } from './files.ts'
import { type JudgingDeps, judgeStored } from './judge-stored.ts'
import { RunFolder } from './run-folder.ts'

type RegradeDeps = Omit<JudgingDeps, 'isForeign'> & {
  environment: Pick<Environment, 'harness' | 'libraries'>
  now: () => string
}

/** A complete record without its path, or why this episode cannot be regraded. */
type Regraded = { record: Omit<Regrade, 'path'> } | { skipped: string }

/**
 * Evaluates one sealed episode's contract again, only from the solution stored with it: as in the first evaluation, the
 * verifier sees text in memory, in its own process.
 */
export async function regradeEpisode(
  runFolder: string,
  episode: Episode,
  task: LoadedTask | undefined,
  { environment, now, ...deps }: RegradeDeps,
): Promise<Regraded> {
  const { episodeId, seal, taskId, taskDigest, repetition, attempt } = episode
  const folder = join(runFolder, new RunFolder(runFolder).attemptPath(taskId, repetition, attempt))
  const judged = await judgeStored(folder, episode, task, { ...deps, isForeign: false })
  if ('refused' in judged) return { skipped: judged.reason }
  const { evaluation, before, after, files } = judged
  const { version, commit } = environment.harness
  const record: Omit<Regrade, 'path'> = {
    kind: 'proofboard-regrade',
    schemaVersion: 1,
    at: now(),
    episodeId,
    seal,
    taskDigest,
    gate: { version, commit },
    libraries: environment.libraries,
    before,
    after,
    agrees: agrees(before, after),
    solution: files.map(({ path, text }) => ({ path, digest: digestBytes(text) })),
    contract: evaluation.contract,
    findings: evaluation.findings,
  }
  return { record }
}

const MAX_REGRADES = 1000

/** Stores a regrade beside its episode under the next free number, and its short form in the run's list. */
export async function writeRegrade(
  runFolder: string,
  { taskId, repetition, attempt }: Episode,
  record: Omit<Regrade, 'path'>,
): Promise<Regrade> {
  const folder = new RunFolder(runFolder).attemptPath(taskId, repetition, attempt)
  for (let number = 1; number <= MAX_REGRADES; number++) {
    const path = join(folder, `regrade-${number}.json`)
    const whole: Regrade = { ...record, path }
    if (!(await writeNew(join(runFolder, path), `${JSON.stringify(whole)}\n`))) continue
    appendFileSync(
      join(runFolder, REGRADES_FILE),
      `${JSON.stringify(regradeLineSchema.parse(whole))}\n`,
    )
    return whole
  }
  throw new Error(`${folder} holds ${MAX_REGRADES} regrades already`)
}

/** Writes a file atomically without replacing an existing one; returns false if it exists. */
async function writeNew(path: string, text: string): Promise<boolean> {
  const draft = `${path}.draft-${process.pid}`
  await writeAtomic(draft, text)
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
