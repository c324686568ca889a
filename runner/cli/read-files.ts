import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Result } from '#lib/domain/board/index.ts'
import { judgeAttempts } from '#lib/domain/formats/index.ts'
import {
  type AnyBundle,
  type Bundle,
  digestPlan,
  type Plan,
  parseAnyBundle,
  parseAnyEpisode,
  parseBundle,
  planSchema,
} from '#lib/domain/record/index.ts'
import { formatIssues, type ParseResult, problemLines } from '#lib/domain/text/index.ts'
import { RunFolder } from '../engine/run-folder.ts'
import type { LoadedSuite } from '../kinds/kind.ts'
import { usageError } from '../runner-error.ts'
import { isFolder } from '../user-files.ts'
import { readJsonFile } from './input-files.ts'

/** Reads a frozen plan from a file; rejects an edited one. */
export function readPlan(path: string): Plan {
  const parsed = planSchema.safeParse(readJsonFile(path))
  if (!parsed.success) {
    throw usageError(
      `${path} is not a plan: ${problemLines(formatIssues(parsed.error.issues), 3).join('; ')}`,
    )
  }
  if (digestPlan(parsed.data) !== parsed.data.planDigest) {
    throw usageError(
      `${path} was edited after it was frozen: make a new plan with "proofboard plan"`,
    )
  }
  return parsed.data
}

/** A plan can be run only on the exact tasks it was frozen for. */
export function checkPlanFits(plan: Plan, { suite }: LoadedSuite): void {
  if (plan.suiteDigest === suite.digest) return
  const digests = new Map(suite.tasks.map((task) => [task.taskId, task.digest]))
  const changed = plan.tasks
    .filter((task) => digests.get(task.taskId) !== task.digest)
    .map((task) => task.taskId)
  const named =
    changed.length > 0
      ? `these tasks changed: ${changed.slice(0, 10).join(', ')}`
      : 'tasks outside the plan changed'
  throw usageError(
    `the plan was frozen for another version of suite ${suite.suiteId} (${named}): freeze a new plan`,
  )
}

/**
 * Reads a result of our runner: its result.json or its run's folder. Throws a RunnerError that explains what is wrong
 * with it.
 */
export function readBundle(path: string): Bundle {
  return readWhole(path, parseBundle)
}

/** Like `readBundle`, also for results of other programs, for commands that only evaluate or export results. */
export function readAnyBundle(path: string): AnyBundle {
  return readWhole(path, parseAnyBundle)
}

function readWhole<B>(path: string, parse: (input: unknown) => ParseResult<B>): B {
  const file = resultFileOf(path)
  const parsed = parse(readJsonFile(file))
  if (parsed.ok) return parsed.value
  const lines = problemLines(parsed.problems, 3).join('; ')
  throw usageError(`${file} is not a complete result: ${lines}`)
}

/** Returns the result of a run's folder, or the file itself. */
function resultFileOf(path: string): string {
  if (!isFolder(path)) return path
  const file = new RunFolder(resolve(path)).resultPath
  if (existsSync(file)) return file
  throw usageError(
    `${path} has no result.json: finish its run first (run the same command to continue it)`,
  )
}

/** Lists the results that a path names. Throws a RunnerError if there are none; `wanted` = what to enter instead. */
export function requireResultFiles(path: string, wanted: string): string[] {
  if (!existsSync(path)) throw usageError(`${path} does not exist: enter ${wanted}`)
  const files = listResultFiles(path)
  if (files.length > 0) return files
  throw usageError(`${path} contains no result.json: enter ${wanted}`)
}

/** Lists every result below a folder of runs, or the one that the path names; may be empty. */
export function listResultFiles(path: string): string[] {
  if (!isFolder(path)) return [path]
  const own = new RunFolder(resolve(path)).resultPath
  if (existsSync(own)) return [own]
  return readdirSync(path)
    .sort()
    .map((name) => new RunFolder(resolve(join(path, name))).resultPath)
    .filter((file) => existsSync(file))
}

export type ReadResult = { kind: 'episode' | 'result bundle'; result: ParseResult<Result> }

/**
 * Reads and checks a result.json, the folder of its run or a lone episode.json: schema, seals, digests, contradictions.
 */
export function readResult(path: string): ReadResult {
  const input = readJsonFile(resultFileOf(path))
  if (typeof input !== 'object' || input === null || !('episodeId' in input))
    return { kind: 'result bundle', result: checkBundle(input) }
  const parsed = parseAnyEpisode(input)
  if (!parsed.ok) return { kind: 'episode', result: parsed }
  const episode = parsed.value
  const value = { runId: episode.runId, plan: null, shard: WHOLE, episodes: [episode] }
  return { kind: 'episode', result: { ok: true, value } }
}

/** As strict as a server that receives it, as far as possible here. */
function checkBundle(input: unknown): ParseResult<Result> {
  const parsed = parseAnyBundle(input)
  const problems = parsed.ok ? judgeAttempts(parsed.value) : []
  return problems.length > 0 ? { ok: false, problems } : parsed
}

const WHOLE = { index: 1, count: 1 }
