import type { Subject } from '../record/index.ts'

/** Facts about a kind of suites for forms and rules. Has no schemas, so forms can use it in the browser. */
type KindTraits = {
  /** Kinds of subjects that a suite measures, unless it lists its own. */
  subjects: readonly Subject['kind'][]
  /** A browser is driven, and its app's state at the end is judged instead of a solution. */
  runsBrowser: boolean
  /** Default limits of an episode. */
  limits: 'none' | 'short' | 'long'
}

// A user's command counts as an agent; controls test the harness in every suite.
const AGENTS = ['agent', 'control'] as const

/** Every kind of suites. `reported`: another program's tasks, known only by name; none of them can be run here. */
export const KIND_TRAITS = {
  exercise: { subjects: AGENTS, runsBrowser: false, limits: 'short' },
  browser: { subjects: ['library', 'control'], runsBrowser: true, limits: 'short' },
  repository: { subjects: AGENTS, runsBrowser: false, limits: 'long' },
  harbor: { subjects: AGENTS, runsBrowser: false, limits: 'long' },
  reported: { subjects: ['agent', 'library', 'control'], runsBrowser: false, limits: 'none' },
} as const satisfies Readonly<Record<string, KindTraits>>

export type SuiteKind = keyof typeof KIND_TRAITS

/** True if suites of this kind drive a browser. */
export function runsBrowser(kind: SuiteKind | null | undefined): boolean {
  return kind ? KIND_TRAITS[kind].runsBrowser : false
}
