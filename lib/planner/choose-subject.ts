import type { BoardRow } from '#lib/domain/board/board-row.ts'
import { type Subject, subjectLabel, subjectSchema } from '#lib/domain/subject.ts'
import {
  OTHER_SUBJECT,
  type PlanField,
  type PlanFields,
  type PlanProblem,
} from '#lib/domain/views/planner-view.ts'
import { unknownSentence } from './plan-request.ts'

export type Chosen<T> = { ok: true; value: T } | { ok: false; problem: PlanProblem }

/** The planned subject: one that has a row here, by its label, or one that is only described. */
export function chooseSubject(fields: PlanFields, rows: readonly BoardRow[]): Chosen<Subject> {
  const { subject: wanted, agent, version, model } = fields
  if (wanted !== '' && wanted !== OTHER_SUBJECT) {
    const row = rows.find(({ subject }) => subjectLabel(subject) === wanted)
    if (row) return { ok: true, value: row.subject }
    return problem('subject', unknownSentence('subject', wanted, listSubjects(rows)))
  }
  const [first] = rows
  if (wanted === '' && agent === '' && first) return { ok: true, value: first.subject }
  const described = subjectSchema.safeParse({
    kind: 'agent',
    name: agent || 'agent',
    version: version || null,
    adapterVersion: null,
    provider: null,
    modelRequested: model || null,
  })
  if (described.success) return { ok: true, value: described.data }
  const name =
    'A name starts with a letter or digit and holds letters, digits, dots, dashes and underscores, 80 at most.'
  return described.error.issues.some(({ path }) => path[0] === 'name')
    ? problem('agent', name)
    : problem('version', 'Versions have at most 100 characters.')
}

/** The subjects that have a row, each once, in the board’s order. */
export function listSubjects(rows: readonly BoardRow[]): string[] {
  return [...new Set(rows.map(({ subject }) => subjectLabel(subject)))]
}

function problem(field: PlanField, message: string): Chosen<never> {
  return { ok: false, problem: { field, message } }
}
