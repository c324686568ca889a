import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'jsonc-parser'
import { isRunnerError } from '../../runner-error.ts'
import type { ExerciseVerifier, VerifierReport } from '../../verify/exercise/verifier-types.ts'
import { completeTask, verifierInput } from '../complete-task.ts'
import {
  MAX_VERIFY_TIMEOUT_MS,
  readTaskFolder,
  type TaskConfig,
  type TaskPatches,
  taskConfigSchema,
} from '../read-task-folder.ts'
import type { ExerciseFolder, LoadedExercise, SourceText } from '../task-folder.ts'
import { verifyTask } from '../verify/verify-task.ts'

/** Result of admitting a task: its patches, or why it was rejected. */
export type Admission =
  | { taskId: string; admitted: true; task: LoadedExercise; patches: string[] }
  | { taskId: string; admitted: false; reason: string }

type FixedTask = { read: ExerciseFolder; report: VerifierReport; did: string[] }

/**
 * Admits a task only if its reference passes the whole verifier, and the stub and the first-test-only control fail it.
 * With `patched`, mechanical local fixes are tried if the track itself is broken, and named. A control that cannot fail
 * by construction is named as well, and rejects no task.
 */
export async function admitTask(
  folder: string,
  verifier: ExerciseVerifier,
  options: { patched: boolean },
): Promise<Admission> {
  const taskId = basename(folder)
  try {
    const { read, report, did } = await judgeMended(folder, verifier, options.patched)
    if (report.verdict === 'fail') {
      return { taskId, admitted: false, reason: `the reference does not pass: ${whyNot(report)}` }
    }
    // The reference has just run: its executed tests are what the contract expects.
    const knownTests = read.knownTests ?? executedNames(report)
    const task = await completeTask({ ...read, knownTests }, () => verifier)
    const found = await tryControls(task, verifier)
    if (found.refusal !== null) return { taskId, admitted: false, reason: found.refusal }
    return { taskId, admitted: true, task, patches: [...did, ...found.notes] }
  } catch (error) {
    if (!isRunnerError(error, 'suite')) throw error
    const [problem] = error.problems
    const reason = problem ? `${problem.path}: ${problem.message}` : error.message
    return { taskId, admitted: false, reason }
  }
}

/** Returns the task unchanged if its reference passes; otherwise, if requested, with its patches. */
async function judgeMended(
  folder: string,
  verifier: ExerciseVerifier,
  patched: boolean,
): Promise<FixedTask> {
  const patches: TaskPatches = {}
  const did: string[] = []
  const read = readWithPatches(folder, patches, did, patched)
  const report = await judgeReference(read, verifier)
  if (report.verdict === 'pass' || !patched) return { read, report, did }
  if (report.tests.timedOut) allowMoreTime(read, patches, did)
  repair(read, report, patches, did)
  const fixed = readTaskFolder(folder, patches)
  return { read: fixed, report: await judgeReference(fixed, verifier), did }
}

/** Runs the controls: one that should have failed rejects the task, other results are notes. */
async function tryControls(
  task: LoadedExercise,
  verifier: ExerciseVerifier,
): Promise<{ refusal: string | null; notes: string[] }> {
  const results = await verifyTask(task, verifier, { leastWrong: 0 })
  const notes = results.flatMap(({ candidate, notApplicable: why }) =>
    why ? [`${candidate} control not applicable: ${why}`] : [],
  )
  const deviating = results.filter(
    ({ candidate, deviates }) => deviates !== null && candidate !== 'reference',
  )
  const refused = deviating.find(({ candidate, solved }) => solved || candidate === 'nop')
  if (refused) return { refusal: `${refused.deviates} (${refused.observed})`, notes }
  const doubts = deviating.map(({ candidate, deviates }) => `${candidate} control: ${deviates}`)
  return { refusal: null, notes: [...notes, ...doubts.slice(0, 1)] }
}

function readWithPatches(
  folder: string,
  patches: TaskPatches,
  did: string[],
  patched: boolean,
): ExerciseFolder {
  try {
    return readTaskFolder(folder)
  } catch (error) {
    const fixed = patched ? patchConfig(folder) : null
    if (!fixed) throw error
    patches.config = fixed.value
    did.push(fixed.did)
    return readTaskFolder(folder, patches)
  }
}

/** A reference that is slower than the default limit comes from the track, so its task gets the maximum. */
function allowMoreTime({ draft }: ExerciseFolder, patches: TaskPatches, did: string[]): void {
  patches.verifyTimeoutMs = MAX_VERIFY_TIMEOUT_MS
  const [usual, most] = [draft.verifyTimeoutMs, MAX_VERIFY_TIMEOUT_MS].map((ms) => ms / 1000)
  did.push(`its reference does not end within ${usual} s: the limit is ${most} s`)
}

function repair(
  read: ExerciseFolder,
  report: VerifierReport,
  patches: TaskPatches,
  did: string[],
): void {
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

function judgeReference(read: ExerciseFolder, verifier: ExerciseVerifier): Promise<VerifierReport> {
  return verifier.evaluate(verifierInput(read, read.reference, null))
}

function executedNames({ tests }: VerifierReport): string[] {
  return tests.results.filter(({ status }) => status !== 'skipped').map(({ name }) => name)
}

function whyNot({ types, tests, findings }: VerifierReport): string {
  const [diagnostic] = types.diagnostics
  if (diagnostic)
    return `${diagnostic.file}:${diagnostic.line} TS${diagnostic.code} ${diagnostic.message.split('\n')[0]}`
  if (tests.loadError !== null) return tests.loadError.split('\n')[0] ?? 'the tests do not load'
  if (tests.timedOut) return 'the tests do not end in time'
  const failed = tests.results.find(({ status }) => status === 'failed')
  if (failed) return `test "${failed.name}" fails: ${failed.message?.split('\n')[0] ?? ''}`
  return findings[0] ? `${findings[0].code}: ${findings[0].detail}` : 'no test was executed'
}

/** A mechanical repair with a description of it; null = it does not apply. */
type Patch<T> = { value: T; did: string } | null

/** Parses a config.json with a missing or superfluous comma, using an error-tolerant parser. */
function patchConfig(folder: string): Patch<TaskConfig> {
  const path = join(folder, '.meta', 'config.json')
  if (!existsSync(path)) return null
  const parsed = taskConfigSchema.safeParse(
    parse(readFileSync(path, 'utf8'), [], { allowTrailingComma: true }),
  )
  return parsed.success
    ? {
        value: parsed.data,
        did: '.meta/config.json is not valid JSON: read with its commas fixed',
      }
    : null
}

type Diagnostic = VerifierReport['types']['diagnostics'][number]

const IMPLICIT_ANY = new Set([7034, 7005, 7031, 7006])

/**
 * Patches a test file with implicitly typed variables, beside which no solution could compile. Each such variable is
 * declared `any`, which changes no assertion.
 */
export function patchTests(
  tests: readonly SourceText[],
  diagnostics: readonly Diagnostic[],
): Patch<SourceText[]> {
  const ours = diagnostics.filter(
    ({ file, code }) => tests.some(({ path }) => path === file) && IMPLICIT_ANY.has(code),
  )
  if (ours.length === 0) return null
  const value = tests.map((test) => ({
    path: test.path,
    text: annotate(
      test.text,
      ours.filter(({ file, code }) => file === test.path && code === 7034),
    ),
  }))
  const places = ours.filter(({ code }) => code === 7034).map(({ file, line }) => `${file}:${line}`)
  return {
    value,
    did: `variables without a type in the tests are declared any (${places.join(', ')})`,
  }
}

/** Inserts the annotation right after the name that the compiler reports, last position first. */
function annotate(text: string, diagnostics: readonly Diagnostic[]): string {
  const lines = text.split('\n')
  for (const { line, column } of diagnostics) {
    const found = lines[line - 1] ?? ''
    const name = /^[\w$]+/.exec(found.slice(column - 1))?.[0]
    if (name)
      lines[line - 1] =
        `${found.slice(0, column - 1)}${name}: any${found.slice(column - 1 + name.length)}`
  }
  return lines.join('\n')
}

/**
 * Patches a reference that calls a method it declared private (TS2341, TS2445): removes the modifier in our copy of the
 * reference only.
 */
export function patchReference(
  reference: readonly SourceText[],
  diagnostics: readonly Diagnostic[],
): Patch<SourceText[]> {
  const names = diagnostics.flatMap(({ code, message }) =>
    code === 2341 || code === 2445 ? (/'([\w$]+)'/.exec(message)?.[1] ?? []) : [],
  )
  if (names.length === 0) return null
  const pattern = new RegExp(
    `\\b(?:private|protected)\\s+((?:(?:static|readonly|async|get|set)\\s+)*(?:${names.join('|')})\\b)`,
    'g',
  )
  const value = reference.map(({ path, text }) => ({ path, text: text.replace(pattern, '$1') }))
  return {
    value,
    did: `the reference hides what the tests call: ${[...new Set(names)].join(', ')} made public in our copy`,
  }
}
