import type { Compiler } from '../bundle/build-programs.ts'
import type { SourceFile, TypeDiagnostic } from '../verifier-types.ts'

/** Input of one type check. */
export type TypeCheckInput = {
  files: SourceFile[]
  compilerOptions: Record<string, unknown>
  packageType: 'module' | 'commonjs'
  /** The tests use jest's functions as globals: declare them. */
  jestGlobals: boolean
}

export type WorkerData = { compiler: Compiler; modules: string }

/** A literal of an expected value, by its position in the text of its file. */
export type Literal = {
  kind: 'number' | 'text' | 'true' | 'false'
  start: number
  end: number
}

/** One `expect(…).matcher(…)` and how it can be altered: other literals, or the opposite. */
export type Expectation = {
  /** Index of the test file. */
  file: number
  negation: { start: number; end: number; text: string }
  literals: Literal[]
}

export type WorkerRequest =
  | { id: number; ask: 'types'; input: TypeCheckInput }
  | { id: number; ask: 'expectations'; files: SourceFile[] }
  | { id: number; ask: 'watch'; files: SourceFile[] }
export type WorkerReply =
  | { kind: 'ready' }
  | { kind: 'checked'; id: number; diagnostics: TypeDiagnostic[]; heapBytes: number }
  | { kind: 'found'; id: number; expectations: Expectation[] }
  | { kind: 'watched'; id: number; files: SourceFile[] }
  | { kind: 'threw'; id: number; message: string }
