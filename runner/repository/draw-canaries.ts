import { randomBytes } from 'node:crypto'
import { POLICY } from '#lib/domain/eligibility/index.ts'
import type { ReportedTest } from '#lib/domain/formats/index.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { type Alterable, findAlterable } from './alter-tests.ts'
import { plantCanary, withOwnCanary } from './canary.ts'
import { countedOf, guessOf, runsFor } from './guess.ts'
import { type Altered, isFailed, isPassed, judgeCanaryRun, namesThat } from './judge-canary-run.ts'
import type { Change } from './overlay.ts'
import type { PreparedBase } from './prepare-base.ts'
import { resolveSolution } from './resolve-solution.ts'
import type { VerifySettings } from './run-command.ts'
import { runVerify } from './verify-run.ts'

/** Versions of the tests for one attempt. */
export type DrawnCanaries = {
  versions: readonly Altered[]
  /** Upper bound of the probability that work which implements nothing of the task passes all of them. */
  guess: number
}

const TOKEN_BYTES = 5
/** Some draws fail, because the altered text was not a value. */
const MAX_DRAWS = 3

/**
 * Draws versions of the tests for one attempt and runs the reference on them, which determines what must fail. If
 * nothing can be altered there is one version, with added tests only, and `guess` is 1.
 */
export async function drawCanaries(
  task: LoadedRepository,
  base: PreparedBase,
  settings: VerifySettings,
): Promise<DrawnCanaries> {
  const files = withOwnCanary(task.tests, task.canary)
  const all = findAlterable(files)
  const values = findAlterable(files, { valuesAlone: true })
  const place = { task, base, settings }
  if (all.tests.length > 0) {
    const before = await namesPassedBefore(place)
    // A test whose assertion cannot be inverted must not keep the others from being altered.
    for (const alterable of all.tests.length > values.tests.length ? [all, values] : [values]) {
      const drawn = await drawVersions(place, alterable, before)
      if (drawn !== null) return drawn
    }
  }
  const plain = await playReference(place, files, 1)
  const nothing = { failing: [], passing: [], mixed: [], renamed: [] }
  return { versions: [plain ?? { tests: files, ...nothing }], guess: 1 }
}

type CanaryContext = { task: LoadedRepository; base: PreparedBase; settings: VerifySettings }

/** Number of runs that each task needed in this process. Versions are not kept. */
const knownRuns = new WeakMap<LoadedRepository, number>()

async function drawVersions(
  place: CanaryContext,
  alterable: Alterable,
  before: ReadonlySet<string>,
): Promise<DrawnCanaries | null> {
  const { task } = place
  const names = [...new Set(task.task.expectedTests)].filter((name) => !before.has(name))
  const most = alterable.tests.map(({ values }) => values)
  let runs = knownRuns.get(task) ?? runsFor(most, names.length)
  let found: DrawnCanaries | null = null
  for (let left = MAX_DRAWS; left > 0 && runs > 0; left--) {
    const drawn = alterable.draw(runs)
    const versions = await playAll(place, drawn.versions, left)
    if (versions === null) continue
    const patterns = names.map((name) => versions.map(({ passing }) => !passing.includes(name)))
    const deals = alterable.tests.map(({ values }, at) => ({
      values,
      changed: drawn.changed[at] ?? [],
      choices: drawn.choices[at] ?? 1,
    }))
    found = { versions, guess: guessOf(deals, patterns) }
    if (found.guess <= POLICY.mostGuess) break
    // Some alterations decide nothing: the others need more runs, if that is enough.
    const needed = runsFor(countedOf(deals, patterns).map(({ values }) => values))
    if (needed <= runs) break
    runs = needed
  }
  if (found !== null) knownRuns.set(task, found.versions.length)
  return found
}

/** Null if one of them cannot be run. */
async function playAll(
  place: CanaryContext,
  all: readonly Change[][],
  left: number,
): Promise<Altered[] | null> {
  const played: Altered[] = []
  for (const tests of all) {
    const altered = await playReference(place, tests, left)
    if (altered === null) return null
    played.push(altered)
  }
  return played
}

/** Returns the expected tests that pass without any work. Work has to pass the others by itself. */
export function passedBefore(
  expected: readonly string[],
  reported: readonly ReportedTest[],
): string[] {
  return namesThat([...new Set(expected)], reported, isPassed)
}

const askedBefore = new WeakMap<LoadedRepository, Promise<ReadonlySet<string>>>()

/** Reads the names from the proof. A task with an older proof is run once without any work. */
async function namesPassedBefore({
  task,
  base,
  settings,
}: CanaryContext): Promise<ReadonlySet<string>> {
  if (task.passedBefore !== null) return new Set(task.passedBefore)
  const ask = async () => {
    const run = await runVerify(task, base, { changes: [], tests: task.tests }, settings)
    return new Set(passedBefore(task.task.expectedTests, run.report.ok ? run.report.value : []))
  }
  const request = askedBefore.get(task) ?? ask()
  askedBefore.set(task, request)
  return request.catch((error) => {
    askedBefore.delete(task)
    throw error
  })
}

/** Adds failing tests with random names for each run; null = none can be added. */
export function plant(task: LoadedRepository, tests: readonly Change[]) {
  const token = `c${randomBytes(TOKEN_BYTES).toString('hex')}`
  return plantCanary(tests, task.task.verify, token)
}

const MIN_PLAY_MS = 10_000
const USUAL_TIMES = 5

/**
 * Returns the time limit of the solution on altered tests, which may wait forever for what was altered: a multiple of
 * its time in the proof, twice as long with each further draw, since the machine may be slower now. `left` = draws that
 * are left, with this one; no limit of its own without that time.
 */
export function maxPlayMs(referenceMs: number | null, left: number): number {
  if (referenceMs === null) return Number.POSITIVE_INFINITY
  return Math.max(MIN_PLAY_MS, referenceMs * USUAL_TIMES) * 2 ** (MAX_DRAWS - left)
}

/**
 * Null if these tests cannot be run like this: the altered text was not a value, a first failure ends the run, or it
 * does not end. `left` = draws that are left, with this one.
 */
async function playReference(
  { task, base, settings }: CanaryContext,
  tests: readonly Change[],
  left: number,
): Promise<Altered | null> {
  const canary = plant(task, tests)
  if (canary === null || task.reference === null) return null
  const changes = resolveSolution(task.reference, base.folder)
  const maxMs = maxPlayMs(task.referenceMs, left)
  const run = await runVerify(task, base, { changes, tests: canary.files, maxMs }, settings)
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
