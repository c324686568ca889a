import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { z } from 'zod'
import { type Digest, digestBytes, digestJson, digestSchema } from '#lib/domain/digest/index.ts'
import {
  type RepositoryFile,
  type RepositoryTask,
  repositoryFileSchema,
  repositoryTaskSchema,
} from '#lib/domain/tasks/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { repositoryForAgents } from '../kinds/repository/for-agents.ts'
import { parseYaml, readTextFile } from '../read-yaml.ts'
import { treeLimits } from '../repository/limits.ts'
import { type Change, digestChanges, readOverlay } from '../repository/overlay.ts'
import { digestTree, readTree } from '../repository/tree.ts'
import { isRunnerError, suiteError } from '../runner-error.ts'
import { type LoadedRepository, PROOF_FILE, type StoredSolution } from './repository-folder.ts'

/** The file that marks a folder as a repository task. */
export const REPOSITORY_FILE = 'task.yaml'
const INSTRUCTION_FILE = 'instruction.md'
const PATCH = 'solution.patch'

/** Increment when judging changes the meaning of a proof. */
const PROOF_VERSION = 1

/** `proof.json`: the results of a task's proof, and what it proved. */
export const proofFileSchema = z.strictObject({
  schemaVersion: z.literal(PROOF_VERSION),
  inputs: digestSchema,
  /** Number of consecutive runs in which the reference was solved. */
  referenceRuns: z.number().int().positive(),
  expectedTests: repositoryTaskSchema.shape.expectedTests.min(1),
  flakyTests: repositoryTaskSchema.shape.flakyTests,
  /** Duration of the slowest of these runs; absent = proven before this was recorded. */
  referenceMs: z.number().int().positive().optional(),
  /** Expected tests that pass without any work; absent = proven before this was recorded. */
  passedBefore: repositoryTaskSchema.shape.expectedTests.optional(),
  /** Number of expected tests that fail without any work. Only in older proofs, and not used. */
  decidingTests: z.number().int().positive().optional(),
})
export type ProofFile = z.infer<typeof proofFileSchema>

/**
 * Reads one repository task. A task without a valid proof is read as well, marked `unproven`. Throws a one-sentence
 * RunnerError; nothing of the task is run.
 */
export async function readRepositoryTask(folder: string): Promise<LoadedRepository> {
  const taskId = basename(folder)
  const fail = (path: string, message: string) =>
    suiteError(`task ${taskId} cannot be loaded`, [{ path: `${taskId}/${path}`, message }])
  const file = readTaskFile(folder)
  if (file.id !== taskId)
    throw fail(REPOSITORY_FILE, `id: is "${file.id}", and the folder is named "${taskId}"`)
  const parts = readParts(folder, fail)
  const instruction = file.instruction ?? readInstruction(folder, fail)
  const source = await identify(folder, file).catch((error: Error) => {
    throw fail(REPOSITORY_FILE, `source: ${error.message}`)
  })
  const { id: _, verify, budgets, ...described } = file
  const { title, category, difficulty, released, family, expect, ...rest } = described
  const judged = {
    ...rest,
    instruction,
    verify: {
      command: verify.command,
      report: verify.report,
      timeoutMs: verify.timeout * 1000,
    },
    budgets: {
      ...(budgets.timeout === undefined ? {} : { timeoutMs: budgets.timeout * 1000 }),
      ...(budgets.steps === undefined ? {} : { maxSteps: budgets.steps }),
    },
  }
  const inputs = digestJson({
    version: PROOF_VERSION,
    taskId,
    ...judged,
    source,
    tests: digestChanges(parts.tests),
    canary: digestChanges(parts.canary),
    reference: digestSolution(parts.reference),
  })
  const { proof, unproven } = readProof(folder, inputs)
  const { expectedTests = [], flakyTests = [] } = proof ?? {}
  const task: RepositoryTask = repositoryTaskSchema.parse({
    kind: 'repository',
    taskId,
    title,
    category,
    difficulty,
    ...judged,
    ...(released && { released }),
    ...(family && { family }),
    ...(expect && { expect }),
    expectedTests,
    flakyTests,
    digest: digestJson({
      taskId,
      ...judged,
      source,
      expectedTests,
      flakyTests,
      tests: digestChanges(parts.tests),
      canary: digestChanges(parts.canary),
    }),
  })
  const { passedBefore = null, referenceMs = null } = proof ?? {}
  const forAgents = repositoryForAgents
  return { folder, task, forAgents, ...parts, inputs, unproven, passedBefore, referenceMs }
}

type Fail = (path: string, message: string) => Error

function readTaskFile(folder: string): RepositoryFile {
  const path = join(folder, REPOSITORY_FILE)
  const name = `${basename(folder)}/${REPOSITORY_FILE}`
  try {
    return parseYaml(readTextFile(path, 'task'), name, {
      noun: 'task',
      whole: 'the file',
      schema: repositoryFileSchema,
      findMistakes: () => [],
    })
  } catch (error) {
    if (!isRunnerError(error)) throw error
    throw suiteError(`task ${basename(folder)} cannot be loaded: ${error.message}`)
  }
}

function readInstruction(folder: string, fail: Fail): string {
  const path = join(folder, INSTRUCTION_FILE)
  if (!existsSync(path))
    throw fail(REPOSITORY_FILE, `instruction: is missing, and there is no ${INSTRUCTION_FILE}`)
  const text = readFileSync(path, 'utf8').trim()
  if (text === '') throw fail(INSTRUCTION_FILE, 'is empty')
  return text
}

type Parts = Pick<LoadedRepository, 'tests' | 'canary' | 'reference' | 'wrong'>

function readParts(folder: string, fail: Fail): Parts {
  const read = <T>(name: string, get: () => T): T => {
    try {
      return get()
    } catch (error) {
      throw fail(name, (error as Error).message)
    }
  }
  const tests = read('tests', () => readOverlay(join(folder, 'tests')))
  if (tests.length === 0) throw fail('tests', 'is missing or empty: put the tests that judge there')
  const canary = read('canary', () => readOverlay(join(folder, 'canary')))
  const reference = read('solution', () => readSolution(join(folder, 'solution'), 'reference'))
  const wrong = read('wrong', () => readWrong(join(folder, 'wrong')))
  return { tests, canary, reference, wrong }
}

/** Reads a folder with a patch, or with files; null = missing or empty. */
function readSolution(folder: string, name: string): StoredSolution | null {
  const patch = join(folder, PATCH)
  if (existsSync(patch)) return { name, kind: 'patch', text: readFileSync(patch, 'utf8') }
  const changes: readonly Change[] = readOverlay(folder)
  return changes.length > 0 ? { name, kind: 'overlay', changes } : null
}

function readWrong(folder: string): StoredSolution[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((entry) => {
      const path = join(folder, entry)
      if (statSync(path).isDirectory()) return readSolution(path, entry) ?? []
      if (extname(entry) !== '.patch') return []
      const name = basename(entry, '.patch')
      return { name, kind: 'patch' as const, text: readFileSync(path, 'utf8') }
    })
}

function digestSolution(solution: StoredSolution | null) {
  if (solution === null) return null
  return solution.kind === 'patch' ? digestBytes(solution.text) : digestChanges(solution.changes)
}

/** Identifies the source's content, wherever it is: its tree, or a commit. */
async function identify(folder: string, { source, limits }: RepositoryFile) {
  if ('git' in source) return { commit: source.commit, folder: source.folder ?? null }
  const path = join(folder, source.folder)
  if (!existsSync(path)) throw new Error(`the folder ${source.folder} does not exist`)
  return { tree: digestTree(await readTree(path, treeLimits(limits))) }
}

type Proof = { proof: ProofFile | null; unproven: string | null }

function readProof(folder: string, inputs: Digest): Proof {
  const command = 'prove it with "proofboard suite verify"'
  const path = join(folder, PROOF_FILE)
  if (!existsSync(path)) return { proof: null, unproven: `has no proof: ${command}` }
  const parsed = proofFileSchema.safeParse(parseJson(readFileSync(path, 'utf8')))
  if (!parsed.success) return { proof: null, unproven: `has a broken ${PROOF_FILE}: ${command}` }
  if (parsed.data.inputs !== inputs)
    return { proof: null, unproven: `has changed since it was proven: ${command} again` }
  return { proof: parsed.data, unproven: null }
}
