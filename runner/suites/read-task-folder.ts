import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { digestJson } from '#lib/domain/digest/index.ts'
import {
  difficultySchema,
  relativePathSchema,
  releasedSchema,
  testCommandSchema,
} from '#lib/domain/record/index.ts'
import { behavioursSchema, familySchema } from '#lib/domain/tasks/index.ts'
import { formatIssues, type Problem } from '#lib/domain/text/index.ts'
import { type RunnerError, suiteError } from '../runner-error.ts'
import { readJson, readLooseJson } from './read-json.ts'
import { readWhole, readWrong, underSolutionPaths } from './read-solutions.ts'
import type { ExerciseFolder, SourceText } from './task-folder.ts'
import { readTemplate } from './task-folder.ts'

const INSTRUCTION_FILES = [
  '.docs/introduction.md',
  '.docs/instructions.md',
  '.docs/instructions.append.md',
]
// A correct but naive solution of the slowest Exercism task needs 51 CPU-seconds.
const DEFAULT_VERIFY_TIMEOUT_MS = 180_000
/** Maximum time limit of a task. */
export const MAX_VERIFY_TIMEOUT_MS = 600_000

/** Repaired parts of a track's task that replace those in its folder. */
export type TaskPatches = {
  config?: TaskConfig
  tests?: SourceText[]
  reference?: SourceText[]
  verifyTimeoutMs?: number
}

/**
 * Reads one exercise in the Exercism practice layout. Throws a RunnerError that names file, field and reason; a folder
 * is read completely or not at all.
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
    throw suiteError(`task ${taskId} cannot be loaded`, problems)
  }
  const tests = patches.tests ?? readTexts(folder, test)
  const examples = readTexts(folder, example)
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
      ...(patches.verifyTimeoutMs && { verifyTimeoutMs: patches.verifyTimeoutMs }),
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
    reference: patches.reference ?? underSolutionPaths(examples, solution),
    heldOut: readHeldOut(folder),
    honest: readWhole(folder, 'honest', solution),
    wrong: readWrong(folder, solution, examples),
  }
}

/** Reads the task's description from the config; an Exercism exercise has less, and unknown stays unknown. */
function describe(taskId: string, { custom }: TaskConfig) {
  const about = custom?.proofboard
  return {
    title: about?.title ?? titleFrom(taskId),
    category: about?.category ?? 'practice',
    difficulty: about?.difficulty ?? ('unknown' as const),
    runTests: custom?.['flag.tests.jest'] ?? true,
    typeTests: about?.typeTests ?? custom?.['flag.tests.tstyche'] ?? false,
    verifyTimeoutMs: about?.verifyTimeoutMs ?? DEFAULT_VERIFY_TIMEOUT_MS,
    ...(about?.testCommand && { testCommand: about.testCommand }),
    ...(about?.released && { released: about.released }),
    ...(about?.expect && { expect: about.expect }),
    ...(about?.family && { family: about.family }),
    ...(about?.importNotes && { importNotes: about.importNotes }),
  }
}

function readTexts(folder: string, paths: readonly string[]): SourceText[] {
  return paths.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

/** Lists further TypeScript files that tests and solutions may import, besides those named in the config. */
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

/** Reads `.meta/config.json` of a task. Throws a RunnerError with the field and the reason. */
function readTaskConfig(folder: string): TaskConfig {
  const path = join(folder, '.meta', 'config.json')
  if (!existsSync(path)) throw refusal(folder, ['is missing'])
  const json = readJson(path)
  if (json.error !== null) throw refusal(folder, [json.error])
  const parsed = taskConfigSchema.safeParse(json.value)
  if (parsed.success) return parsed.data
  const issues = formatIssues(parsed.error.issues)
  throw refusal(
    folder,
    issues.map(({ path: field, message }) => `${field}: ${message}`),
  )
}

/** Lists what a folder lacks to match its config: named files, instructions, a reference. */
function findMissingParts(folder: string, { files }: TaskConfig): Problem[] {
  const path = configPlace(folder)
  const example = files.example ?? files.exemplar ?? []
  const problems = [...files.solution, ...files.test, ...example]
    .filter((file) => !existsSync(join(folder, file)))
    .map((file) => ({ path, message: `files names ${file}, which does not exist` }))
  if (example.length === 0) {
    problems.push({ path, message: 'files.example: names no reference solution' })
  }
  if (!existsSync(join(folder, '.docs', 'instructions.md'))) {
    problems.push({ path: `${basename(folder)}/.docs/instructions.md`, message: 'is missing' })
  }
  return problems
}

function refusal(folder: string, messages: readonly string[]): RunnerError {
  const path = configPlace(folder)
  return suiteError(
    `task ${basename(folder)} cannot be loaded`,
    messages.map((message) => ({ path, message })),
  )
}

function configPlace(folder: string): string {
  return `${basename(folder)}/.meta/config.json`
}

const paths = z.array(relativePathSchema)

/** `.meta/config.json` of an Exercism practice exercise; additions are under `custom.proofboard`. */
export const taskConfigSchema = z.object({
  files: z.object({
    solution: paths.min(1, 'name at least one solution file'),
    test: paths.min(1, 'name at least one test file'),
    example: paths.min(1, 'name at least one example (reference) file').optional(),
    exemplar: paths.optional(),
    editor: paths.optional(),
  }),
  blurb: z.string().optional(),
  custom: z
    .object({
      'flag.tests.jest': z.boolean().optional(),
      'flag.tests.tstyche': z.boolean().optional(),
      proofboard: z
        .object({
          title: z.string().min(1).max(200).optional(),
          category: z.string().min(1).max(60).optional(),
          difficulty: difficultySchema.optional(),
          typeTests: z.boolean().optional(),
          verifyTimeoutMs: z.number().int().min(1000).max(MAX_VERIFY_TIMEOUT_MS).optional(),
          testCommand: testCommandSchema.optional(),
          released: releasedSchema.optional(),
          expect: behavioursSchema.optional(),
          family: familySchema.optional(),
          importNotes: z.array(z.string().max(1000)).max(20).optional(),
        })
        .optional(),
    })
    .optional(),
})
export type TaskConfig = z.infer<typeof taskConfigSchema>

/** For tasks without a tsconfig.json: strict, and without bundler-only features. */
export const DEFAULT_COMPILER_OPTIONS: Record<string, unknown> = {
  lib: ['ES2022', 'dom'],
  module: 'Node16',
  target: 'ES2022',
  strict: true,
  esModuleInterop: true,
  skipLibCheck: true,
  forceConsistentCasingInFileNames: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  isolatedModules: true,
}

/**
 * Reads the compiler settings of a task: its own tsconfig.json, else the suite's, else the default. Always read from
 * the pristine folder. `extends` is not followed. Null if the file is broken.
 */
function readCompilerOptions(taskFolder: string): Record<string, unknown> | null {
  for (const folder of [taskFolder, dirname(taskFolder)]) {
    const path = join(folder, 'tsconfig.json')
    if (!existsSync(path)) continue
    const config = readLooseJson(readFileSync(path, 'utf8'))
    if (typeof config !== 'object' || config === null) return null
    const options = (config as { compilerOptions?: unknown }).compilerOptions ?? {}
    return typeof options === 'object' && options !== null
      ? (options as Record<string, unknown>)
      : null
  }
  return DEFAULT_COMPILER_OPTIONS
}

/** `type` of the task's package.json decides how Node16 resolves; ours have none and are modules. */
function readPackageType(taskFolder: string): 'module' | 'commonjs' {
  const path = join(taskFolder, 'package.json')
  if (!existsSync(path)) return 'module'
  const manifest = readLooseJson(readFileSync(path, 'utf8')) as { type?: unknown } | null
  return manifest?.type === 'module' ? 'module' : 'commonjs'
}
