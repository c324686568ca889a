import { basename } from 'node:path'
import type { Gate, GateReport } from '../../contracts/exercise/gate-types.ts'
import { completeTask, gateInput } from '../complete-task.ts'
import { readTaskFolder } from '../read-task-folder.ts'
import { SuiteError } from '../suite-error.ts'
import type { LoadedTask, TaskFolder } from '../task-folder.ts'
import { verifyTask } from '../verify/verify-task.ts'
import { patchConfig, patchReference, patchTests } from './patches.ts'

/** Whether a task enters the suite: with what was patched, or why not. */
export type Admission = { taskId: string; admitted: true; task: LoadedTask; patches: string[] } | { taskId: string; admitted: false; reason: string }

type Patches = NonNullable<Parameters<typeof readTaskFolder>[1]>

/**
 * A task enters only if its reference passes the whole gate, and the stub and the first-test-only control fail it.
 * With `patched`, mechanical local fixes are tried where the track itself is broken, and named.
 */
export async function admitTask(folder: string, gate: Gate, options: { patched: boolean }): Promise<Admission> {
  const taskId = basename(folder)
  const patches: Patches = {}
  const did: string[] = []
  try {
    let read = readWithPatches(folder, patches, did, options.patched)
    let report = await judgeReference(read, gate)
    if (report.verdict === 'fail' && options.patched) {
      repair(read, report, patches, did)
      read = readTaskFolder(folder, patches)
      report = await judgeReference(read, gate)
    }
    if (report.verdict === 'fail') return { taskId, admitted: false, reason: `the reference does not pass: ${whyNot(report)}` }
    const task = await completeTask(read, () => gate)
    const deviation = (await verifyTask(task, gate, { leastWrong: 0 })).find(({ candidate, deviates }) => deviates !== null && candidate !== 'reference')
    if (deviation && (deviation.solved || deviation.candidate === 'nop')) return { taskId, admitted: false, reason: `${deviation.deviates} (${deviation.observed})` }
    if (deviation) did.push(`first-test-only control: ${deviation.deviates}`)
    return { taskId, admitted: true, task, patches: did }
  } catch (error) {
    if (error instanceof SuiteError) return { taskId, admitted: false, reason: error.problems[0] ? `${error.problems[0].path}: ${error.problems[0].message}` : error.message }
    throw error
  }
}

function readWithPatches(folder: string, patches: Patches, did: string[], patched: boolean): TaskFolder {
  try {
    return readTaskFolder(folder)
  } catch (error) {
    const mended = patched ? patchConfig(folder) : null
    if (!mended) throw error
    patches.config = mended.value
    did.push(mended.did)
    return readTaskFolder(folder, patches)
  }
}

function repair(read: TaskFolder, report: GateReport, patches: Patches, did: string[]): void {
  const tests = patchTests(read.tests, report.types.diagnostics)
  if (tests) {
    patches.tests = tests.value
    did.push(tests.did)
  }
  const reference = patchReference(read.reference, report.types.diagnostics)
  if (reference) {
    patches.reference = reference.value
    did.push(reference.did)
  }
}

function judgeReference(read: TaskFolder, gate: Gate): Promise<GateReport> {
  return gate.evaluate(gateInput(read, read.reference, null))
}

function whyNot({ types, tests, findings }: GateReport): string {
  const [diagnostic] = types.diagnostics
  if (diagnostic) return `${diagnostic.file}:${diagnostic.line} TS${diagnostic.code} ${diagnostic.message.split('\n')[0]}`
  if (tests.loadError !== null) return tests.loadError.split('\n')[0] ?? 'the tests do not load'
  if (tests.timedOut) return 'the tests do not end in time'
  const failed = tests.results.find(({ status }) => status === 'failed')
  if (failed) return `test "${failed.name}" fails: ${failed.message?.split('\n')[0] ?? ''}`
  return findings[0] ? `${findings[0].code}: ${findings[0].detail}` : 'no test was executed'
}
