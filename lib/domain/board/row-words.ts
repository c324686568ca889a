import type { EvidenceLabel } from '../eligibility/index.ts'
import { countOf, groupDigits } from '../text/index.ts'
import type { BoardRow, RankPool } from './board-row.ts'
import type { GradingMetrics } from './row-measures.ts'

type Label = { word: string; meaning: string }

/** Text of each evidence label, strongest first. */
export const EVIDENCE_WORDS: Record<EvidenceLabel, Label> = {
  primary: { word: 'ranked', meaning: 'Meets every evidence rule. Safe to cite.' },
  stress: {
    word: 'stress',
    meaning: 'Ranked for recovery: same success criteria after an injected fault.',
  },
  escrow: {
    word: 'escrow',
    meaning:
      'Measured by another harness under a plan registered here, and judged again here from the final states. Sandbox and usage are its word: ranked among such entries only.',
  },
  smoke: { word: 'smoke test', meaning: 'Too few runs to draw a conclusion.' },
  scaffold: {
    word: 'control',
    meaning: 'Test fixture that checks the benchmark itself.',
  },
  diagnostic: {
    word: 'diagnostic',
    meaning: 'Real measurement that does not meet another evidence rule.',
  },
}

export const EVIDENCE_LABELS = Object.keys(EVIDENCE_WORDS) as EvidenceLabel[]

/** Text of each provenance level, least trusted first. */
export const PROVENANCE_WORDS: Record<BoardRow['provenance'], Label & { level: string }> = {
  manual: { level: 'L0', word: 'manual', meaning: 'Uploaded by hand; the sender is not verified.' },
  token: { level: 'L1', word: 'token', meaning: 'Uploaded with an upload token.' },
  oidc: {
    level: 'L2',
    word: 'OIDC',
    meaning: 'Uploaded by a verified GitHub Actions workflow.',
  },
  local: { level: 'L3', word: 'run here', meaning: 'Run on this server.' },
}

type SampledRow = Pick<BoardRow, 'success' | 'repetitions'> & Partial<Pick<BoardRow, 'tasks'>>

/** `25 tasks × 10`; a range if repetitions differ. */
export function formatSamples(row: SampledRow): string {
  return `${countOf(row.success.tasks, 'task')} × ${formatRepetitions(row)}`
}

/** The same for a column whose heading names both: `25 × 10`. */
export function formatShape(row: SampledRow): string {
  return `${row.success.tasks} × ${formatRepetitions(row)}`
}

/** `3`, `1–3`: repetitions of the tasks that the rate counts, without those that have no scored episode. */
export function formatRepetitions({ repetitions, tasks = [] }: Omit<SampledRow, 'success'>) {
  const counted = tasks.map(({ scored }) => scored).filter((scored) => scored > 0)
  const { most } = repetitions
  const fewest = counted.length > 0 ? Math.min(...counted) : Math.min(1, most)
  const least = repetitions.least > 0 ? repetitions.least : fewest
  return least === most ? String(most) : `${least}–${most}`
}

type ConditionedRow = Pick<BoardRow, 'subject'> & {
  settings: Pick<BoardRow['settings'], 'browser' | 'fault'>
  /** Not null = faults fired, including faults that its plan does not name. */
  recovery?: BoardRow['recovery']
}

/** Arm, cold browser and planned fault, which distinguish rows of one subject. */
export function formatConditions(row: ConditionedRow): string | null {
  const parts = [row.subject.arm ?? null, formatSurroundings(row)].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}

/** Cold browser and planned fault. */
export function formatSurroundings({
  settings: { browser, fault },
  recovery = null,
}: Omit<ConditionedRow, 'subject'>): string | null {
  const under = fault ?? (recovery === null ? null : 'with faults')
  const parts = [browser === 'cold' ? 'cold' : null, under].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}

/** `1–3`; null = the row is not ranked. */
export function formatRank(
  rank: Pick<NonNullable<BoardRow['rank']>, 'low' | 'high'> | null,
): string | null {
  if (!rank) return null
  return rank.low === rank.high ? String(rank.low) : `${rank.low}–${rank.high}`
}

/** The note next to a row's rate; null if every task has a held-out transcript. */
export function formatCoverage({ tasks, heldOutTasks }: GradingMetrics): string | null {
  if (heldOutTasks === 0) return 'visible tests only'
  if (heldOutTasks === tasks) return null
  return `held-out on ${groupDigits(heldOutTasks)} of ${countOf(tasks, 'task')}`
}

type VerifierField = 'sandbox' | 'network' | 'digest'

/** The common value of all graded episodes: one value, `mixed`, or null if it was not recorded. */
export function commonVerifier({ verifiers }: GradingMetrics, field: VerifierField): string | null {
  const values = [...new Set(verifiers.map((verifier) => verifier[field]))]
  return values.length > 1 ? 'mixed' : (values[0] ?? null)
}

/** The pool in which a row is ranked; null = not ranked. */
export function rankPoolOf({ label, driven }: Pick<BoardRow, 'label' | 'driven'>): RankPool | null {
  if (label === 'escrow') return 'escrow/llm'
  return label === 'primary' || label === 'stress' ? `${label}/${driven}` : null
}
