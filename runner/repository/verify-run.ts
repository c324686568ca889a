import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_TEST_REPORT_BYTES, type ReportedTest, readTestRun } from '#lib/domain/formats/index.ts'
import { mayUseNetwork } from '#lib/domain/tasks/index.ts'
import type { ParseResult } from '#lib/domain/text/index.ts'
import { readPlainFile } from '../engine/read-plain-file.ts'
import { createAttemptDirs } from '../engine/workspace.ts'
import { faultOf, machineError } from '../runner-error.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { measureFolder, type ProcessEnding } from '../sandbox/process/run-process.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { partLimits } from './limits.ts'
import { applyChanges, type Change } from './overlay.ts'
import type { PreparedBase } from './prepare-base.ts'
import {
  type CommandPlace,
  makeReportPath,
  runTaskCommand,
  type VerifySettings,
} from './run-command.ts'
import { mountShared, splitFor } from './shared-packages.ts'
import { copyTree } from './tree.ts'

/** One run of the verify command in a fresh place. */
export type VerifyRun = {
  ending: ProcessEnding
  report: ParseResult<ReportedTest[]>
  /** Tests whose files differed when the run ended. */
  disturbed: string[]
  log: string
  tookMs: number
}

const MAX_LOG_BYTES = 4 << 20

type Tried = {
  changes: readonly Change[]
  tests: readonly Change[]
  /** A shorter time limit than the task's; absent = the task's. */
  maxMs?: number
}

/**
 * Runs the verify command: a new folder from the sealed base, the work's changes, then the tests over it. An earlier
 * report cannot be read as the new one: its path is random, or cleared before the start. Throws if stopped from
 * outside.
 */
export async function runVerify(
  task: LoadedRepository,
  base: PreparedBase,
  { changes, tests, maxMs = Number.POSITIVE_INFINITY }: Tried,
  settings: VerifySettings,
): Promise<VerifyRun> {
  const dirs = await createAttemptDirs(settings.temporary, null, 'workspace')
  const marker = `verify-${randomBytes(8).toString('hex')}`
  const { isolation, runMark, signal } = settings
  const log = new CappedLog(join(dirs.folder, 'verify.log'), MAX_LOG_BYTES)
  try {
    const { verify } = task.task
    const { workspace } = dirs
    const split = splitFor(settings, base, [...changes, ...tests])
    await copyTree(split.copied, base.folder, workspace)
    const inside = isolation.inside(dirs).workspace
    const mounts = await mountShared(split.shared, base, { workspace, inside })
    await applyChanges(workspace, [...changes, ...tests])
    const { path } = verify.report
    if (path !== undefined)
      await applyChanges(workspace, [{ path, bytes: null, executable: false }])
    const baseBytes = await measureFolder(dirs.folder)
    const place: CommandPlace = { ...dirs, isolation, runMark, signal, marker, baseBytes, mounts }
    const { command, root, below } = await placeReport(task, place)
    const limits = partLimits(task.task, 'verify')
    const start = performance.now()
    const ending = await runTaskCommand(place, {
      command,
      limits: { ...limits, timeoutMs: Math.min(limits.timeoutMs, maxMs) },
      network: mayUseNetwork(task.task, 'verify'),
      log,
    })
    const tookMs = performance.now() - start
    if (ending.cause === 'spawn-failed' || !ending.clean)
      throw machineError('the verify command could not be started or ended on this machine')
    // The report of a stopped run says nothing about the work.
    if (ending.cause === 'cancelled') throw new Error('stopped')
    const report = await readReport(task, root, below)
    const disturbed = await findDisturbed(workspace, tests)
    log.flush()
    return { ending, report, disturbed, log: await readFile(log.path, 'utf8'), tookMs }
  } catch (error) {
    if (faultOf(error) === 'harness' && settings.signal.aborted) throw new Error('stopped')
    throw error
  } finally {
    log.close()
    await dirs.remove()
  }
}

/** Returns the command with the target of its report: a random path, a file of the repository, or its output. */
async function placeReport({ task: { verify } }: LoadedRepository, place: CommandPlace) {
  const { command, report } = verify
  if (report.path !== undefined) return { command, root: place.workspace, below: report.path }
  const { inside, below } = await makeReportPath(place, randomBytes(12).toString('hex'))
  const root = place.temporary
  if (command.includes(REPORT)) return { command: command.replaceAll(REPORT, inside), root, below }
  const script = `( ${command}\n) > "$0"`
  return { command: ['/bin/sh', '-c', script, inside], root, below }
}

/** Placeholder in a command for the random path. */
const REPORT = '{report}'

async function readReport(
  { task }: LoadedRepository,
  root: string,
  below: string,
): Promise<ParseResult<ReportedTest[]>> {
  const refuse = (message: string): ParseResult<never> => ({
    ok: false,
    problems: [{ path: 'report', message }],
  })
  const found = await readPlainFile(root, below, MAX_TEST_REPORT_BYTES)
  if (found.kind === 'missing') return refuse('the verify command wrote no report')
  if (found.kind === 'refused') return refuse(`the report ${found.reason}`)
  return readTestRun(task.verify.report.format, found.bytes.toString('utf8'))
}

/** A solution that rewrites a test while it runs leaves another file. */
async function findDisturbed(workspace: string, tests: readonly Change[]): Promise<string[]> {
  const disturbed: string[] = []
  for (const { path, bytes } of tests) {
    if (bytes === null) continue
    const found = await readPlainFile(workspace, path, bytes.length)
    if (found.kind !== 'read' || !found.bytes.equals(bytes)) disturbed.push(path)
  }
  return disturbed
}
