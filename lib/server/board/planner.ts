import { database } from '../../db/database.ts'
import { listScoredEpisodes } from '../../db/episode-store.ts'
import { findSuite } from '../../db/suite-store.ts'
import {
  OTHER_SUBJECT,
  type PlanCommand,
  type PlanField,
  type PlanFields,
  type PlannerView,
  type PlanProblem,
} from '../../domain/api/index.ts'
import type { BoardRow } from '../../domain/board/index.ts'
import { POLICY_VERSION } from '../../domain/eligibility/index.ts'
import {
  countPool,
  explainPlan,
  findPreviousRow,
  toPreviousRow,
  withDefaultLimits,
} from '../../domain/planner/index.ts'
import { hasPrice, priceUsage, statesCost } from '../../domain/prices/index.ts'
import {
  needsSandbox,
  type PlanDraft,
  providerName,
  type Subject,
  subjectLabel,
  subjectSchema,
} from '../../domain/record/index.ts'
import { readLaunchFields, reproduceLines, writeLaunchQuery } from '../../domain/runs/index.ts'
import {
  completeSettings,
  LIMIT_LIST,
  type Settings,
  type SettingValues,
} from '../../domain/settings/index.ts'
import type { Suite } from '../../domain/tasks/index.ts'
import { countOf, unknownSentence } from '../../domain/text/index.ts'
import { getBoard } from './board.ts'
import { parseFields } from './plan-request.ts'
import { defaultSuite, listRunnableSuites } from './suites.ts'

/**
 * Returns the planner's form: the choices, an error for each invalid field, or the explanation, which is left out
 * unless `isRequested`.
 */
export async function getPlanner(
  fields: PlanFields,
  now: string,
  { isRequested = true } = {},
): Promise<PlannerView> {
  const suites = await listRunnableSuites()
  const known = suites.map(({ suiteId }) => suiteId)
  const suiteId = fields.suite || (defaultSuite(suites) ?? undefined)
  const view: PlannerView = {
    fields: { ...fields, suite: suiteId ?? '' },
    suites: suites.map(({ suiteId: id, title, kind }) => ({ suiteId: id, title, kind })),
    categories: [],
    subjects: [],
    rows: [],
    problems: [],
    estimate: null,
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
    ...(isRequested && (await answerFields({ fields, suite, rows, now }))),
  }
}

type Question = { fields: PlanFields; suite: Suite; rows: readonly BoardRow[]; now: string }

async function answerFields({ fields, suite, rows, now }: Question) {
  const parsed = parseFields(fields)
  const subject = chooseSubject(fields, rows)
  const tasks = suite.tasks.filter(
    ({ category }) => fields.category === '' || category === fields.category,
  )
  const competitor = rows.find(({ rowId }) => rowId === fields.versus) ?? null
  const problems: PlanProblem[] = [
    ...(subject.ok ? [] : [subject.problem]),
    ...(tasks.length > 0 ? [] : [unknownCategory(fields, suite)]),
    ...(competitor || fields.versus === '' ? [] : [UNKNOWN_ROW]),
    ...(parsed.ok ? [] : parsed.problems),
  ]
  if (!parsed.ok || !subject.ok || problems.length > 0) return { problems, estimate: null }
  const { repetitions, concurrency, pins } = parsed.request
  const plan: PlanDraft = {
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    tasks: tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    subject: subject.value,
    command: null,
    repetitions,
    settings: completeSettings({
      ...limitsFor(subject.value, { pins, kind: suite.kind, now }),
      isolation: assumedLevel(subject.value),
    }),
    policyVersion: POLICY_VERSION,
  }
  const explanation = explainPlan({
    plan,
    suite,
    own: findPreviousRow(rows, subject.value),
    competitor: competitor && toPreviousRow(competitor),
    poolRows: countPool(rows, plan),
    past: await listScoredEpisodes(database(), suite.suiteId),
    price: priceUsage,
    concurrency,
    now,
  })
  const estimate = {
    subjectLabel: subjectLabel(subject.value),
    versusLabel: competitor && rowLabel(competitor),
    explanation,
    command: writeCommand(plan, suite),
    launchQuery: launchQuery(fields, plan),
  }
  return { problems, estimate }
}

/** Returns the limits that the command line would set. */
function limitsFor(
  { provider, modelRequested: model }: Subject,
  { pins, kind, now }: { pins: SettingValues; kind: Suite['kind']; now: string },
): SettingValues {
  if (model === null) return pins
  const isPriced =
    Boolean(pins.price) || statesCost(provider ?? '') || hasPrice({ provider, model, at: now })
  return withDefaultLimits(pins, { kind, hasPrice: isPriced })
}

/** Assumes that the machine that runs the plan has a sandbox; without one the command line reports it. */
function assumedLevel(subject: Subject): Settings['isolation'] {
  return needsSandbox(subject) ? 'bubblewrap' : 'local'
}

/** Builds the launch form's query from the planner's fields; the runner finds the version. */
function launchQuery(fields: PlanFields, { suiteId, subject }: PlanDraft): string {
  const { category, repetitions, concurrency } = fields
  const { name, provider, modelRequested } = subject
  const limits = Object.fromEntries(LIMIT_LIST.map(({ field }) => [field, fields[field]]))
  const request = { category, repetitions, concurrency, ...limits }
  const who = { suite: suiteId, subject: name }
  const model = { provider: providerName(provider ?? ''), model: modelRequested ?? '' }
  return writeLaunchQuery(readLaunchFields({ ...request, ...who, ...model }))
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

/** Labels a row with its settings and size, in which the rows of one subject differ. */
function rowLabel({ subject, label, success }: BoardRow): string {
  return `${subjectLabel(subject)} (${label}, ${countOf(success.attempts, 'episode')})`
}

type Chosen<T> = { ok: true; value: T } | { ok: false; problem: PlanProblem }

/**
 * Returns the planned subject: a named agent, else one with a row here by its label, with another version or model if
 * given, else the board's first.
 */
function chooseSubject(fields: PlanFields, rows: readonly BoardRow[]): Chosen<Subject> {
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

/** Returns the form's selection: the label of a listed subject, or that another is described. */
function shownSubject({ subject, agent }: PlanFields, [first]: readonly BoardRow[]): string {
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

/** Lists the subjects with a row, each once, in the board's order. */
function listSubjects(rows: readonly BoardRow[]): string[] {
  return [...new Set(rows.map(({ subject }) => subjectLabel(subject)))]
}

function problem(field: PlanField, message: string): Chosen<never> {
  return { ok: false, problem: { field, message } }
}

/** Writes the shell lines of the equivalent command. */
function writeCommand(plan: PlanDraft, suite: Suite): PlanCommand {
  const lines = reproduceLines(plan, suite)
  const requested = lines.map((line) =>
    line.startsWith('npx proofboard run ')
      ? `${withoutLevel(line).replace('npx proofboard run ', 'npx proofboard plan ')} --explain`
      : line,
  )
  return { lines: requested, leftOut: plan.command === null ? [] : listLeftOut(plan) }
}

/** Leaves out the level, so that the machine that freezes the plan selects the strongest it has. */
function withoutLevel(line: string): string {
  return line.replace(/ --isolation (bubblewrap|docker|local)(?= |$)/, '')
}

/** Lists pins that `--command` agents have no option for, and that could not be enforced. */
function listLeftOut({ subject, settings }: PlanDraft): string[] {
  const limits = LIMIT_LIST.filter(
    ({ key, needsGateway }) => needsGateway && (settings[key] ?? null) !== null,
  )
  const model = subject.modelRequested === null ? [] : ['model']
  return [...model, ...limits.map(({ field }) => field)]
}
