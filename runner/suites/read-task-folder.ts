import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { digestJson } from '#lib/domain/digest.ts'
import { formatIssues, type Problem } from '#lib/domain/problem.ts'
import { readCompilerOptions, readPackageType } from './compiler-options.ts'
import { readJson } from './read-json.ts'
import { readTemplate } from './read-template.ts'
import { SuiteError } from './suite-error.ts'
import { type TaskConfig, taskConfigSchema } from './task-config.ts'
import type { SourceText, TaskFolder } from './task-folder.ts'

const INSTRUCTION_FILES = ['.docs/introduction.md', '.docs/instructions.md', '.docs/instructions.append.md']
const DEFAULT_VERIFY_TIMEOUT_MS = 120_000

/**
 * Reads one exercise in the Exercism practice layout. Throws a SuiteError that names file, field and reason; a folder
 * is read whole or not at all.
 */
export function readTaskFolder(folder: string, patches: { config?: TaskConfig; tests?: SourceText[]; reference?: SourceText[] } = {}): TaskFolder {
  const taskId = basename(folder)
  const config = patches.config ?? readConfig(folder)
  const example = config.files.example ?? config.files.exemplar ?? []
  const instructions = INSTRUCTION_FILES.filter((path) => existsSync(join(folder, path)))
  const named = [...config.files.solution, ...config.files.test, ...example]
  const missing = named.filter((path) => !existsSync(join(folder, path)))
  const problems: Problem[] = missing.map((path) => ({ path: `${taskId}/.meta/config.json`, message: `files names ${path}, which does not exist` }))
  if (instructions.length === 0) problems.push({ path: `${taskId}/.docs/instructions.md`, message: 'is missing' })
  if (example.length === 0) problems.push({ path: `${taskId}/.meta/config.json`, message: 'files.example: names no reference solution' })
  const compilerOptions = readCompilerOptions(folder)
  if (!compilerOptions) problems.push({ path: `${taskId}/tsconfig.json`, message: 'is not valid JSON' })
  if (problems.length > 0 || !compilerOptions) throw new SuiteError(`task ${taskId} cannot be loaded`, problems)

  const tests = patches.tests ?? readTexts(folder, config.files.test)
  const testsDigest = digestJson(tests)
  const about = config.custom?.proofboard
  const template = readTemplate(folder)
  const support = supportPaths(template.map((file) => file.path), config)
  return {
    folder,
    draft: {
      taskId,
      title: about?.title ?? titleFrom(taskId),
      category: about?.category ?? 'practice',
      difficulty: about?.difficulty ?? 'unknown',
      files: { solution: config.files.solution, test: config.files.test, example, support, instructions },
      runTests: config.custom?.['flag.tests.jest'] ?? true,
      typeTests: about?.typeTests ?? config.custom?.['flag.tests.tstyche'] ?? false,
      compilerOptions,
      packageType: readPackageType(folder),
      verifyTimeoutMs: about?.verifyTimeoutMs ?? DEFAULT_VERIFY_TIMEOUT_MS,
    },
    knownTests: readKnownTests(folder, testsDigest),
    testsDigest,
    template: patches.tests ? template.map((file) => patchFile(file, tests)) : template,
    stubs: readTexts(folder, config.files.solution),
    tests,
    support: readTexts(folder, support),
    instructions: instructions.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n\n'),
    reference: patches.reference ?? underSolutionPaths(readTexts(folder, example), config.files.solution),
    wrong: readWrong(folder, config.files.solution),
  }
}

function readConfig(folder: string): TaskConfig {
  const path = join(folder, '.meta', 'config.json')
  const place = `${basename(folder)}/.meta/config.json`
  if (!existsSync(path)) throw new SuiteError(`task ${basename(folder)} cannot be loaded`, [{ path: place, message: 'is missing' }])
  const json = readJson(path)
  if (json.error !== null) throw new SuiteError(`task ${basename(folder)} cannot be loaded`, [{ path: place, message: json.error }])
  const parsed = taskConfigSchema.safeParse(json.value)
  if (parsed.success) return parsed.data
  const problems = formatIssues(parsed.error.issues).map((p) => ({ path: place, message: `${p.path}: ${p.message}` }))
  throw new SuiteError(`task ${basename(folder)} cannot be loaded`, problems)
}

function readTexts(folder: string, paths: readonly string[]): SourceText[] {
  return paths.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

/** Example files answer to the solution files: by base name where it fits, else by position. */
function underSolutionPaths(examples: readonly SourceText[], solution: readonly string[]): SourceText[] {
  return solution.flatMap((path, index) => {
    const match = examples.find((file) => basename(file.path) === basename(path)) ?? examples[index]
    return match ? [{ path, text: match.text }] : []
  })
}

/** Further TypeScript that tests and solutions may import, apart from what the config names. */
function supportPaths(all: readonly string[], config: TaskConfig): string[] {
  const named = new Set([...config.files.solution, ...config.files.test])
  return all.filter((path) => /\.[cm]?tsx?$/.test(path) && !named.has(path) && !path.includes('.config.'))
}

function readKnownTests(folder: string, testsDigest: string): string[] | null {
  const path = join(folder, '.meta', 'tests.json')
  if (!existsSync(path)) return null
  const { value } = readJson(path) as { value: { testsDigest?: unknown; names?: unknown } | undefined }
  if (value?.testsDigest !== testsDigest || !Array.isArray(value.names)) return null
  return value.names.every((name) => typeof name === 'string') ? value.names : null
}

function readWrong(folder: string, solution: readonly string[]): TaskFolder['wrong'] {
  const wrongFolder = join(folder, '.meta', 'wrong')
  if (!existsSync(wrongFolder)) return []
  const [path] = solution
  return readdirSync(wrongFolder)
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((name) => ({
      name: basename(name, extname(name)),
      files: [{ path: path as string, text: readFileSync(join(wrongFolder, name), 'utf8') }],
    }))
}

function patchFile(file: TaskFolder['template'][number], tests: readonly SourceText[]): TaskFolder['template'][number] {
  const patched = tests.find((test) => test.path === file.path)
  return patched ? { path: file.path, bytes: Buffer.from(patched.text) } : file
}

function titleFrom(taskId: string): string {
  const words = taskId.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
