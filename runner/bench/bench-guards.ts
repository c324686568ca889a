import { readFileSync } from 'node:fs'
import { createGate } from '../contracts/exercise/create-gate.ts'
import type { GateInput } from '../contracts/exercise/gate-types.ts'
import { listPlaces } from '../contracts/exercise/place/grading-place.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { gateInput } from '../suites/complete-task.ts'
import { findSuitePlace } from '../suites/find-suite.ts'
import { loadSuite } from '../suites/load-suite.ts'
import { dataFolder } from '../suites/project-paths.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'

const ROUNDS = 3

type Guard = { what: string; sandboxed: boolean; changes: Partial<GateInput> }

/** What is switched on, one guard after the other; each line holds all that stand above it. */
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

/** The price of each guard of the verifier: references of one suite, warm, one after the other. */
export async function benchGuards(suite: string): Promise<void> {
  const place = findSuitePlace(suite, dataFolder(OWN_ENV))
  const loading = createGate()
  const loaded = await loadSuite(place, () => loading)
  await loading.close()
  if (loaded.kind !== 'exercise') return
  const lines = [
    `guards of the verifier: ${loaded.tasks.length} references, best of ${ROUNDS} rounds, warm`,
  ]
  lines.push(`${''.padEnd(28)} wall/episode   CPU/episode (the sandbox's own few ms left out)`)
  for (const { what, sandboxed, changes } of GUARDS) {
    // The system does not count what a process namespace used, so CPU time is taken without one.
    const { cpuMs, ...bare } = await measure(loaded.tasks, false, changes)
    const { wallMs } = sandboxed ? await measure(loaded.tasks, true, changes) : bare
    const cpu = cpuMs === null ? 'not told by this system' : `${Math.round(cpuMs)} ms`
    lines.push(`${what.padEnd(28)} ${`${Math.round(wallMs)} ms`.padEnd(14)} ${cpu}`)
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

type Price = { wallMs: number; cpuMs: number | null }

async function measure(
  tasks: readonly LoadedExercise[],
  sandboxed: boolean,
  changes: Partial<GateInput>,
): Promise<Price> {
  const places = listPlaces().filter(({ sandbox }) => sandboxed || sandbox === 'none')
  const gate = createGate({ places })
  try {
    await gate.ready()
    const rounds: Price[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const startedAt = performance.now()
      const before = process.cpuUsage()
      const childrenBefore = childrenCpuMs()
      for (const task of tasks) {
        const input = gateInput(task, task.reference, task.task.expectedTests)
        const report = await gate.evaluate({ ...input, ...changes })
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
    await gate.close()
  }
}

/** CPU time of processes that ended and were waited for, theirs included; null where the system does not tell. */
function childrenCpuMs(): number | null {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return null
  }
}
