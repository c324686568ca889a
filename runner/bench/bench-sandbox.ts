import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settingsSchema } from '#lib/domain/settings/index.ts'
import { EXERCISE } from '../kinds/exercise/exercise.ts'
import { findSuiteLocation } from '../kinds/find-suite.ts'
import { tasksOf } from '../kinds/kind.ts'
import { loadSuite } from '../kinds/load-suite.ts'
import { chooseIsolation } from '../sandbox/isolation/choose-isolation.ts'
import type { GatewaySocket, Isolation } from '../sandbox/isolation/isolation.ts'
import { runEnclosed } from '../sandbox/isolation/run-enclosed.ts'
import { CappedLog } from '../sandbox/process/capped-log.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { verifierInput } from '../suites/complete-task.ts'
import { dataFolder } from '../suites/project-paths.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'
import { createVerifier } from '../verify/exercise/create-verifier.ts'
import { listGradingSandboxes } from '../verify/exercise/grading-sandbox.ts'
import type { VerifierInput } from '../verify/exercise/verifier-types.ts'

const START_ROUNDS = 10

/** Measures the start-up cost of each isolation level, from the request until all of it is gone again. */
export async function benchIsolation(): Promise<void> {
  const lines = [`start and end of one program, median of ${START_ROUNDS}`]
  const { gateway, close } = await openGateway()
  for (const level of settingsSchema.shape.isolation.options) {
    const isolation = chooseIsolation(level)
    const refusal = await isolation.available()
    if (refusal !== null) lines.push(`${level.padEnd(12)} not on this machine: ${refusal}`)
    else {
      const empty = await measureStart(isolation, ['true'])
      const node = await measureStart(isolation, ['node', '-e', '0'])
      const open = await measureStart(isolation, ['true'], gateway)
      lines.push(
        `${level.padEnd(12)} true ${empty} ms, node ${node} ms, true with the gateway ${open} ms`,
      )
    }
  }
  await close()
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** A gateway that nothing is asked of. */
async function openGateway(): Promise<{ gateway: GatewaySocket; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-bench-'))
  const server = createServer()
  const socketPath = join(folder, 'gateway.sock')
  await once(server.listen(socketPath), 'listening')
  return {
    gateway: { socketPath, port: 1 },
    close: async () => {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function measureStart(
  isolation: Isolation,
  command: readonly string[],
  gateway: GatewaySocket | null = null,
): Promise<number> {
  const seconds: number[] = []
  for (let round = 0; round <= START_ROUNDS; round++)
    seconds.push(await startOnce(isolation, { command, gateway }))
  const warm = seconds.slice(1).sort((a, b) => a - b)
  return Math.round(warm[Math.floor(warm.length / 2)] ?? Number.NaN)
}

async function startOnce(
  isolation: Isolation,
  { command, gateway }: { command: readonly string[]; gateway: GatewaySocket | null },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'proofboard-bench-'))
  const log = new CappedLog(join(folder, 'log'), 1 << 16)
  try {
    const places = {
      workspace: join(folder, 'workspace'),
      home: join(folder, 'home'),
      temporary: join(folder, 'tmp'),
    }
    for (const path of Object.values(places)) await mkdir(path)
    const start = performance.now()
    const ending = await runEnclosed(
      {
        isolation,
        ...places,
        folder,
        marker: `bench-${process.pid}`,
        runMark: `bench-${process.pid}`,
        settings: { timeoutMs: 60_000, diskQuotaBytes: 64 << 20 },
        log,
        signal: new AbortController().signal,
      },
      { command, gateway, env: { PATH: RUNNER_ENV.PATH ?? '' } },
    )
    if (ending.exitCode !== 0) throw new Error(`${isolation.level} could not start ${command[0]}`)
    return performance.now() - start
  } finally {
    log.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const GUARD_ROUNDS = 3

type Guard = { what: string; sandboxed: boolean; changes: Partial<VerifierInput> }

/** Guards, switched on one after the other; each line includes those above it. */
const GUARDS: readonly Guard[] = [
  {
    what: 'types and visible tests',
    sandboxed: false,
    changes: { alterTests: false, heldOut: null },
  },
  {
    what: '+ sandbox of the process',
    sandboxed: true,
    changes: { alterTests: false, heldOut: null },
  },
  { what: '+ altered expectations', sandboxed: true, changes: { heldOut: null } },
  { what: '+ held-out transcript', sandboxed: true, changes: {} },
]

/** Measures the cost of each guard of the verifier: references of one suite, warm, one after the other. */
export async function benchGuards(suite: string): Promise<void> {
  const place = findSuiteLocation(suite, dataFolder(RUNNER_ENV))
  const loading = createVerifier()
  const loaded = await loadSuite(place, () => loading)
  await loading.close()
  const tasks = tasksOf(EXERCISE, loaded)
  if (tasks === null) return
  const lines = [
    `guards of the verifier: ${tasks.length} references, best of ${GUARD_ROUNDS} rounds, warm`,
  ]
  lines.push(`${''.padEnd(28)} wall/episode   CPU/episode (the sandbox's own few ms left out)`)
  for (const { what, sandboxed, changes } of GUARDS) {
    // The system does not count the usage of a process namespace, so CPU time is measured without one.
    const { cpuMs, ...bare } = await measureGuards(tasks, false, changes)
    const { wallMs } = sandboxed ? await measureGuards(tasks, true, changes) : bare
    const cpu = cpuMs === null ? 'not reported by this system' : `${Math.round(cpuMs)} ms`
    lines.push(`${what.padEnd(28)} ${`${Math.round(wallMs)} ms`.padEnd(14)} ${cpu}`)
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

type Price = { wallMs: number; cpuMs: number | null }

async function measureGuards(
  tasks: readonly LoadedExercise[],
  sandboxed: boolean,
  changes: Partial<VerifierInput>,
): Promise<Price> {
  const places = listGradingSandboxes().filter(({ sandbox }) => sandboxed || sandbox === 'none')
  const verifier = createVerifier({ places })
  try {
    await verifier.ready()
    const rounds: Price[] = []
    for (let round = 0; round <= GUARD_ROUNDS; round++) {
      const startedAt = performance.now()
      const before = process.cpuUsage()
      const childrenBefore = childrenCpuMs()
      for (const task of tasks) {
        const input = verifierInput(task, task.reference, task.task.expectedTests)
        const report = await verifier.evaluate({ ...input, ...changes })
        if (report.verdict !== 'pass') throw new Error(`${task.task.taskId} is not solved`)
      }
      const { user, system } = process.cpuUsage(before)
      const children = childrenCpuMs()
      const known = children !== null && childrenBefore !== null
      rounds.push({
        wallMs: (performance.now() - startedAt) / tasks.length,
        cpuMs: known ? ((user + system) / 1000 + children - childrenBefore) / tasks.length : null,
      })
    }
    // The first round fills caches.
    return rounds.slice(1).sort((a, b) => a.wallMs - b.wallMs)[0] as Price
  } finally {
    await verifier.close()
  }
}

/** CPU time of children that ended and were waited for; null if the system does not report it. */
function childrenCpuMs(): number | null {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return null
  }
}
