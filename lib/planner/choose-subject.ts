import type { BoardRow } from '#lib/domain/board/board-row.ts'
import { type Subject, subjectLabel, subjectSchema } from '#lib/domain/subject.ts'
import {
  OTHER_SUBJECT,
  type PlanField,
  type PlanFields,
  type PlanProblem,
} from '#lib/domain/views/planner-view.ts'

export type Chosen<T> = { ok: true; value: T } | { ok: false; problem: PlanProblem }

/**
 * The planned subject: a named agent wins; else one that has a row here, by its label, with another version or model
 * where one is given; else the board's first.
 */
export function chooseSubject(fields: PlanFields, rows: readonly BoardRow[]): Chosen<Subject> {
  const base = baseSubject(fields, rows)
  if (!base)
    return problem(
      'subject',
      'No entry of this subject on the leaderboard. Choose one, or enter another name.',
    )
  const { version, model } = fields
  const described = subjectSchema.safeParse({
    ...base,
    version: version || base.version,
    modelRequested: model || base.modelRequested,
  })
  if (described.success) return { ok: true, value: described.data }
  return described.error.issues.some(({ path }) => path[0] === 'name')
    ? problem('agent', NAME_RULE)
    : problem('version', 'Use at most 100 characters for the version.')
}

/** What the form shows as chosen: the label of a listed subject, or that another is described. */
export function shownSubject({ subject, agent }: PlanFields, [first]: readonly BoardRow[]): string {
  if (agent !== '') return OTHER_SUBJECT
  return subject || (first ? subjectLabel(first.subject) : OTHER_SUBJECT)
}

const NAME_RULE =
  'A name starts with a letter or digit and has at most 80 letters, digits, dots, dashes and underscores.'

function baseSubject(fields: PlanFields, rows: readonly BoardRow[]): Subject | null {
  const wanted = shownSubject(fields, rows)
  if (wanted !== OTHER_SUBJECT)
    return rows.find(({ subject }) => subjectLabel(subject) === wanted)?.subject ?? null
  return {
    kind: 'agent',
    name: fields.agent || 'agent',
    version: null,
    adapterVersion: null,
    provider: null,
    modelRequested: null,
  }
}

/** The subjects that have a row, each once, in the board’s order. */
export function listSubjects(rows: readonly BoardRow[]): string[] {
  return [...new Set(rows.map(({ subject }) => subjectLabel(subject)))]
}

function problem(field: PlanField, message: string): Chosen<never> {
  return { ok: false, problem: { field, message } }
}
