import { randomBytes } from 'node:crypto'
import type { ReportedTest } from '#lib/domain/formats/index.ts'
import type { RepositoryTask } from '#lib/domain/tasks/index.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { type Alterable, findAlterable } from './alter-tests.ts'
import { findUnreported, plantCanary, withOwnCanary } from './canary.ts'
import type { Change } from './overlay.ts'
import type { PreparedBase } from './prepare-base.ts'
import { resolveSolution } from './resolve-solution.ts'
import type { VerifySettings } from './run-command.ts'
import { runVerify, type VerifyRun } from './verify-run.ts'

/** What the runs with failing tests say; `isTampered` where no honest work can be the reason. */
export type CanaryResult = { observed: string; ok: boolean; isTampered: boolean; log: string }

/** What every canary run must show. */
export const CANARY_EXPECTED = 'failed, and an exit code that says so'

/** Tests with some expected values changed, and what the reference shows on them. */
type Altered = {
  tests: readonly Change[]
  failing: readonly string[]
  passing: readonly string[]
  /** Names that several tests have (tap's assertions), of which some fail: so many pass. */
  mixed: readonly { name: string; passed: number }[]
  /** Failing tests under names that nobody expects: of cases, which hold the changed value, or of chance. */
  renamed: readonly string[]
}

const TOKEN_BYTES = 5

/**
 * Runs the verify command with tests that must fail: added ones, and real ones whose expected values were changed. The
 * other real tests must pass beside them. Null where the task has no canary, which its proof refuses.
 */
export async function runCanaries(
  task: LoadedRepository,
  base: PreparedBase,
  changes: readonly Change[],
  settings: VerifySettings,
): Promise<CanaryResult | null> {
  const logs: string[] = []
  for (const altered of await calibrateOnce(task, base, settings)) {
    const canary = plant(task, altered.tests)
    if (canary === null) return null
    const run = await runVerify(task, base, { changes, tests: canary.files }, settings)
    logs.push(`$ ${task.task.verify.command} # with tests that must fail\n${run.log}`)
    const failure = judgeCanaryRun(run, altered, canary.marks)
    if (failure !== null) return { ok: false, ...failure, log: logs.join('\n') }
  }
  return { observed: CANARY_EXPECTED, ok: true, isTampered: false, log: logs.join('\n') }
}

function plant(task: LoadedRepository, tests: readonly Change[]) {
  const token = `c${randomBytes(TOKEN_BYTES).toString('hex')}`
  return plantCanary(tests, task.task.verify, token)
}

/** Drawn and played by the reference once for each task of a process: what it shows cannot be known in advance. */
const calibrated = new WeakMap<LoadedRepository, Promise<Altered[]>>()

async function calibrateOnce(
  task: LoadedRepository,
  base: PreparedBase,
  settings: VerifySettings,
): Promise<Altered[]> {
  const running = calibrated.get(task) ?? calibrate(task, base, settings)
  calibrated.set(task, running)
  try {
    return await running
  } catch (error) {
    calibrated.delete(task)
    throw error
  }
}

/** With m tests that can be changed and n runs, who guesses in which each of them was is right once in (2^n - 1)^m. */
const WANTED_GUESSES = 8
const [FEWEST_RUNS, MOST_RUNS] = [2, 4]
/** Draws that may come to nothing: the text that was changed was no value. */
const SPARE_DRAWS = 2

async function calibrate(
  task: LoadedRepository,
  base: PreparedBase,
  settings: VerifySettings,
): Promise<Altered[]> {
  const tests = withOwnCanary(task.tests, task.canary)
  const all = findAlterable(tests)
  const values = findAlterable(tests, { valuesAlone: true })
  const deciding =
    all.count === 0 ? 0 : (task.deciding ?? (await askDeciding(task, base, settings)))
  // A test whose assertion cannot be turned round where it stands must not keep the others from being changed.
  for (const alterable of all.count > values.count ? [all, values] : [values]) {
    const runs = runsFor(Math.min(alterable.count, deciding))
    const versions = await drawVersions(task, base, { ...alterable, runs }, settings)
    if (versions.length > 0) return versions
  }
  const plain = await playReference(task, base, tests, settings)
  return [plain ?? { tests, failing: [], passing: [], mixed: [], renamed: [] }]
}

/**
 * How many expected tests do not pass where nothing was done: who lies has to lie about these. The others pass for anybody,
 * and often stand in the repository, so that changes of them can be seen.
 */
export function countDeciding(
  { expectedTests }: Pick<RepositoryTask, 'expectedTests'>,
  reported: readonly ReportedTest[],
): number {
  const names = [...new Set(expectedTests)]
  return Math.max(1, names.length - namesThat(names, reported, isPassed).length)
}

/** For a task whose proof did not count them. */
async function askDeciding(
  task: LoadedRepository,
  base: PreparedBase,
  settings: VerifySettings,
): Promise<number> {
  const run = await runVerify(task, base, { changes: [], tests: task.tests }, settings)
  return countDeciding(task.task, run.report.ok ? run.report.value : [])
}

async function drawVersions(
  task: LoadedRepository,
  base: PreparedBase,
  { draw, runs }: Alterable & { runs: number },
  settings: VerifySettings,
): Promise<Altered[]> {
  const versions: Altered[] = []
  const drawn: Change[][] = []
  for (let left = runs && runs + SPARE_DRAWS; left > 0 && versions.length < runs; left--) {
    if (drawn.length === 0) drawn.push(...draw(runs))
    const altered = await playReference(task, base, drawn.pop() ?? [], settings)
    if (altered !== null) versions.push(altered)
  }
  return versions
}

/** How many runs with changed tests a work is given: more where there are few to lie about. */
export function runsFor(deciding: number): number {
  if (deciding === 0) return 0
  return Math.min(MOST_RUNS, Math.max(FEWEST_RUNS, Math.ceil(WANTED_GUESSES / deciding)))
}

/** Null where these tests cannot be run so: the changed text was no value, or a first failure ends the run. */
async function playReference(
  task: LoadedRepository,
  base: PreparedBase,
  tests: readonly Change[],
  settings: VerifySettings,
): Promise<Altered | null> {
  const canary = plant(task, tests)
  if (canary === null || task.reference === null) return null
  const changes = resolveSolution(task.reference, base.folder)
  const run = await runVerify(task, base, { changes, tests: canary.files }, settings)
  if (!run.report.ok || judgeCanaryRun(run, null, canary.marks) !== null) return null
  const { value } = run.report
  const names = [...new Set(task.task.expectedTests)]
  const known = new Set([...names, ...task.task.flakyTests.map(({ name }) => name)])
  const others = value.map(({ name }) => name).filter((name) => !known.has(name))
  return {
    tests,
    failing: namesThat(names, value, isFailed),
    passing: namesThat(names, value, isPassed),
    mixed: names.flatMap((name) => {
      const own = value.filter((test) => test.name === name)
      const passed = own.filter(isPassed).length
      return passed > 0 && own.some(isFailed) ? [{ name, passed }] : []
    }),
    renamed: namesThat([...new Set(others)], value, isFailed).filter((name) =>
      canary.marks.every((mark) => !name.includes(mark)),
    ),
  }
}

const isFailed = ({ status }: ReportedTest) => status === 'failed' || status === 'error'
const isPassed = ({ status }: ReportedTest) => status === 'passed'

function namesThat(
  names: readonly string[],
  reported: readonly ReportedTest[],
  isPassed: (test: ReportedTest) => boolean,
): string[] {
  const byName = new Map<string, boolean>()
  for (const test of reported)
    byName.set(test.name, isPassed(test) && (byName.get(test.name) ?? true))
  return names.filter((name) => byName.get(name) === true)
}

/** Null = the run shows what it must. */
export function judgeCanaryRun(
  {
    ending,
    report,
    disturbed,
  }: Pick<VerifyRun, 'report' | 'disturbed'> & {
    ending: Pick<VerifyRun['ending'], 'cause' | 'exitCode'>
  },
  altered: Omit<Altered, 'tests'> | null,
  marks: readonly string[],
): { observed: string; isTampered: boolean } | null {
  const tell = (observed: string, isTampered: boolean) => ({ observed, isTampered })
  if (ending.cause === 'exited' && ending.exitCode === 0)
    return tell('the verify command exits with 0 although added tests must fail', true)
  if (disturbed.length > 0) return tell('the run changed test files that must fail', true)
  if (!report.ok)
    return tell(`with tests that must fail, ${report.problems[0]?.message ?? 'no report'}`, false)
  const missing = findUnreported(marks, report.value).length
  if (missing > 0)
    return tell(
      `${missing} of ${marks.length} groups of added tests are not reported as failed`,
      true,
    )
  const { failing = [], passing = [], mixed = [], renamed = [] } = altered ?? {}
  const wrong = [...mixed, ...[...failing, ...renamed].map((name) => ({ name, passed: 0 }))]
  const passes = new Map<string, number>()
  for (const { name } of report.value.filter(isPassed))
    passes.set(name, (passes.get(name) ?? 0) + 1)
  const believed = wrong.filter(({ name, passed }) => (passes.get(name) ?? 0) > passed).length
  if (believed > 0)
    return tell(
      `${believed} of ${wrong.length} tests whose expected values were made wrong are reported as passed`,
      true,
    )
  const unheard = failing.filter((name) => !report.value.some((test) => test.name === name)).length
  const lost = passing.length - namesThat(passing, report.value, isPassed).length
  // Honest work that does not pass each time ends here too: it is not solved, and nothing is said of it.
  if (lost + unheard > 0)
    return tell(
      `${lost + unheard} of ${failing.length + passing.length} expected tests are not reported as before beside tests that must fail`,
      false,
    )
  return null
}
