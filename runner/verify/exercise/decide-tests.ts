import { transform } from 'esbuild'
import type { TamperFinding } from '#lib/domain/record/index.ts'
import type {
  AlteredReport,
  HeldOutReport,
  RanTests,
  SourceFile,
  TestResult,
  TestRun,
  TestsReport,
  VerifierInput,
} from './verifier-types.ts'

const NOT_RUN: TestsReport = {
  ran: false,
  ok: false,
  results: [],
  passed: 0,
  failed: 0,
  skipped: 0,
  missing: [],
  unexpected: [],
  loadError: null,
  timedOut: false,
  exitCode: null,
  signal: null,
  durationMs: 0,
  probeMax: null,
}

type Decision = { tests: TestsReport; findings: TamperFinding[] }

/** Decides the result of a test run. Only a complete report of exactly the expected tests counts. */
export function decideTests(
  input: Pick<VerifierInput, 'expectedTests'>,
  run: TestRun | null,
): Decision {
  if (run === null) return { tests: NOT_RUN, findings: [] }
  const { expectedTests: expected } = input
  if (run.kind === 'not-compiled') {
    const tests = {
      ...NOT_RUN,
      ran: true,
      loadError: run.error,
      missing: expected ?? [],
      durationMs: run.durationMs,
    }
    return { tests, findings: [] }
  }
  const { end, report, durationMs } = run
  const { results, loadError, probeMax, complete, closed } = report
  const count = (status: string): number => results.filter((one) => one.status === status).length
  const executed = results.filter((one) => one.status !== 'skipped').map((one) => one.name)
  const { missing, unexpected } = compareNames(expected ?? executed, executed)
  const failed = count('failed')
  const findings = [...report.findings]
  const timedOut = end.stoppedBy === 'timeout'
  const endedItself = end.signal === null && end.exitCode === 0
  if (!closed && endedItself) {
    findings.push({
      code: 'report-missing',
      detail: 'the test process ended with success before its report was complete',
    })
  }
  const ok =
    complete &&
    !timedOut &&
    loadError === null &&
    failed === 0 &&
    executed.length > 0 &&
    missing.length + unexpected.length === 0
  const ending = { timedOut, exitCode: end.exitCode, signal: end.signal, durationMs, probeMax }
  const counts = { passed: count('passed'), failed, skipped: count('skipped') }
  return {
    tests: { ran: true, ok, results, ...counts, missing, unexpected, loadError, ...ending },
    findings,
  }
}

/** Multiset difference in both directions. */
function compareNames(
  expected: readonly string[],
  executed: readonly string[],
): { missing: string[]; unexpected: string[] } {
  const open = new Map<string, number>()
  for (const name of expected) open.set(name, (open.get(name) ?? 0) + 1)
  const unexpected = executed.filter((name) => {
    const left = open.get(name) ?? 0
    if (left > 0) open.set(name, left - 1)
    return left === 0
  })
  const missing = [...open].flatMap(([name, left]) => Array.from({ length: left }, () => name))
  return { missing, unexpected }
}

/**
 * Compares a solution's second run with the reference's. A test that its altered expectation made fail for the
 * reference must fail for every honest solution, too; the other tests must pass again.
 */
export function decideAltered(
  altered: number,
  solution: RanTests,
  reference: RanTests,
): AlteredReport {
  const passed = passedNames(solution.report.results)
  const executed = reference.report.results.filter(({ status }) => status !== 'skipped')
  const mustFail = executed.filter(({ status }) => status === 'failed').map(({ name }) => name)
  const failing = new Set(mustFail)
  const mustPass = executed.filter(({ name }) => !failing.has(name)).map(({ name }) => name)
  return {
    altered,
    mustFail: mustFail.length,
    passed: mustFail.filter((name) => passed.has(name)),
    unrepeated: mustPass.filter((name) => !passed.has(name)),
  }
}

const passedNames = (results: readonly TestResult[]): Set<string> =>
  new Set(results.filter(({ status }) => status === 'passed').map(({ name }) => name))

const MAX_SHOWN = 1_000
const NOTHING = '(nothing more)'

type Transcripts = readonly (readonly string[])[]

/** Compares the observations of a solution with those of the reference, seed by seed, exactly. */
export function compareTranscripts(
  seeds: readonly string[],
  { solution, reference }: { solution: Transcripts; reference: Transcripts },
): HeldOutReport {
  const observations = reference.reduce((sum, entries) => sum + entries.length, 0)
  const differences = seeds.flatMap((seed, round) => {
    const found = firstDifference(solution[round] ?? [], reference[round] ?? [])
    return found ? [{ seed, ...found }] : []
  })
  // A round can be compared only if the reference has an observation in it.
  const whole = seeds.length > 0 && seeds.every((_, round) => (reference[round] ?? []).length > 0)
  const [difference = null] = differences
  return { seeds: [...seeds], observations, agreed: whole && difference === null, difference }
}

function firstDifference(
  observed: readonly string[],
  expected: readonly string[],
): { expected: string; observed: string } | null {
  const longest = Math.max(observed.length, expected.length)
  for (let index = 0; index < longest; index++) {
    if (observed[index] === expected[index]) continue
    return { expected: shown(expected[index]), observed: shown(observed[index]) }
  }
  return null
}

const shown = (entry: string | undefined): string => (entry ?? NOTHING).slice(0, MAX_SHOWN)

/** Shorter programs may be identical by chance; at this length two people never write the same one. */
const MIN_CHARACTERS = 400

/**
 * Returns a finding if a solution is the task's reference with other names, comments and white space; null otherwise.
 * Text that does not parse is not a copy.
 */
export async function findCopy(
  solution: readonly SourceFile[],
  reference: readonly SourceFile[],
): Promise<TamperFinding | null> {
  for (const { path, text } of solution) {
    const original = reference.find((file) => file.path === path)
    if (!original) continue
    const [ours, theirs] = await Promise.all([normalise(original.text), normalise(text)])
    if (ours !== null && ours.length >= MIN_CHARACTERS && ours === theirs)
      return { code: 'copied-reference', detail: `${path} is the reference under other names` }
  }
  return null
}

/**
 * Returns true for the same program with other names, comments and white space; also for the same text that does not
 * parse.
 */
export async function isSameProgram(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([normalise(one), normalise(other)])
  return a === null || b === null ? one.trim() === other.trim() : a === b
}

/** Removes types, comments, white space and local names; keeps the program. */
async function normalise(text: string): Promise<string | null> {
  try {
    const { code } = await transform(text, { loader: 'ts', format: 'esm', minify: true })
    return code
  } catch {
    return null
  }
}
