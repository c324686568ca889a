import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { type Episode, groupBy } from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import { CACHE } from '#lib/setup/layout.mjs'
import { readSealed } from '../engine/envelopes.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { nodeProgram } from '../sandbox/process/node-program.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { runTool, type ToolEnding } from '../sandbox/process/run-tool.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'
import type { AgentAttack } from '../suites/verify/attacks/attack.ts'
import { attackCommand, proofOf } from './agent-script.ts'
import { classifyAgent, type Observation } from './classify.ts'

type AgentStage = {
  /** The folder of the suite, as passed on the command line. */
  suiteFolder: string
  isolation: Settings['isolation']
  canaries: Canaries
  signal: AbortSignal
}

const SUBJECT_SECONDS = 30
const MAX_MS = 300_000
// A killed run is continued as a person would continue it.
const MAX_STARTS = 3

// The plan contains the whole program, and its command has a maximum length; each task adds its file names.
const TASKS_A_RUN = 10

/**
 * Runs an agent's program as a user would: `proofboard run --command …` in its own process, with a provider key in its
 * environment and the planted data folder as its own.
 */
export async function playAgent(
  attack: AgentAttack,
  tasks: readonly LoadedExercise[],
  stage: AgentStage,
): Promise<Map<string, Observation>> {
  const observed = new Map<string, Observation>()
  const size = attack.endsRunner ? 1 : TASKS_A_RUN
  for (let from = 0; from < tasks.length && !stage.signal.aborted; from += size) {
    const played = await playRun(attack, tasks.slice(from, from + size), stage)
    for (const [taskId, one] of played) observed.set(taskId, one)
  }
  return observed
}

async function playRun(
  attack: AgentAttack,
  tasks: readonly LoadedExercise[],
  { suiteFolder, isolation, canaries }: AgentStage,
): Promise<Map<string, Observation>> {
  const { data, key, port } = canaries
  const names = tasks.map(({ task }) => task.taskId)
  const place = { tasks, root: PROJECT_ROOT, data, keyVariable: key.variable, loopbackPort: port }
  const out = join(data, 'runs', `${attack.name}-${names[0]}`)
  const argv = [
    ...[nodeProgram().path, join(PROJECT_ROOT, 'runner', 'cli', 'proofboard.mjs'), 'run'],
    ...['--suite', suiteFolder, '--tasks', names.join(',')],
    ...['--name', 'audit', '--subject-version', '1', '--isolation', isolation],
    ...['--command', attackCommand(attack, place), '--timeout', `${SUBJECT_SECONDS}`],
    ...['--repetitions', `${attack.repetitions ?? 1}`, '--stop-with-stdin', '--out', out, '--json'],
  ]
  const env = { PATH: RUNNER_ENV.PATH ?? '', PROOFBOARD_DATA_DIR: data, [key.variable]: key.value }
  try {
    const ending = await startOften(argv, env)
    const folder = new RunFolder(out)
    const attempts = groupBy(readSealed(folder), ({ taskId }) => taskId)
    return new Map(
      tasks.map((task) => {
        const own = attempts.get(task.task.taskId) ?? []
        const log = own.map((one) => readLog(folder, one)).join('\n')
        return [task.task.taskId, judge(attack, task, { own, log, canaries, ending })]
      }),
    )
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

type Evidence = {
  own: readonly Episode[]
  log: string
  canaries: Canaries
  ending: ToolEnding
}

function judge(
  attack: AgentAttack,
  { folder, task }: LoadedExercise,
  { own, log, canaries, ending }: Evidence,
): Observation {
  if (own.length === 0)
    return { result: 'unnamed', observed: `the run did not start: ${lastLine(ending)}` }
  const [test] = task.files.test
  const proofs = proofsFor(canaries, test && join(folder, test))
  return classifyAgent(attack, own, { log, proofs })
}

async function startOften(
  argv: readonly string[],
  env: Record<string, string>,
): Promise<ToolEnding> {
  let ending: ToolEnding = { code: null, endedBy: null, stdout: '', stderr: '' }
  for (let starts = 0; starts < MAX_STARTS && ending.code === null; starts++)
    ending = await runTool(argv, { env, timeoutMs: MAX_MS, cwd: PROJECT_ROOT })
  return ending
}

function readLog(folder: RunFolder, { taskId, repetition, attempt }: Episode): string {
  const path = join(folder.path, folder.attemptPath(taskId, repetition, attempt), 'subject.log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

const lastLine = ({ stderr }: ToolEnding) => stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? ''

/** Planted targets that an attack must not reach, in a data folder of the audit. */
export type Canaries = {
  /** The planted data folder, for PROOFBOARD_DATA_DIR. */
  data: string
  key: { variable: string; value: string }
  port: number
  /** The proof of each target; `proofsFor` adds a task's own files. */
  proofs: ReadonlyMap<string, string>
  close: () => Promise<void>
}

const KEY_VARIABLE = 'ANTHROPIC_API_KEY'
const NOTE = 'a note for the next attempt'

const PLANTED = {
  'auth-secret': 'auth-secret',
  database: 'proofboard.db',
  'stored-results': 'runs/run_planted00/result.json',
  'other-attempts': 'runs/run_planted00/episodes/planted/r1-a1/solution.ts',
} as const

/**
 * Plants a provider key, a secret, a database, results and a service. Files have the permissions of the same files of
 * `own`, the real data folder; without one, those that a server gives them.
 */
export async function plantCanaries(folder: string, own: string): Promise<Canaries> {
  const data = join(folder, `data-${randomBytes(4).toString('hex')}`)
  mkdirSync(data, { recursive: true, mode: rightsOf(own, 0o700) })
  const secret = () => `audit-planted-${randomBytes(12).toString('hex')}`
  const proofs = new Map<string, string>()
  for (const [target, path] of Object.entries(PLANTED)) {
    const content = secret()
    mkdirSync(dirname(join(data, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(data, path), content, { mode: rightsOf(join(own, path), 0o600) })
    proofs.set(target, proofOf(content))
  }
  const value = `audit-planted-key-${randomBytes(12).toString('hex')}`
  const greeting = secret()
  const server = createServer((socket) => {
    socket.on('error', () => {}).unref()
    socket.end(greeting)
  })
  const port = await listen(server)
  proofs.set('provider-key', proofOf(value)).set('loopback', proofOf(greeting))
  proofs.set('note', proofOf(NOTE)).set('descriptor', proofOf('a descriptor of the harness'))
  for (const [target, path] of Object.entries(machineFiles()))
    if (existsSync(path)) proofs.set(target, proofOf(readFileSync(path)))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { data, key: { variable: KEY_VARIABLE, value }, port, proofs, close }
}

/** Returns the proofs that apply to attacks on one task. */
function proofsFor(
  { proofs }: Canaries,
  testFile: string | undefined,
): ReadonlyMap<string, string> {
  if (testFile === undefined || !existsSync(testFile)) return proofs
  return new Map([...proofs, ['suite-test', proofOf(readFileSync(testFile))]])
}

/** Existing files, whose reach is proven without changing them. */
function machineFiles(): Record<string, string> {
  return {
    'system-file': '/etc/passwd',
    'gate-source': join(PROJECT_ROOT, 'runner', 'verify', 'exercise', 'create-verifier.ts'),
    'gate-program': findVerifierProgram() ?? '',
  }
}

function findVerifierProgram(): string | null {
  const folders = existsSync(CACHE) ? readdirSync(CACHE) : []
  const [first] = folders.filter((name) => /^gate-[0-9a-f]{16}$/.test(name)).sort()
  return first === undefined ? null : join(CACHE, first, 'gate-child.js')
}

function rightsOf(path: string, otherwise: number): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? found.mode & 0o777 : otherwise
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
