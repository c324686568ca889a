import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import { type Bundle, parseBundle } from '../../domain/record/index.ts'

const CLI = join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs')

export type CommandEnd = { code: number | null; stdout: string; stderr: string }

/** Starts the real command line with a separate data folder, by default with node. */
export function startProofboard(
  dataFolder: string,
  args: readonly string[],
  more: Record<string, string> = {},
  program = process.execPath,
): { child: ChildProcess; ended: Promise<CommandEnd> } {
  const env = { ...process.env, PROOFBOARD_DATA_DIR: dataFolder, ...more }
  const child = spawn(program, [CLI, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = new Promise<CommandEnd>((resolve) =>
    child.once('close', (code) => resolve({ code, ...output })),
  )
  return { child, ended }
}

/** Parses the object that `--json` prints as the last line of stdout. */
export function lastJson(stdout: string): Record<string, unknown> {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

/** Waits until a condition is true; a timeout fails the test. */
export async function pollUntil(isTrue: () => boolean, withinMs = 120_000): Promise<void> {
  for (const end = Date.now() + withinMs; !isTrue(); await sleep(25)) {
    if (Date.now() > end) throw new Error('what was waited for did not happen')
  }
}

const SOURCE = 'exercises/typescript'

/**
 * Copies some shipped exercises as a suite into a data directory. A shorter time limit in ms makes tests of endless
 * solutions faster.
 */
export function temporarySuite(
  dataDir: string,
  suiteId: string,
  taskIds: readonly string[],
  verifyTimeoutMs?: number,
): void {
  const folder = join(dataDir, 'suites', suiteId)
  mkdirSync(folder, { recursive: true })
  const about = JSON.parse(readFileSync(join(SOURCE, 'suite.json'), 'utf8'))
  writeFileSync(join(folder, 'suite.json'), JSON.stringify({ ...about, suiteId, title: suiteId }))
  cpSync(join(SOURCE, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  for (const taskId of taskIds) {
    cpSync(join(SOURCE, taskId), join(folder, taskId), { recursive: true })
    if (verifyTimeoutMs !== undefined) limitVerifier(join(folder, taskId), verifyTimeoutMs)
  }
}

function limitVerifier(task: string, verifyTimeoutMs: number): void {
  const path = join(task, '.meta', 'config.json')
  const config = JSON.parse(readFileSync(path, 'utf8'))
  config.custom.proofboard.verifyTimeoutMs = verifyTimeoutMs
  writeFileSync(path, JSON.stringify(config))
}

/** Reads a run's `result.json`; throws if it is invalid, or was reported by another program. */
export function readMeasuredBundle(file: string): Bundle {
  const parsed = parseBundle(JSON.parse(readFileSync(file, 'utf8')))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.value
}
