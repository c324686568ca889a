import { randomBytes } from 'node:crypto'
import { alterTests } from './alter-tests.ts'
import type { ChildFile, ChildRole } from './child/child-input.ts'
import { compareTranscripts, decideAltered, decideTests } from './decide-tests.ts'
import { formatLog } from './format-log.ts'
import { compileFiles } from './tests/compile-files.ts'
import { replyWithin, runTestsOf } from './tests/run-tests-of.ts'
import type { TestProcessPool } from './tests/test-process-pool.ts'
import type { TypeChecker } from './types/type-checker.ts'
import type { Expectation } from './types/type-messages.ts'
import { REPLACEABLE_GLOBALS } from './types/watch-assignments.ts'
import type {
  AlteredReport,
  HeldOutReport,
  RanTests,
  SourceFile,
  TestRun,
  TypesReport,
  VerifierInput,
  VerifierReport,
} from './verifier-types.ts'

/**
 * Larger solutions are not genuine work. Measured: 170,000 nested operators overflow the stack of esbuild's service,
 * which fails all running compilations.
 */
const MAX_SOLUTION_LENGTH = 128 * 1024

export type Tools = {
  pool: TestProcessPool
  checker: TypeChecker
  /** Expectations of a task's tests, which stay the same from attempt to attempt. */
  expectationsOf: (tests: SourceFile[]) => Promise<Expectation[]>
  /** The reference's transcripts for given seeds, which never change. */
  answers: Map<string, Promise<RanTests>>
}

/**
 * Judges one solution: types and visible tests at once; then, if both pass, the visible tests a second time with some
 * altered expectations, and the transcript of the held-out scenario compared with the reference's.
 */
export async function evaluateSolution(
  input: VerifierInput,
  tools: Tools,
  signal?: AbortSignal,
): Promise<VerifierReport> {
  signal?.throwIfAborted()
  const oversize =
    input.solution.reduce((sum, { text }) => sum + text.length, 0) > MAX_SOLUTION_LENGTH
  if (oversize)
    return toReport(input, TOO_LARGE, {
      visible: notCompiled('The solution is larger than 128 kB.'),
    })
  // The type worker does one thing at a time: what the tests wait for comes before the long check.
  const running = runAll(input, tools, signal).finally(() => tools.pool.refill())
  const [types, runs] = await Promise.allSettled([
    input.checkTypes === false
      ? UNCHECKED
      : tools.checker.check(toTypeCheck(input), input.timeoutMs, signal),
    running,
  ])
  signal?.throwIfAborted()
  if (types.status === 'rejected') throw types.reason
  if (runs.status === 'rejected') throw runs.reason
  return toReport(input, types.value, runs.value)
}

/** Every run of one evaluation; the later ones only if the first leaves questions open. */
type Runs = { visible: TestRun | null; second?: SecondRun; seeds?: string[] }

/** `altered` = number of expectations; null = nothing was or could be altered. */
type SecondRun = { altered: number | null; solution: RanTests; reference: RanTests }

async function runAll(input: VerifierInput, tools: Tools, signal?: AbortSignal): Promise<Runs> {
  const startedAt = performance.now()
  if (!input.runTests && input.heldOut === null) return { visible: null }
  const expectations = findAhead(input, tools)
  const parts = await compileParts(input, await watched(input, tools, signal))
  if (typeof parts === 'string')
    return { visible: notCompiled(parts, performance.now() - startedAt) }
  const { support, solution, tests, scenario } = parts
  const seeds = input.heldOut ? (input.seeds ?? [drawSeed()]) : []
  const run: Run = (files, scenarioSeeds) =>
    runTestsOf(input, { files: files.flat(), scenarioSeeds }, tools.pool, signal)
  if (!input.runTests) return transcriptOnly({ ...parts, seeds, input, run, tools })
  const ask: Run = async (files, scenarioSeeds) => {
    const answers = await replyWithin(input, { files: files.flat(), scenarioSeeds }, tools.pool)
    // A reference that extends built-ins needs its own process.
    return answers.report.loadError === null ? answers : run(files, scenarioSeeds)
  }
  const visible = await run([support, solution, tests], [])
  const isFailed = !decideTests(input, visible).tests.ok
  if (input.reference === null || !(expectations || input.heldOut) || isFailed)
    return { visible, seeds }
  const answers = await compileOurs(input.reference, 'solution')
  const again = async (): Promise<SecondRun> => {
    const altered = expectations && alterTests(input.tests, await expectations)
    const changed = await compileOurs(altered?.tests ?? [], 'test')
    const [ofSolution, ofReference] = await Promise.all([
      run([support, solution, changed, scenario], seeds),
      ask([support, answers, changed, scenario], seeds),
    ])
    return { altered: altered?.altered ?? null, solution: ofSolution, reference: ofReference }
  }
  const second = await again()
  // One test can disturb the next, and a busy machine a waiting one: a suspicion has to occur twice.
  const { unrepeated = [], passed = [] } = describeAltered(second) ?? {}
  const isDoubtful = unrepeated.length + passed.length > 0
  return { visible, seeds, second: isDoubtful ? await again() : second }
}

/** Finds what can be altered before it is known to be needed; null when nothing is to be altered. */
function findAhead(
  { alterTests, runTests, tests }: VerifierInput,
  { expectationsOf }: Tools,
): Promise<Expectation[]> | null {
  if (!alterTests || !runTests) return null
  const found = expectationsOf(tests)
  // An error is reported where it is awaited.
  found.catch(() => undefined)
  return found
}

/** Programs that name no built-in's members cannot write to one; assignments of all others are watched. */
const TYPES = 'Object|Array|String|Number|Promise|Symbol|Date|Map|Set|RegExp|Error|Function'
const NAMES_BUILTIN = new RegExp(
  [
    '\\bprototype\\b|__proto__|\\bglobalThis\\b|\\bglobal\\b',
    '\\b(?:JSON|Math|Reflect)\\b(?!\\s*\\.)',
    `\\b(?:${TYPES})\\s+as\\s`,
    `(?<![.\\w$])(?:${REPLACEABLE_GLOBALS.join('|')})\\s*=[^=>]`,
    `\\b(?:JSON|Math|Reflect|${TYPES})\\s*(?:\\.\\s*\\w+|\\[[^\\]]*\\])\\s*[-+*/&|^?%<>]*=[^=>]`,
  ].join('|'),
)

const watched = async ({ solution }: VerifierInput, { checker }: Tools, signal?: AbortSignal) =>
  solution.some(({ text }) => NAMES_BUILTIN.test(text))
    ? checker.watchAssignments(solution, signal)
    : solution

/** No tests to run: one process plays all seeds, and the reference's answers to given seeds are cached. */
async function transcriptOnly(
  given: Parts & { seeds: string[]; input: VerifierInput; run: Run; tools: Tools },
): Promise<Runs> {
  const { support, solution, scenario, seeds, input, run } = given
  const visible = await run([support, solution, scenario], seeds)
  if (input.reference === null) return { visible, seeds }
  const answers = await compileOurs(input.reference, 'solution')
  const ask = () => run([support, answers, scenario], seeds)
  const reference = await (input.seeds
    ? remembered(given.tools, [answers, scenario, seeds], ask)
    : ask())
  return { visible, seeds, second: { altered: null, solution: SILENT, reference } }
}

function remembered(
  { answers }: Tools,
  question: unknown,
  ask: () => Promise<RanTests>,
): Promise<RanTests> {
  const key = JSON.stringify(question)
  const known = answers.get(key) ?? ask()
  answers.set(key, known)
  known.catch(() => answers.delete(key))
  return known
}

const SILENT: RanTests = {
  kind: 'ran',
  durationMs: 0,
  end: { exitCode: 0, signal: null, report: '', output: '', stoppedBy: null },
  report: {
    results: [],
    findings: [],
    loadError: null,
    probeMax: null,
    transcripts: [],
    started: true,
    complete: true,
    closed: true,
  },
}

type Run = (files: readonly ChildFile[][], scenarioSeeds: string[]) => Promise<RanTests>
type Parts = Record<'support' | 'solution' | 'tests' | 'scenario', ChildFile[]>

/** Compiles all files of a task to CommonJS; a text that does not compile is the result. */
async function compileParts(
  input: VerifierInput,
  solutionText: readonly SourceFile[],
): Promise<Parts | string> {
  const compile = (files: readonly SourceFile[], role: ChildRole) =>
    compileFiles(files, role, input.timeoutMs)
  const [support, solution, tests, scenario] = await Promise.all([
    compile(input.support, 'support'),
    compile(solutionText, 'solution'),
    compile(input.runTests ? input.tests : [], 'test'),
    compile(input.heldOut ? [input.heldOut.scenario] : [], 'scenario'),
  ])
  for (const { error } of [support, solution, tests, scenario]) if (error !== null) return error
  return {
    support: support.files ?? [],
    solution: solution.files ?? [],
    tests: tests.files ?? [],
    scenario: scenario.files ?? [],
  }
}

/** Compiles our own files, which are known to compile. */
async function compileOurs(files: readonly SourceFile[], role: ChildRole): Promise<ChildFile[]> {
  const compiled = await compileFiles(files, role, 60_000)
  if (compiled.files === null)
    throw new Error(`our own ${role} does not compile: ${compiled.error}`)
  return compiled.files
}

const drawSeed = (): string => randomBytes(16).toString('hex')

const describeAltered = ({ altered, solution, reference }: SecondRun): AlteredReport | null =>
  altered === null ? null : decideAltered(altered, solution, reference)

function describeHeldOut({ visible, second, seeds = [] }: Runs): HeldOutReport | null {
  if (!second || visible?.kind !== 'ran' || seeds.length === 0) return null
  const solution = [...visible.report.transcripts, ...second.solution.report.transcripts]
  return compareTranscripts(seeds, { solution, reference: second.reference.report.transcripts })
}

function toReport(input: VerifierInput, types: TypesReport, runs: Runs): VerifierReport {
  const { visible, second } = runs
  const decided = decideTests(input, input.runTests ? visible : null)
  const heldOut = describeHeldOut(runs)
  const altered = second ? describeAltered(second) : null
  const findings = mergeFindings(
    decided.findings,
    second?.solution.report.findings ?? [],
    altered && altered.passed.length > 0 ? [blindForger(altered.passed)] : [],
  )
  const proofs = [
    types.ok,
    decided.tests.ok || !input.runTests,
    heldOut?.agreed ?? input.heldOut === null,
    (altered?.unrepeated.length ?? 0) === 0,
    findings.length === 0,
  ]
  const verdict = proofs.every(Boolean) ? ('pass' as const) : ('fail' as const)
  const report = { types, tests: decided.tests, heldOut, altered, findings, verdict }
  return { ...report, log: formatLog(report, visible?.kind === 'ran' ? visible.end.output : '') }
}

const blindForger = (passed: readonly string[]) => ({
  code: 'passes-altered-tests',
  detail: `reported as passed although its expectation was altered: ${passed.slice(0, 5).join('; ')}`,
})

function mergeFindings(...lists: VerifierReport['findings'][]): VerifierReport['findings'] {
  const known = new Map(lists.flat().map((one) => [`${one.code} ${one.detail}`, one]))
  return [...known.values()]
}

function toTypeCheck({ tests, support, solution, tsconfig, packageType }: VerifierInput) {
  const jestGlobals = tests.some(({ text }) => !/from\s*['"]@jest\/globals['"]/.test(text))
  return {
    files: [...tests, ...solution, ...support],
    compilerOptions: tsconfig,
    packageType,
    jestGlobals,
  }
}

const UNCHECKED: TypesReport = { ok: true, diagnostics: [], durationMs: 0, timedOut: false }

const TOO_LARGE: TypesReport = {
  ok: false,
  diagnostics: [
    { file: '', line: 1, column: 1, code: 0, message: 'The solution is larger than 128 kB.' },
  ],
  durationMs: 0,
  timedOut: false,
}

const notCompiled = (error: string, durationMs = 0): TestRun => ({
  kind: 'not-compiled',
  error,
  durationMs,
})
