/** What an axis may be used for (seed): only primary ones carry claims. */
export const AXIS_ROLES = {
  primary: 'Primary',
  'stress-primary': 'Primary in stress episodes only; diagnostic when isolated',
  'primary-when-logged-in': 'Primary when folded into logged-in workflows; otherwise diagnostic',
  diagnostic: 'Diagnostic',
  'diagnostic-unless-success-weighted': 'Diagnostic unless success-weighted over completed tasks',
  qualifier: 'Diagnostic qualifier',
} as const
export type AxisRole = keyof typeof AXIS_ROLES

/** One question that a suite's rows are asked, with a report page of its own. */
export type Axis = {
  slug: AxisSlug
  /** The seed's letters; none for the episode token cost. */
  letters: readonly string[]
  title: string
  role: AxisRole
  /** Why it has that role, in one sentence. */
  why: string
}

export const AXIS_SLUGS = [
  'task-completion',
  'fault-recovery',
  'logged-in',
  'token-efficiency',
  'speed',
  'developer-experience',
  'token-cost',
] as const
export type AxisSlug = (typeof AXIS_SLUGS)[number]

const AXIS_FACTS: Record<AxisSlug, Omit<Axis, 'slug'>> = {
  'task-completion': {
    letters: ['B', 'G'],
    title: 'Agent task success and real-world task completion',
    role: 'primary',
    why: 'A whole episode, judged by its final contract, answers what a user wants to know: was the task done.',
  },
  'fault-recovery': {
    letters: ['D'],
    title: 'Reliability and fault recovery',
    role: 'stress-primary',
    why: 'What helps a user is that the task still ends well after a fault, not that nothing was thrown.',
  },
  'logged-in': {
    letters: ['E'],
    title: 'Authentication and real-world usability',
    role: 'primary-when-logged-in',
    why: 'Signing in is worth something when the work behind it gets done.',
  },
  'token-efficiency': {
    letters: ['A'],
    title: 'Token efficiency',
    role: 'diagnostic',
    why: 'Tokens tell what a success takes; they say nothing before success itself is known.',
  },
  speed: {
    letters: ['C'],
    title: 'Speed and throughput',
    role: 'diagnostic-unless-success-weighted',
    why: 'A fast failure is no success, so only the time of solved work counts.',
  },
  'developer-experience': {
    letters: ['F'],
    title: 'Developer experience',
    role: 'diagnostic',
    why: 'Code size, schemas and clear errors explain who adopts a tool, not whether it does the task.',
  },
  'token-cost': {
    letters: [],
    title: 'Episode token cost',
    role: 'qualifier',
    why: 'A price means something for a successful episode, and as what a success is expected to cost with the failures on the way.',
  },
}

/** Every axis: what carries claims first, then what explains them. */
export const AXES: readonly Axis[] = AXIS_SLUGS.map((slug) => ({ slug, ...AXIS_FACTS[slug] }))
