import { getBoard } from '#lib/board/get-board.ts'
import { listRunnableSuites } from '#lib/board/list-suites.ts'
import { database } from '#lib/db/database.ts'
import { listPastEpisodes } from '#lib/db/past-store.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import type { BoardRow } from '#lib/domain/board/board-row.ts'
import { priceUsage } from '#lib/domain/cost/price-usage.ts'
import { POLICY_VERSION } from '#lib/domain/eligibility/policy.ts'
import { readLaunchFields, writeLaunchQuery } from '#lib/domain/launch/launch-fields.ts'
import { unknownSentence } from '#lib/domain/nearest-names.ts'
import { needsSandbox } from '#lib/domain/needs-sandbox.ts'
import type { PlanDraft, Settings } from '#lib/domain/plan.ts'
import { explainPlan } from '#lib/domain/planner/explain-plan.ts'
import { asPastRow, countPool, findOwnRow } from '#lib/domain/planner/find-own-row.ts'
import { type Subject, subjectLabel } from '#lib/domain/subject.ts'
import type { Suite } from '#lib/domain/suite.ts'
import type { PlanFields, PlannerView, PlanProblem } from '#lib/domain/views/planner-view.ts'
import { chooseSubject, listSubjects, shownSubject } from './choose-subject.ts'
import { parseFields } from './plan-request.ts'
import { writeCommand } from './write-command.ts'

/** What nobody can choose on the page, as the command line has it. */
const OTHER_SETTINGS = {
  diskQuotaBytes: 512 << 20,
  maxAttempts: 3,
  seed: 1,
} as const

/** Answers the planner's form: what can be chosen, a sentence for each field that makes no sense, or the explanation. */
export async function getPlanner(fields: PlanFields, now: string): Promise<PlannerView> {
  const suites = await listRunnableSuites()
  const known = suites.map(({ suiteId }) => suiteId)
  const first = suites.find(({ rows }) => rows > 0) ?? suites[0]
  const suiteId = fields.suite || first?.suiteId
  const view: PlannerView = {
    fields: { ...fields, suite: suiteId ?? '' },
    suites: suites.map(({ suiteId: id, title }) => ({ suiteId: id, title })),
    categories: [],
    subjects: [],
    rows: [],
    problems: [],
    answer: null,
  }
  if (suiteId === undefined) return view
  const [suite, board] = await Promise.all([findSuite(database(), suiteId), getBoard(suiteId)])
  if (!suite || suite.kind === 'reported' || !board) {
    const message = unknownSentence('suite', suiteId, known)
    return { ...view, problems: [{ field: 'suite', message }] }
  }
  const { rows } = board
  return {
    ...view,
    fields: { ...view.fields, subject: shownSubject(fields, rows) },
    categories: listCategories(suite),
    subjects: listSubjects(rows),
    rows: rows.map((row) => ({ rowId: row.rowId, label: rowLabel(row) })),
    ...(await answerFields({ fields, suite, rows, now })),
  }
}

type Question = { fields: PlanFields; suite: Suite; rows: readonly BoardRow[]; now: string }

async function answerFields({ fields, suite, rows, now }: Question) {
  const parsed = parseFields(fields)
  const subject = chooseSubject(fields, rows)
  const tasks = suite.tasks.filter(
    ({ category }) => fields.category === '' || category === fields.category,
  )
  const rival = rows.find(({ rowId }) => rowId === fields.versus) ?? null
  const problems: PlanProblem[] = [
    ...(subject.ok ? [] : [subject.problem]),
    ...(tasks.length > 0 ? [] : [unknownCategory(fields, suite)]),
    ...(rival || fields.versus === '' ? [] : [UNKNOWN_ROW]),
    ...(parsed.ok ? [] : parsed.problems),
  ]
  if (!parsed.ok || !subject.ok || problems.length > 0) return { problems, answer: null }
  const { repetitions, concurrency, pins } = parsed.request
  const plan: PlanDraft = {
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    tasks: tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    subject: subject.value,
    command: null,
    repetitions,
    settings: { ...pins, ...OTHER_SETTINGS, isolation: assumedLevel(subject.value) },
    policyVersion: POLICY_VERSION,
  }
  const explanation = explainPlan({
    plan,
    suite,
    own: findOwnRow(rows, subject.value),
    rival: rival && asPastRow(rival),
    poolRows: countPool(rows, subject.value),
    past: await listPastEpisodes(database(), suite.suiteId),
    price: priceUsage,
    concurrency,
    now,
  })
  const answer = {
    subjectLabel: subjectLabel(subject.value),
    versusLabel: rival && rowLabel(rival),
    explanation,
    command: writeCommand(plan, suite),
    launchQuery: launchQuery(fields, plan),
  }
  return { problems, answer }
}

/** A plan is explained as if the machine that runs it had a sandbox; without one the command line says so. */
function assumedLevel(subject: Subject): Settings['isolation'] {
  return needsSandbox(subject) ? 'bubblewrap' : 'local'
}

/** The launch form with the planner's answers filled in; which version runs is the runner's to find. */
function launchQuery(fields: PlanFields, { suiteId, subject }: PlanDraft): string {
  const { category, repetitions, concurrency, steps, tokens, cost, temperature, timeout } = fields
  const { name, provider, modelRequested } = subject
  const asked = { category, repetitions, concurrency, steps, tokens, cost, temperature, timeout }
  const who = { suite: suiteId, subject: name }
  const model = { provider: provider ?? '', model: modelRequested ?? '' }
  return writeLaunchQuery(readLaunchFields({ ...asked, ...who, ...model }))
}

const UNKNOWN_ROW: PlanProblem = {
  field: 'versus',
  message: 'This entry is not on the leaderboard. Choose another one, or none.',
}

function unknownCategory({ category }: PlanFields, suite: Suite): PlanProblem {
  return {
    field: 'category',
    message: unknownSentence('category', category, listCategories(suite)),
  }
}

function listCategories(suite: Suite): string[] {
  return [...new Set(suite.tasks.map(({ category }) => category))].sort()
}

/** Rows of one subject differ in their settings: the label says what they are, and how large. */
function rowLabel({ subject, label, success }: BoardRow): string {
  return `${subjectLabel(subject)} (${label}, ${success.attempts} episodes)`
}
