import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { formatIssues, type Problem } from '#lib/domain/problem.ts'
import { readJson } from './read-json.ts'
import { SuiteError } from './suite-error.ts'
import { type TaskConfig, taskConfigSchema } from './task-config.ts'

/** `.meta/config.json` of a task, or a SuiteError with the field and the reason. */
export function readTaskConfig(folder: string): TaskConfig {
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

/** What else a folder lacks for its config to be true: named files, instructions, a reference. */
export function findMissingParts(folder: string, { files }: TaskConfig): Problem[] {
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

function refusal(folder: string, messages: readonly string[]): SuiteError {
  const path = configPlace(folder)
  return new SuiteError(
    `task ${basename(folder)} cannot be loaded`,
    messages.map((message) => ({ path, message })),
  )
}

function configPlace(folder: string): string {
  return `${basename(folder)}/.meta/config.json`
}
