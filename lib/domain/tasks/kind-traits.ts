import type { Subject } from '../record/index.ts'

/** Facts about a kind of suites for forms and rules. Has no schemas, so forms can use it in the browser. */
type KindTraits = {
  /** Its name in lists of suites. */
  title: string
  /** Kinds of subjects that a suite measures, unless it lists its own. */
  subjects: readonly Subject['kind'][]
  /** A browser is driven, and its app's state at the end is judged instead of a solution. */
  runsBrowser: boolean
  /** Default limits of an episode. */
  limits: 'none' | 'short' | 'long'
}

// A user's command counts as an agent; controls test the harness in every suite.
const AGENTS = ['agent', 'control'] as const

/** Agents work on its tasks, whose size is unknown. */
const FOR_AGENTS: Omit<KindTraits, 'title'> = {
  subjects: AGENTS,
  runsBrowser: false,
  limits: 'long',
}

/** Kinds with a task schema of their own. `reported`: another program's tasks, known only by name; none can be run here. */
const TRAITS: ReadonlyMap<string, KindTraits> = new Map(
  Object.entries<KindTraits>({
    exercise: { ...FOR_AGENTS, title: 'Coding exercises', limits: 'short' },
    browser: {
      title: 'Browser workflows',
      subjects: ['library', 'control'],
      runsBrowser: true,
      limits: 'short',
    },
    repository: { ...FOR_AGENTS, title: 'Repository tasks' },
    harbor: { ...FOR_AGENTS, title: 'Tasks in Harbor’s format' },
    reported: {
      title: 'Reported by another program',
      subjects: ['agent', 'library', 'control'],
      runsBrowser: false,
      limits: 'none',
    },
  }),
)

/** Returns the facts about a kind of suites; the title of a kind without a schema of its own is its name. */
export function kindTraits(kind: string): KindTraits {
  return TRAITS.get(kind) ?? { ...FOR_AGENTS, title: kind }
}

/** True for a kind whose tasks have a schema of their own. */
export function hasOwnSchema(kind: string): boolean {
  return TRAITS.has(kind)
}

/** True if suites of this kind drive a browser. */
export function runsBrowser(kind: string | null | undefined): boolean {
  return kind ? kindTraits(kind).runsBrowser : false
}
