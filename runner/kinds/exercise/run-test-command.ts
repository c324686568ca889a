import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_TEST_OUTPUT, type TestCommandResult } from '#lib/domain/record/index.ts'
import type { CollectedSolution } from '../../engine/evaluate-contract.ts'
import { prepareWorkspace } from '../../engine/workspace.ts'
import type { FindSecrets } from '../../redact/find-secrets.ts'
import { openJudging } from '../../repository/open-judging.ts'
import { runTaskCommand, type VerifySettings } from '../../repository/run-command.ts'
import { CappedLog } from '../../sandbox/process/capped-log.ts'
import { measureFolder } from '../../sandbox/process/run-process.ts'
import { writeSolution } from '../../subjects/write-solution.ts'
import type { LoadedExercise } from '../../suites/task-folder.ts'

const MAX_LOG_BYTES = 4 << 20
const MAX_DISK_BYTES = 1 << 30

type TestCommandSettings = VerifySettings & { marker: string; find: FindSecrets }

/**
 * Runs the task's own test command over the solution in a fresh copy of the task, sandboxed and without network; null =
 * the task has none. The result is a diagnostic: the verifier alone decides, so every failure here is a value.
 */
export async function runTestCommand(
  task: LoadedExercise,
  { files }: CollectedSolution,
  settings: TestCommandSettings,
): Promise<TestCommandResult | null> {
  const { testCommand: command, verifyTimeoutMs } = task.task
  if (command === undefined) return null
  const nothing = { command, exitCode: null, signal: null, limit: null, durationMs: 0 }
  const skip = (notRun: string) => ({ ...nothing, notRun, output: '', droppedChars: 0 })
  const { temporary, runMark, signal, find } = settings
  const isolation = await openJudging(settings.isolation)
  if (isolation.level === 'local') return skip('This machine has no sandbox for it.')
  const place = await prepareWorkspace(task, temporary)
  const log = new CappedLog(join(place.folder, 'test-command.log'), MAX_LOG_BYTES, find)
  try {
    await writeSolution(place.workspace, files)
    const baseBytes = await measureFolder(place.folder)
    const marker = `${settings.marker}-test-command`
    const startedMs = performance.now()
    const {
      cause,
      exitCode,
      signal: killedBy,
    } = await runTaskCommand(
      { ...place, isolation, runMark, signal, marker, baseBytes },
      {
        command,
        limits: { timeoutMs: verifyTimeoutMs, diskQuotaBytes: MAX_DISK_BYTES },
        network: false,
        log,
      },
    )
    if (cause === 'spawn-failed') return skip('It could not be started on this machine.')
    if (cause === 'cancelled') return skip('The run was stopped.')
    const limit = cause === 'exited' || cause === 'finished' ? null : cause
    const durationMs = Math.round(performance.now() - startedMs)
    const { droppedBytes } = log.close()
    const ended = { ...nothing, notRun: null, exitCode, signal: killedBy, limit, durationMs }
    return { ...ended, ...endOf(await readFile(log.path, 'utf8'), droppedBytes) }
  } catch (error) {
    return skip(`It could not be run: ${(error as Error).message}`.slice(0, 500))
  } finally {
    log.close()
    await place.remove()
  }
}

/** Returns the end of an output. PostgreSQL stores no NUL, so it is replaced as broken UTF-8 is. */
function endOf(text: string, droppedBytes: number) {
  const output = text
    .slice(-MAX_TEST_OUTPUT)
    .replaceAll('\0', '\uFFFD')
    .replace(/^[\uDC00-\uDFFF]/, '')
  return { output, droppedChars: Math.max(0, text.length - output.length) + droppedBytes }
}
