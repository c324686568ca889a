import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Bundle, parseBundle } from '#lib/domain/bundle.ts'
import { problemLines } from '#lib/domain/problem.ts'
import { RunFolder } from '../store/run-folder.ts'
import { UsageError } from './cli-error.ts'
import { readJsonFile } from './read-plan.ts'

/** A result.json or a run's folder, whole, or a UsageError that says what is wrong with it. */
export function readBundle(path: string): Bundle {
  const file = isFolder(path) ? new RunFolder(resolve(path)).resultPath : path
  if (isFolder(path) && !existsSync(file)) {
    throw new UsageError(
      `${path} has no result.json: finish its run first (run the same command to continue it)`,
    )
  }
  const parsed = parseBundle(readJsonFile(file))
  if (parsed.ok) return parsed.value
  const lines = problemLines(parsed.problems, 3).join('; ')
  throw new UsageError(`${file} is not a complete result: ${lines}`)
}

/** Every result below a folder of runs, or the one that the path names; a folder without any has none. */
export function listResultFiles(path: string): string[] {
  if (!isFolder(path)) return [path]
  const own = new RunFolder(resolve(path)).resultPath
  if (existsSync(own)) return [own]
  return readdirSync(path)
    .sort()
    .map((name) => new RunFolder(resolve(join(path, name))).resultPath)
    .filter((file) => existsSync(file))
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
