import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { digestJson } from '#lib/domain/digest.ts'
import { readCompilerOptions, readPackageType } from './compiler-options.ts'
import { readJson } from './read-json.ts'
import { findMissingParts, readTaskConfig } from './read-task-config.ts'
import { readTemplate } from './read-template.ts'
import { SuiteError } from './suite-error.ts'
import type { TaskConfig } from './task-config.ts'
import type { ExerciseFolder, SourceText } from './task-folder.ts'

const INSTRUCTION_FILES = [
  '.docs/introduction.md',
  '.docs/instructions.md',
  '.docs/instructions.append.md',
]
// A correct but naive solution of the slowest Exercism task needs 51 CPU-seconds.
const DEFAULT_VERIFY_TIMEOUT_MS = 180_000

/** Repaired parts of a track's task that stand in for what its folder holds. */
export type TaskPatches = { config?: TaskConfig; tests?: SourceText[]; reference?: SourceText[] }

/**
 * Reads one exercise in the Exercism practice layout. Throws a SuiteError that names file, field and reason; a folder
 * is read whole or not at all.
 */
export function readTaskFolder(folder: string, patches: TaskPatches = {}): ExerciseFolder {
  const taskId = basename(folder)
  const config = patches.config ?? readTaskConfig(folder)
  const { solution, test } = config.files
  const example = config.files.example ?? config.files.exemplar ?? []
  const problems = findMissingParts(folder, config)
  const compilerOptions = readCompilerOptions(folder)
  if (!compilerOptions) {
    problems.push({ path: `${taskId}/tsconfig.json`, message: 'is not valid JSON' })
  }
  if (problems.length > 0 || !compilerOptions) {
    throw new SuiteError(`task ${taskId} cannot be loaded`, problems)
  }
  const tests = patches.tests ?? readTexts(folder, test)
  const testsDigest = digestJson(tests)
  const template = readTemplate(folder).map((file) => patchFile(file, tests))
  const paths = template.map((file) => file.path)
  const support = supportPaths(paths, config)
  const instructions = INSTRUCTION_FILES.filter((path) => existsSync(join(folder, path)))
  const files = { solution, test, example, support, instructions }
  return {
    folder,
    draft: {
      taskId,
      files,
      compilerOptions,
      packageType: readPackageType(folder),
      ...describe(taskId, config),
    },
    knownTests: readKnownTests(folder, testsDigest),
    testsDigest,
    template,
    stubs: readTexts(folder, solution),
    tests,
    support: readTexts(folder, support),
    instructions: readTexts(folder, instructions)
      .map(({ text }) => text)
      .join('\n\n'),
    reference: patches.reference ?? underSolutionPaths(readTexts(folder, example), solution),
    heldOut: readHeldOut(folder),
    honest: readVariants(folder, 'honest', solution),
    wrong: readVariants(folder, 'wrong', solution),
  }
}

/** What the config says of the task; an Exercism exercise says less, and unknown stays unknown. */
function describe(taskId: string, { custom }: TaskConfig) {
  const about = custom?.proofboard
  return {
    title: about?.title ?? titleFrom(taskId),
    category: about?.category ?? 'practice',
    difficulty: about?.difficulty ?? ('unknown' as const),
    runTests: custom?.['flag.tests.jest'] ?? true,
    typeTests: about?.typeTests ?? custom?.['flag.tests.tstyche'] ?? false,
    verifyTimeoutMs: about?.verifyTimeoutMs ?? DEFAULT_VERIFY_TIMEOUT_MS,
    ...(about?.released && { released: about.released }),
  }
}

function readTexts(folder: string, paths: readonly string[]): SourceText[] {
  return paths.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

/** Example files answer to the solution files: by base name where it fits, else by position. */
function underSolutionPaths(
  examples: readonly SourceText[],
  solution: readonly string[],
): SourceText[] {
  return solution.flatMap((path, index) => {
    const match = examples.find((file) => basename(file.path) === basename(path)) ?? examples[index]
    return match ? [{ path, text: match.text }] : []
  })
}

/** Further TypeScript that tests and solutions may import, apart from what the config names. */
function supportPaths(all: readonly string[], config: TaskConfig): string[] {
  const named = new Set([...config.files.solution, ...config.files.test])
  return all.filter(
    (path) => /\.[cm]?tsx?$/.test(path) && !named.has(path) && !path.includes('.config.'),
  )
}

function readKnownTests(folder: string, testsDigest: string): string[] | null {
  const path = join(folder, '.meta', 'tests.json')
  if (!existsSync(path)) return null
  const { value } = readJson(path) as {
    value: { testsDigest?: unknown; names?: unknown } | undefined
  }
  if (value?.testsDigest !== testsDigest || !Array.isArray(value.names)) return null
  return value.names.every((name) => typeof name === 'string') ? value.names : null
}

const HELD_OUT = '.meta/held-out.ts'

function readHeldOut(folder: string): SourceText | null {
  return existsSync(join(folder, HELD_OUT)) ? (readTexts(folder, [HELD_OUT])[0] ?? null) : null
}

/** Solutions that are kept beside the reference, one file each. */
function readVariants(
  folder: string,
  kind: 'wrong' | 'honest',
  solution: readonly string[],
): ExerciseFolder['wrong'] {
  const variants = join(folder, '.meta', kind)
  if (!existsSync(variants)) return []
  const [path] = solution
  return readdirSync(variants)
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((name) => ({
      name: basename(name, extname(name)),
      files: [{ path: path as string, text: readFileSync(join(variants, name), 'utf8') }],
    }))
}

function patchFile(
  file: ExerciseFolder['template'][number],
  tests: readonly SourceText[],
): ExerciseFolder['template'][number] {
  const patched = tests.find((test) => test.path === file.path)
  return patched ? { path: file.path, bytes: Buffer.from(patched.text) } : file
}

function titleFrom(taskId: string): string {
  const words = taskId.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
