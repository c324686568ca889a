import type { SourceFile, TypeDiagnostic } from '../gate-types.ts'

/** What one type check needs. */
export type TypeCheckInput = {
  files: SourceFile[]
  compilerOptions: Record<string, unknown>
  packageType: 'module' | 'commonjs'
  /** The tests use jest's functions as globals: declare them. */
  jestGlobals: boolean
}

export type WorkerData = { typescript: string; modules: string; codeCache: string }
export type WorkerRequest = { id: number; input: TypeCheckInput }
export type WorkerReply =
  | { kind: 'ready' }
  | { kind: 'checked'; id: number; diagnostics: TypeDiagnostic[]; heapBytes: number }
  | { kind: 'threw'; id: number; message: string }
