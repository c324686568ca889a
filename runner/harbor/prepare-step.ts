import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Healthcheck } from '#lib/domain/tasks/index.ts'
import { shellWord } from '#lib/domain/text/index.ts'
import { secretFinder } from '../redact/find-secrets.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import type { LoadedHarbor, StepFiles } from './harbor-folder.ts'
import { runScript, type ScriptPlace, showFiles, withMounts } from './run-script.ts'

const MAX_LOG_BYTES = 64 << 10
const MAX_SAID = 200
const INSIDE_STEP = '/run/proofboard-step'

/** A place in which programs of the task are run before the subject. */
export type Before = ScriptPlace & { network: boolean }

/**
 * Puts the files of a step into the working folder, as the image's root, and runs its `setup.sh` as the subject's user.
 * Returns why the step is not ready; null = it is.
 */
export async function layStep(
  task: LoadedHarbor,
  { workdir }: StepFiles,
  where: Before,
  asRoot: Isolation,
): Promise<string | null> {
  if (workdir.length === 0) return null
  const shown = await showFiles(where.place, 'step', workdir)
  const mount = { ...shown, inside: INSIDE_STEP }
  const copying = { ...where, isolation: withMounts(asRoot, [mount]) }
  const copied = await runCommand(
    task,
    copying,
    `cp -R ${INSIDE_STEP}/. .`,
    task.task.limits.buildMs,
  )
  if (copied !== null) return `its files could not be put into the working folder (${copied})`
  if (!workdir.some(({ path }) => path === 'setup.sh')) return null
  const failed = await runCommand(task, where, 'bash ./setup.sh', task.task.limits.buildMs)
  return failed === null ? null : `its setup.sh ${failed}`
}

/**
 * Runs a healthcheck until it passes, as often as the task allows. What it changes does not stay, and of the programs before
 * it only the image's own is there. Returns how it failed; null = it passed.
 */
export async function waitUntilHealthy(
  task: LoadedHarbor,
  check: Healthcheck | undefined,
  where: Before,
): Promise<string | null> {
  if (check === undefined) return null
  const failed = await runCommand(task, where, waitCommand(check), task.task.limits.buildMs)
  return failed === null ? null : `its healthcheck failed (it ${failed})`
}

/** Returns a command of the shell that ends once a healthcheck passes, or fails if it did not as often as allowed. */
export function waitCommand(check: Healthcheck): string {
  const toSeconds = (ms: number) => Math.ceil(ms / 1000)
  const pause = Math.max(1, toSeconds(check.startIntervalMs))
  const starting = Math.ceil(toSeconds(check.startMs) / pause)
  const command = `/bin/sh -c ${shellWord(check.command)}`
  return [
    `limit=$(command -v timeout) && limit="$limit ${toSeconds(check.timeoutMs)}"`,
    `check() { $limit ${command}; }`,
    `for _ in $(seq ${starting}); do check && exit 0; sleep ${pause}; done`,
    'tries=0',
    `while ! check; do`,
    `  tries=$((tries + 1))`,
    `  [ $tries -lt ${check.retries} ] || exit 1`,
    `  sleep ${toSeconds(check.intervalMs)}`,
    'done',
  ].join('\n')
}

/** Returns how a program failed, with its last words; null = it exited with 0. */
export async function runCommand(
  task: LoadedHarbor,
  where: Before,
  command: string,
  timeoutMs: number,
): Promise<string | null> {
  const path = join(where.place.folder, `prepare-${randomBytes(6).toString('hex')}.log`)
  const find = secretFinder(Object.values(where.settings.variables ?? {}))
  const log = new CappedLog(path, MAX_LOG_BYTES, find)
  try {
    const { cause, exitCode, signal } = await runScript(task, where, {
      path: command,
      timeoutMs,
      env: {},
      network: where.network,
      log,
    })
    if (cause === 'exited' && exitCode === 0) return null
    log.flush()
    const message = (await readFile(log.path, 'utf8')).trim().split('\n').at(-1)?.slice(0, MAX_SAID)
    const how = cause === 'exited' ? `exited with ${exitCode ?? signal}` : `was stopped (${cause})`
    return message ? `${how}: ${message}` : how
  } finally {
    log.close()
  }
}
