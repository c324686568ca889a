import type { Digest } from '#lib/domain/digest/index.ts'
import type { TamperFinding, VerifierSandbox } from '#lib/domain/record/index.ts'

/** One text file; the path is relative to the task root, posix. */
export type SourceFile = { path: string; text: string }

export type VerifierInput = {
  taskId: string
  /** Only declared solution files: hostile. */
  solution: SourceFile[]
  /** Official, trusted. */
  tests: SourceFile[]
  /** Other trusted files that tests or solutions may import. */
  support: SourceFile[]
  /** The exercise's pristine compilerOptions; options outside the allow-list are ignored. */
  tsconfig: Record<string, unknown>
  /** package.json "type", for Node16 resolution. */
  packageType: 'module' | 'commonjs'
  /** Exact multiset of full names ("describe > inner > name") that must execute; null = collect only. */
  expectedTests: string[] | null
  runTests: boolean
  /** Hidden from subjects; null if a task has visible tests only. */
  heldOut: HeldOut | null
  /** Never enters a process that runs a solution. Null = no second run and no transcript. */
  reference: SourceFile[] | null
  /** Check types, too; false only if they were checked already. Default: true. */
  checkTypes?: boolean
  /** Seeds to use instead of random ones, for proofs that must be repeatable. */
  seeds?: string[]
  /** Run the visible tests a second time with altered expectations. */
  alterTests: boolean
  /** Limit of a test process in CPU time; the type check has the same limit. */
  timeoutMs: number
  /** Run only the first test (builds the first-test-only control). */
  onlyFirstTest?: boolean
  /** Define a global function `__proofboardProbe(n)` in the sandbox and report the highest n seen. */
  probe?: boolean
}

/** A seeded scenario; the reference gives the right answers. */
export type HeldOut = { scenario: SourceFile }

export type TestResult = {
  name: string
  status: 'passed' | 'failed' | 'skipped'
  durationMs: number
  message?: string
}

export type TypeDiagnostic = {
  file: string
  line: number
  column: number
  code: number
  message: string
}

export type TypesReport = {
  ok: boolean
  diagnostics: TypeDiagnostic[]
  durationMs: number
  timedOut: boolean
}

export type TestsReport = {
  ran: boolean
  ok: boolean
  results: TestResult[]
  passed: number
  failed: number
  skipped: number
  missing: string[]
  unexpected: string[]
  loadError: string | null
  timedOut: boolean
  exitCode: number | null
  signal: string | null
  durationMs: number
  probeMax: number | null
}

/** Two transcripts of one scenario with the same seeds: of the solution and of the reference. */
export type HeldOutReport = {
  /** Drawn for this attempt. */
  seeds: string[]
  /** Observations of the reference, over all seeds. */
  observations: number
  agreed: boolean
  /** The first observation that differs; null if all agree. */
  difference: { seed: string; expected: string; observed: string } | null
}

/** The second run of the visible tests. The altered ones must have the same results as with the reference. */
export type AlteredReport = {
  /** Number of altered expectations. */
  altered: number
  /** Tests that must fail because of it, and do for the reference. */
  mustFail: number
  /** Those among them that were reported as passed. */
  passed: string[]
  /** Tests that passed in the first run and, unaltered, did not in the second. */
  unrepeated: string[]
}

export type VerifierReport = {
  types: TypesReport
  tests: TestsReport
  /** Null = the task has none, or the visible tests did not pass, so that it was not needed. */
  heldOut: HeldOutReport | null
  altered: AlteredReport | null
  findings: TamperFinding[]
  /** pass = types ok and tests ok (if they run) and no findings. */
  verdict: 'pass' | 'fail'
  /** Readable, capped at 256 kB. */
  log: string
}

/**
 * The verifier of exercises. Everything a solution can do is a value in the report; a rejection is a bug of the harness
 * (or the caller's abort).
 */
export type ExerciseVerifier = {
  evaluate(input: VerifierInput, signal?: AbortSignal): Promise<VerifierReport>
  /** Resolves when compiler and sandbox work; rejects if they cannot, before the subject causes costs. */
  ready(signal?: AbortSignal): Promise<void>
  /** Describes where solutions run, and the digest of the judging programs. */
  describe(): Promise<{
    verifier: VerifierSandbox & { digest: Digest }
    /** Why no stronger sandbox works here, as a sentence; null if there is none stronger. */
    weakness: string | null
  }>
  /** Inverts every expectation of these tests. */
  opposite(tests: SourceFile[]): Promise<SourceFile[]>
  close(): Promise<void>
}

export type TestProcessEnd = {
  exitCode: number | null
  signal: string | null
  report: string
  output: string
  /** `starved`: the machine did not give it the allowed time. */
  stoppedBy: 'timeout' | 'starved' | 'abort' | null
}

/** The result of one test run, before any decision. */
export type TestRun =
  | { kind: 'not-compiled'; error: string; durationMs: number }
  | { kind: 'ran'; end: TestProcessEnd; report: ChildReport; durationMs: number }

export type RanTests = Extract<TestRun, { kind: 'ran' }>

/** A test process's own report of its run. Only a complete report counts. */
export type ChildReport = {
  results: TestResult[]
  findings: TamperFinding[]
  loadError: string | null
  probeMax: number | null
  /** Observations of the scenario, one list for each seed. */
  transcripts: string[][]
  /** The process had its work and was about to load it. */
  started: boolean
  /** All tests were executed and reported. */
  complete: boolean
  /** The process reached its end: scenario and findings are complete, too. */
  closed: boolean
}
