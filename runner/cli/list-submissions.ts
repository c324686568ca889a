import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RunFolder } from '../store/run-folder.ts'
import { isFolder } from '../submit/list-run-files.ts'
import { UsageError } from './cli-error.ts'

/** What a path stands for: a run folder, every run folder in a folder of them, or a file. Throws a UsageError. */
export function listSubmissions(path: string): string[] {
  if (!existsSync(path))
    throw new UsageError(`${path} does not exist: enter a run folder or a result file`)
  if (!isFolder(path)) return [path]
  const own = new RunFolder(resolve(path))
  if (existsSync(own.resultPath)) return [path]
  if (existsSync(own.planPath))
    throw new UsageError(
      `${path} has no result.json: finish its run first (run the same command to continue it)`,
    )
  const runs = readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .filter((folder) => isFolder(folder) && existsSync(new RunFolder(resolve(folder)).resultPath))
  if (runs.length > 0) return runs
  throw new UsageError(
    `${path} contains no result.json: enter a run folder, or a folder of run folders`,
  )
}
