import { join } from 'node:path'
import { type Digest, digestBytes, digestJson } from '#lib/domain/digest/index.ts'
import { exerciseSchema } from '#lib/domain/tasks/index.ts'
import { writeAtomic } from '../engine/files.ts'
import { exerciseForAgents } from '../kinds/exercise/for-agents.ts'
import { suiteError } from '../runner-error.ts'
import type { ExerciseVerifier, VerifierInput } from '../verify/exercise/verifier-types.ts'
import type { ExerciseFolder, LoadedExercise, SourceText } from './task-folder.ts'

/** Gives a task its expected test names (from `.meta/tests.json`, else by running the reference) and its digest. */
export async function completeTask(
  folder: ExerciseFolder,
  verifier: () => ExerciseVerifier,
): Promise<LoadedExercise> {
  const expectedTests = folder.knownTests ?? (await collectTests(folder, verifier()))
  const heldOut = digestHeldOut(folder)
  const task = exerciseSchema.parse({
    ...folder.draft,
    expectedTests,
    ...(heldOut && { heldOut }),
    digest: digestTask(folder, expectedTests, heldOut),
  })
  return { ...folder, task, forAgents: exerciseForAgents }
}

/** Returns the verifier's input for judging `solution` on this task. */
export function verifierInput(
  task: ExerciseFolder,
  solution: readonly SourceText[],
  expectedTests: readonly string[] | null,
): VerifierInput {
  const { taskId, compilerOptions, packageType, runTests, verifyTimeoutMs } = task.draft
  return {
    taskId,
    solution: [...solution],
    tests: [...task.tests],
    support: [...task.support],
    tsconfig: compilerOptions,
    packageType,
    expectedTests: expectedTests && [...expectedTests],
    runTests,
    heldOut: task.heldOut && expectedTests ? { scenario: task.heldOut } : null,
    reference: task.reference.length > 0 ? [...task.reference] : null,
    // Only known expectations can be altered.
    alterTests: expectedTests !== null,
    timeoutMs: verifyTimeoutMs,
  }
}

async function collectTests(folder: ExerciseFolder, verifier: ExerciseVerifier): Promise<string[]> {
  if (!folder.draft.runTests) return []
  const report = await verifier.evaluate(verifierInput(folder, folder.reference, null))
  const names = report.tests.results
    .filter((test) => test.status !== 'skipped')
    .map((test) => test.name)
  if (names.length > 0) return names
  const reason = report.tests.loadError ?? 'no test was executed'
  throw suiteError(`task ${folder.draft.taskId} cannot be loaded`, [
    {
      path: `${folder.draft.taskId}/${folder.tests[0]?.path}`,
      message: `with the reference as solution: ${reason}`,
    },
  ])
}

/** With a transcript the reference decides a pass, too; null if a task has visible tests only. */
function digestHeldOut({ heldOut, reference }: ExerciseFolder): Digest | null {
  return heldOut && digestJson({ scenario: heldOut.text, reference })
}

/** Covers everything that decides a pass and everything the subject is given; excludes the wrong solutions. */
function digestTask(
  folder: ExerciseFolder,
  expectedTests: readonly string[],
  heldOut: Digest | null,
): Digest {
  const { taskId, files, runTests, compilerOptions, packageType, verifyTimeoutMs } = folder.draft
  const template = folder.template.map((file) => [file.path, digestBytes(file.bytes)])
  const { example: _, ...judged } = files
  return digestJson({
    taskId,
    files: judged,
    runTests,
    compilerOptions,
    packageType,
    verifyTimeoutMs,
    template,
    expectedTests,
    ...(heldOut && { heldOut }),
  })
}

/**
 * Stores each task's expected test names next to it, so that loading need not run the reference; returns their number.
 */
export async function lockSuite(tasks: readonly LoadedExercise[]): Promise<number> {
  for (const { folder, testsDigest, task } of tasks) {
    const content = { testsDigest, names: task.expectedTests }
    await writeAtomic(join(folder, '.meta', 'tests.json'), `${JSON.stringify(content, null, 2)}\n`)
  }
  return tasks.length
}
