import type { RuleRefusal } from '../eligibility/index.ts'
import type { Explanation, TaskNeed, TopUpRefusal } from '../planner/index.ts'
import { LIMIT_LIST } from '../record/index.ts'
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

/** What was typed, field by field; empty where nothing was. */
export type PlanFields = Record<PlanField, string>

/** Value in the URL for a subject that is described instead of chosen. */
export const OTHER_SUBJECT = 'other'

/** False while the form names neither an entry nor an agent: then there is something to estimate and nothing to run. */
export function isSubjectNamed({ subject, agent }: PlanFields): boolean {
  return agent !== '' || subject !== OTHER_SUBJECT
}

/** A field that makes no sense, in one sentence. */
export type PlanProblem = { field: PlanField; message: string }

export type PlanCommand = {
  lines: string[]
  /** Fields that the command line has no option for, so that the lines leave them out. */
  leftOut: string[]
}

/** The planner's page: what can be chosen, what was, and what it comes to. */
export type PlannerView = {
  fields: PlanFields
  suites: { suiteId: string; title: string; kind: Suite['kind'] }[]
  categories: string[]
  /** Labels of the subjects that have a row on the suite's board. */
  subjects: string[]
  rows: { rowId: string; label: string }[]
  problems: PlanProblem[]
  /** Null when a problem prevents it. */
  answer: {
    subjectLabel: string
    versusLabel: string | null
    explanation: Explanation
    command: PlanCommand
    /** The same on the launch form, as its query. */
    launchQuery: string
  } | null
}

/** What a row lacks, and the plan that adds it. */
export type TopUpView = {
  rowId: string
  suiteId: string
  subjectLabel: string
  /** Every reason why the row is no claim today. */
  refusals: RuleRefusal[]
  runIds: string[]
  result:
    | { ok: true; planDigest: string; episodes: number; needs: TaskNeed[]; unmended: RuleRefusal[] }
    | { ok: false; refusal: TopUpRefusal }
}
