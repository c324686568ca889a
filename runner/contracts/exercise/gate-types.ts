/** One text file; the path is relative to the task root, posix. */
export type SourceFile = { path: string; text: string }

export type GateInput = {
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
  /** Bound of the test process; the type check has the same bound. */
  timeoutMs: number
  /** Run just the first test (builds the first-test-only control). */
  onlyFirstTest?: boolean
  /** Define a global function `__proofboardProbe(n)` in the sandbox and report the highest n seen. */
  probe?: boolean
}

export type TestResult = {
  name: string
  status: 'passed' | 'failed' | 'skipped'
  durationMs: number
  message?: string
}

export type TamperFinding = { code: string; detail: string }

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

export type GateReport = {
  types: TypesReport
  tests: TestsReport
  findings: TamperFinding[]
  /** pass = types ok and tests ok (when they run) and no findings. */
  verdict: 'pass' | 'fail'
  /** Readable, capped at 256 kB. */
  log: string
}

/**
 * The official gate. Everything a solution can do is a value in the report; a rejection is a defect of ours
 * (or the caller's abort).
 */
export type Gate = {
  evaluate(input: GateInput, signal?: AbortSignal): Promise<GateReport>
  close(): Promise<void>
}
