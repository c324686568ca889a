import type { RuleRefusal } from '../eligibility/index.ts'
import type { Explanation, TaskNeed, TopUpRefusal } from '../planner/index.ts'
import { LIMIT_LIST } from '../settings/index.ts'
import type { Suite } from '../tasks/index.ts'

/** The fields of the planner's form, as they are in the URL. */
export const PLAN_FIELDS = [
  'suite',
  'category',
  'subject',
  'agent',
  'version',
  'model',
  'repetitions',
  'versus',
  ...LIMIT_LIST.map(({ field }) => field),
  'concurrency',
] as const
export type PlanField = (typeof PLAN_FIELDS)[number]

/** Values of the form by field; empty where nothing was entered. */
export type PlanFields = Record<PlanField, string>

/** Value in the URL for a subject that is described instead of chosen. */
export const OTHER_SUBJECT = 'other'

/** False while the form names neither an entry nor an agent: the plan can be estimated, but not run. */
export function isSubjectNamed({ subject, agent }: PlanFields): boolean {
  return agent !== '' || subject !== OTHER_SUBJECT
}

/** An invalid field, with the problem in one sentence. */
export type PlanProblem = { field: PlanField; message: string }

export type PlanCommand = {
  lines: string[]
  /** Fields without a command-line option; the printed commands omit them. */
  leftOut: string[]
}

/** Contents of the planner page: choices, current values, and the result. */
export type PlannerView = {
  fields: PlanFields
  suites: { suiteId: string; title: string; kind: Suite['kind'] }[]
  categories: string[]
  /** Labels of the subjects that have a row on the suite's board. */
  subjects: string[]
  rows: { rowId: string; label: string }[]
  problems: PlanProblem[]
  /** Null when a problem prevents it. */
  estimate: {
    subjectLabel: string
    versusLabel: string | null
    explanation: Explanation
    command: PlanCommand
    /** The same plan on the launch form, as its query. */
    launchQuery: string
  } | null
}

/** Missing samples of a row, and the plan that adds them. */
export type TopUpView = {
  rowId: string
  suiteId: string
  subjectLabel: string
  /** Every reason why the row is not ranked today. */
  refusals: RuleRefusal[]
  runIds: string[]
  result:
    | { ok: true; planDigest: string; episodes: number; needs: TaskNeed[]; unmended: RuleRefusal[] }
    | { ok: false; refusal: TopUpRefusal }
}
