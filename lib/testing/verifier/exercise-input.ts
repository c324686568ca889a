import type { VerifierInput } from '#runner/verify/exercise/verifier-types.ts'

/** The track's own compiler options. */
const TRACK_OPTIONS = {
  lib: ['ES2020', 'dom'],
  module: 'Node16',
  target: 'ES2020',
  strict: true,
  isolatedModules: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  esModuleInterop: true,
}

type Parts = { solution: string; test: string; expected?: string[] | null } & Omit<
  Partial<VerifierInput>,
  'solution'
>

/** A verifier input of one solution file `task.ts` and one test file. */
export function exerciseInput({ solution, test, expected = null, ...rest }: Parts): VerifierInput {
  return {
    taskId: 'task',
    solution: [{ path: 'task.ts', text: solution }],
    tests: [{ path: 'task.test.ts', text: test }],
    support: [],
    tsconfig: TRACK_OPTIONS,
    packageType: 'module',
    expectedTests: expected,
    runTests: true,
    heldOut: null,
    reference: null,
    alterTests: false,
    timeoutMs: 10_000,
    ...rest,
  }
}

/** A test file with one test named `t`. */
export function oneTest(imports: string, body: string): string {
  return `import { describe, it, expect, jest } from '@jest/globals'
import { ${imports} } from './task.ts'
void [describe, jest]
it('t', async () => { ${body} }, 1_500)
`
}

/** A solution that does not solve its task but tries to look as if it did. */
export type ExerciseAttack = {
  name: string
  /** Body of the one test; `answer` is the solution's export. */
  body: string
  solution: string
  /** The finding it must leave; without one, failing the test is enough. */
  finding?: string
}

/** The target of most attacks. */
export const IS_42 = 'expect(answer()).toBe(42)'
/** A solution that would fail it. */
export const WRONG = 'export const answer = () => 41'
