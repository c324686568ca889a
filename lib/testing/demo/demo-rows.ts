import type { Mode } from '#lib/domain/episode.ts'
import type { Settings } from '#lib/domain/plan.ts'
import type { Subject } from '#lib/domain/subject.ts'

/** One made-up row: how good it is, and what keeps it from being a claim. */
export type DemoRow = {
  name: string
  kind: Subject['kind']
  model: string | null
  repetitions: number
  /** Chance of success on an average task, 0–1. */
  skill: number
  mode: Mode
  stress?: boolean
  /** Share of slots whose only attempt is void. */
  voids?: number
  settings?: Partial<Settings>
  /** Ran the suite's earlier version. */
  old?: boolean
  /** Micro-dollars and tokens an episode takes; null = unknown. */
  cost: number | null
  tokens: number | null
}

const agent = (
  name: string,
  model: string,
  skill: number,
  more: Partial<DemoRow> = {},
): DemoRow => ({
  name,
  kind: 'agent',
  model,
  repetitions: 3,
  skill,
  mode: 'live',
  cost: 40_000 + 200_000 * skill,
  tokens: 30_000,
  ...more,
})

const library = (name: string, skill: number, more: Partial<DemoRow> = {}): DemoRow => ({
  ...agent(name, '', skill, more),
  kind: 'library',
  model: null,
  cost: null,
  tokens: null,
})

/** At least one row of every evidence label, two claims that tie, and one on an earlier suite version. */
export const DEMO_ROWS: readonly DemoRow[] = [
  agent('demo-agent-a', 'model-l', 0.86),
  agent('demo-agent-b', 'model-l', 0.8),
  agent('demo-agent-c', 'model-s', 0.45, { cost: 20_000 }),
  agent('demo-agent-d', 'model-s', 0.4, { mode: 'recorded-real', cost: null }),
  library('demo-library-x', 0.97),
  library('demo-library-y', 0.7),
  library('demo-library-x', 0.75, { stress: true }),
  library('demo-library-y', 0.4, { stress: true }),
  agent('demo-agent-e', 'model-l', 0.7, { repetitions: 1, voids: 0.3 }),
  agent('demo-agent-f', 'model-l', 0.6, { settings: { temperature: null, maxTokens: null } }),
  agent('demo-agent-g', 'model-m', 0.65, { repetitions: 0 }),
  { ...agent('demo-control', '', 0.5), kind: 'control', model: null, mode: 'scaffold', cost: null },
  agent('demo-agent-a', 'model-l', 0.82, { old: true }),
]
