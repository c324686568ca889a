import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { slugSchema } from '#lib/domain/record/index.ts'
import { type AuditDocument, auditDocumentSchema, countAudit } from '#lib/domain/reports/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import { LazyVerifier } from '../cli/open-suite.ts'
import { countOption, freshRunId, isolationOption, nameList } from '../cli/options.ts'
import { commandSignal, printJsonResult, printResult, writeError } from '../cli/output.ts'
import { systemClock } from '../engine/clock.ts'
import { writeAtomic } from '../engine/files.ts'
import { resolveEnvironment } from '../engine/resolve-environment.ts'
import { findSuiteLocation, listSuiteLocations } from '../kinds/find-suite.ts'
import { isSuiteFolder } from '../kinds/kinds.ts'
import { loadSuite } from '../kinds/load-suite.ts'
import { suiteError, usageError } from '../runner-error.ts'
import { chooseIsolation } from '../sandbox/isolation/choose-isolation.ts'
import { local } from '../sandbox/isolation/local.ts'
import { closeInherited } from '../sandbox/process/close-inherited.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { startGuard } from '../sandbox/process/start-guard.ts'
import { dataFolder, PROJECT_ROOT } from '../suites/project-paths.ts'
import { REPOSITORY_FILE } from '../suites/read-repository-task.ts'
import { createVerifier } from '../verify/exercise/create-verifier.ts'
import { findAudit, type KindAudit } from './audit-kinds.ts'
import { type AuditRequest, attackLine, renderAudit } from './audit-suite.ts'
import { plantCanaries } from './play-agent.ts'

type Options = {
  tasks?: string[]
  attacks?: string[]
  concurrency: number
  isolation?: Settings['isolation']
  all?: boolean
  write?: boolean
  out?: string
  json?: boolean
}

/** `proofboard audit`: attacks a suite or a task folder and reports the result of each attack. */
export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('attack a suite or a task folder and print the result of each attack')
    .argument('<suite or task folder>')
    .option('--tasks <a,b>', 'only these tasks', nameList)
    .option('--attacks <x,y>', 'only these attacks or classes of attacks', nameList)
    .option('--concurrency <n>', 'concurrent attempts', countOption('--concurrency', 16), 2)
    .option(
      '--isolation <level>',
      'for attacks by agents (default: strongest available)',
      isolationOption,
    )
    .option('--all', 'run every attack on every task')
    .option('--write', 'store the result in the suite')
    .option('--out <file>', 'store the result in this file')
    .option('--json', 'print one JSON object as the last line of stdout')
    .action(audit)
}

async function audit(nameOrPath: string, options: Options): Promise<void> {
  if (options.write && (options.tasks ?? options.attacks) !== undefined)
    throw usageError('--write stores the result of a whole suite: remove --tasks and --attacks')
  closeInherited()
  const signal = commandSignal({ stopWithStdin: false })
  const folder = join(tmpdir(), `proofboard-audit-${randomBytes(6).toString('hex')}`)
  await mkdir(folder, { mode: 0o700 })
  // Waiting for a child's end does not keep the event loop alive.
  const alive = setInterval(() => {}, 60_000)
  // Removes the planted secrets even if this process is killed.
  const guard = startGuard(freshRunId(), folder, null)
  try {
    const target = openTarget(nameOrPath, dataFolder(RUNNER_ENV), folder)
    const document = await playAll(target, options, { folder, signal })
    if (signal.aborted || document === null) {
      process.exitCode = 130
      return
    }
    await keep(document, target, options)
    const counts = countAudit(document)
    if (options.json)
      printJsonResult({
        ...counts,
        suiteId: document.suiteId,
        isolation: document.isolation,
        durationMs: document.durationMs,
      })
    else printResult(renderAudit(document))
    if (counts.solved + counts.unnamed > 0) process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true, force: true })
    await guard.release()
    clearInterval(alive)
    // Any process still running is a child of the verifier, and dies with this process.
    setTimeout(() => process.exit(), MAX_CLOSING_MS).unref()
  }
}

const MAX_CLOSING_MS = 20_000

type Ground = { folder: string; signal: AbortSignal }

/** Null if the audit was stopped early. */
async function playAll(
  { suiteFolder, taskId, isAlone }: AuditTarget,
  options: Options,
  { folder, signal }: Ground,
): Promise<AuditDocument | null> {
  const lazy = new LazyVerifier()
  const verifier = createVerifier({ typeWorkers: options.concurrency })
  const canaries = await plantCanaries(folder, dataFolder(RUNNER_ENV))
  try {
    const location = { suiteId: suiteFolder, folder: suiteFolder, origin: 'imported' as const }
    const loaded = await loadSuite(location, lazy.get)
    const audit = findAudit(loaded.kind.name)
    const isolation = await openLevel(audit, options.isolation)
    // Solutions are written by the harness itself; only agents' programs run inside the level.
    const environment = await resolveEnvironment(await local.record())
    const start = performance.now()
    const { suite } = loaded
    const { concurrency } = options
    const stage = { suite, environment, concurrency, signal, folder }
    const request: AuditRequest = {
      all: options.all === true,
      concurrency,
      onAttack: (played) => writeError(attackLine(played)),
    }
    const names = taskId === null ? (options.tasks ?? null) : [taskId]
    const place = { ...stage, verifier, canaries, suiteFolder, isolation }
    const { attacks: wanted } = options
    const { tasks, attacks, skipped } = await audit.play(
      { suite: loaded, names, wanted },
      request,
      place,
    )
    if (signal.aborted) return null
    return auditDocumentSchema.parse({
      schemaVersion: 1,
      suiteId: suite.suiteId,
      title: suite.title,
      suiteVersion: isAlone ? null : suite.version,
      suiteDigest: suite.digest,
      auditedAt: systemClock.now(),
      durationMs: Math.round(performance.now() - start),
      harness: environment.harness,
      node: environment.node,
      isolation: isolation.level,
      asRoot: process.getuid?.() === 0,
      tasks: tasks.map(({ task }) => task.taskId),
      attacks,
      skipped,
    })
  } finally {
    await Promise.race([
      Promise.all([verifier.close(), lazy.close(), canaries.close()]),
      // The process ends after its output, even if an attack damaged the verifier.
      sleep(MAX_CLOSING_MS, undefined, { ref: false }),
    ])
  }
}

const STRONGEST_FIRST = ['bubblewrap', 'docker', 'local'] as const

/** Opens the requested level, or the strongest of this machine, unless the suite has only one. */
async function openLevel(
  { isLocal }: Pick<KindAudit, 'isLocal'>,
  requested: Settings['isolation'] | undefined,
) {
  if (isLocal) return chooseIsolation('local')
  for (const level of requested === undefined ? STRONGEST_FIRST : [requested]) {
    const isolation = chooseIsolation(level)
    const refusal = await isolation.available()
    if (refusal === null) return isolation
    if (requested !== undefined)
      throw usageError(`--isolation ${level} is not available here: ${refusal}`)
  }
  return chooseIsolation('local')
}

/** The result of a part of a suite does not replace that of the whole. */
async function keep(
  document: AuditDocument,
  { suiteFolder, taskId }: AuditTarget,
  { tasks, attacks, write, out }: Options,
): Promise<void> {
  const isWhole = taskId === null && tasks === undefined && attacks === undefined
  const paths = [
    ...(out === undefined ? [] : [resolve(out)]),
    ...(write && isWhole ? [join(suiteFolder, 'audit.json')] : []),
    ...(isWhole ? [join(dataFolder(RUNNER_ENV), 'audits', `${document.suiteId}.json`)] : []),
  ]
  for (const path of paths) {
    await mkdir(dirname(path), { recursive: true })
    await writeAtomic(path, `${JSON.stringify(document, null, 1)}\n`)
    writeError(
      `stored in ${path.startsWith(PROJECT_ROOT) ? path.slice(PROJECT_ROOT.length + 1) : path}`,
    )
  }
}

/** A suite to audit, or one task of it. */
type AuditTarget = {
  /** The folder of a suite, as passed to `run`. */
  suiteFolder: string
  /** Null = the whole suite. */
  taskId: string | null
  /** True for a task folder without a suite, which was put into one for the audit. */
  isAlone: boolean
}

/** Finds a suite by name or path, or a task by its folder. `folder` is for a suite created around a single task. */
function openTarget(nameOrPath: string, dataFolder: string, folder: string): AuditTarget {
  const known = listSuiteLocations(dataFolder).some(({ suiteId }) => suiteId === nameOrPath)
  const path = resolve(nameOrPath)
  if (known || isSuiteFolder(path) || !existsSync(path)) {
    const place = findSuiteLocation(nameOrPath, dataFolder)
    return { suiteFolder: place.folder, taskId: null, isAlone: false }
  }
  const isTask = TASK_FILES.some((file) => existsSync(join(path, file)))
  if (!isTask)
    throw suiteError(
      `${path} is neither a suite (suite.json) nor a task folder (.meta/config.json, ${REPOSITORY_FILE} or task.toml)`,
    )
  if (existsSync(join(dirname(path), 'suite.json')))
    return { suiteFolder: dirname(path), taskId: basename(path), isAlone: false }
  return { suiteFolder: suiteAround(path, folder), taskId: basename(path), isAlone: true }
}

/** Files that mark a folder as a task, one for each kind. */
const TASK_FILES = ['.meta/config.json', 'task.json', REPOSITORY_FILE]

/** Creates a suite of one task: copies the task's folder, with the compiler settings beside it. */
function suiteAround(taskFolder: string, folder: string): string {
  const taskId = basename(taskFolder)
  if (!slugSchema.safeParse(taskId).success)
    throw suiteError(`${taskId} is not a task name: use lower-case letters, digits and dashes`)
  const suiteFolder = join(folder, 'suite')
  mkdirSync(suiteFolder, { recursive: true })
  cpSync(taskFolder, join(suiteFolder, taskId), { recursive: true })
  const settings = join(dirname(taskFolder), 'tsconfig.json')
  if (existsSync(settings)) cpSync(settings, join(suiteFolder, 'tsconfig.json'))
  const isRepository = existsSync(join(taskFolder, REPOSITORY_FILE))
  const kind = isRepository ? 'repository' : 'exercise'
  const about = { suiteId: taskId, kind, title: taskId, description: '', version: '1' }
  writeFileSync(join(suiteFolder, 'suite.json'), JSON.stringify(about))
  return suiteFolder
}
