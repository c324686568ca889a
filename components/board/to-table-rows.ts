import {
  formatCount,
  formatDuration,
  formatInstant,
  UNKNOWN,
  visibleText,
} from '#components/ui/format.ts'
import {
  type BoardRow,
  entryStyles,
  formatConditions,
  formatCoverage,
  formatModels,
  formatShape,
  rankPoolOf,
  rowNotices,
  type TaskExposure,
} from '#lib/domain/board/index.ts'
import { formatActivation } from '#lib/domain/compare/index.ts'
import { formatVoucher } from '#lib/domain/ledger/index.ts'
import { type Arm, listArmParts } from '#lib/domain/record/index.ts'
import { listAsked } from '#lib/domain/settings/index.ts'
import { formatWay, TARGETING_LABELS } from '#lib/domain/tasks/index.ts'
import { countOf, present } from '#lib/domain/text/index.ts'
import { readCells } from './board-columns.tsx'
import { correctionFacts, correctionsLink } from './row-corrections.ts'
import {
  formatEvaluatedHere,
  formatExposure,
  formatGradingSandboxes,
  formatResults,
  intervalFacts,
  modelFacts,
  sensitivityFacts,
  stopFacts,
} from './row-facts.ts'
import type { RowDetail, TableRow } from './table-row.ts'
import { type TieText, tieTexts } from './table-row.ts'

export type TableRows = {
  rows: TableRow[]
  /** Facts that most rows share, which are shown only once. */
  common: string[]
}

export function toTableRows(rows: readonly BoardRow[]): TableRows {
  const kinds = [rows.map(formatIsolation), rows.map(coverageText)]
  const common = kinds.map(commonest)
  const tieOf = tieTexts(rows)
  const styles = entryStyles(rows)
  const apart = (index: number) =>
    kinds.flatMap((texts, kind) => (texts[index] === common[kind] ? [] : (texts[index] ?? [])))
  return {
    rows: rows.map((row, index) => ({
      ...toTableRow(row, apart(index), tieOf(row)),
      colour: styles.get(row.rowId)?.colour ?? 0,
    })),
    common: common.filter((text) => text !== null),
  }
}

function formatIsolation({ settings: { isolation } }: BoardRow): string {
  if (isolation === null) return 'isolation unknown'
  return isolation === 'local' ? 'not isolated' : `isolated by ${isolation}`
}

function coverageText({ grading }: BoardRow): string | null {
  if (!grading) return null
  return formatCoverage(grading) ?? 'held-out on all tasks'
}

/** The most frequent text; null = none. */
function commonest(texts: readonly (string | null)[]): string | null {
  const counts = new Map<string | null, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

function toTableRow(
  row: BoardRow,
  apart: string[],
  ties: TieText | null,
): Omit<TableRow, 'colour'> {
  const { subject, success, rank, settings } = row
  return {
    label: row.label,
    provenance: row.provenance,
    costPerSuccessMicroUsd: row.costPerSuccessMicroUsd,
    tokensPerSuccess: row.tokensPerSuccess,
    solvedMs: row.solvedMs,
    lastStartedAt: row.lastStartedAt,
    id: row.rowId,
    subject: {
      name: subject.name,
      version: subject.version,
      provider: subject.provider,
      modelRequested: subject.modelRequested,
      kind: subject.kind,
      model: formatModels(row, visibleText),
      way: formatWay(row),
      arm: subject.arm ?? null,
      under: formatConditions(row),
    },
    codes: row.refusals.map(({ code }) => code),
    apart,
    pool: rankPoolOf(row),
    rank: rank && { place: rank.place, low: rank.low, high: rank.high },
    ties,
    notices: rowNotices(row),
    success: {
      rate: success.rate,
      low: success.low,
      high: success.high,
      method: success.method,
      tasks: success.tasks,
      attempts: success.attempts,
      voids: success.voids,
    },
    read: readCells(row),
    shape: formatShape(row),
    solved: row.tasks.reduce((sum, task) => sum + task.solved, 0),
    costPerSuccessInterval: row.costPerSuccessInterval ?? null,
    givenPrices: row.givenPrices ?? [],
    settings: settings.login === undefined ? {} : { login: settings.login },
    corrections: correctionsLink(row),
  }
}

/** Texts of a row's details; `exposure` says whether its model can have seen the tasks. */
export function toRowDetail(
  row: BoardRow,
  exposure: TaskExposure | null,
  arm: Arm | null = null,
): RowDetail {
  return {
    refusals: row.refusals,
    facts: [...armFacts(row, arm), ...rowFacts(row, exposure)],
    reliability: row.reliability ?? null,
  }
}

/** The content that the row's arm adds, and whether it was used. */
function armFacts({ subject, activation }: BoardRow, arm: Arm | null): RowDetail['facts'] {
  if (subject.arm === undefined) return []
  const digest = subject.armDigest?.slice(0, 'sha256:'.length + 12)
  const parts = arm === null ? [] : listArmParts(arm)
  const seen = formatActivation(activation)
  return [
    { name: 'Arm', value: [`${subject.arm} (${digest})`, ...parts].join('; ') },
    ...(seen === null ? [] : [{ name: 'Arm used', value: seen }]),
  ]
}

function rowFacts(row: BoardRow, exposure: TaskExposure | null): RowDetail['facts'] {
  const { settings, success } = row
  const limits = [
    `timeout ${formatDuration(settings.timeoutMs)}`,
    ...listAsked(settings).map(({ name, text }) => `${name} ${text}`),
  ]
  return [
    ...intervalFacts(row),
    ...correctionFacts(row),
    ...sensitivityFacts(row),
    ...(exposure ? [{ name: 'Training data', value: formatExposure(exposure) }] : []),
    {
      name: 'Episodes',
      value: `${formatCount(success.attempts)} scored of ${formatCount(row.plannedEpisodes)} planned, ${voidText(row)}`,
    },
    ...stopFacts(row),
    ...gradingFacts(row),
    ...evaluatedFact(row),
    ...recoveryFact(row),
    ...browserFacts(row),
    ...acceptanceFact(row),
    ...registrationFact(row),
    { name: 'Mode', value: row.modes.join(', ') },
    { name: 'Driven by', value: row.driven === 'llm' ? 'a language model' : 'a script' },
    { name: 'Settings', value: limits.join(', ') },
    { name: 'Isolation', value: settings.isolation ?? UNKNOWN },
    ...modelFacts(row),
    ...priceFacts(row),
    ...senderFacts(row),
    {
      name: 'Measured',
      value: `${formatInstant(row.firstStartedAt)} to ${formatInstant(row.lastStartedAt)}`,
    },
  ]
}

/** The review by which a library of one's own may be ranked. */
function acceptanceFact({ acceptedLibrary }: BoardRow): RowDetail['facts'] {
  if (!acceptedLibrary) return []
  const { sequence, at, reason } = acceptedLibrary
  return [
    {
      name: 'Library accepted',
      value: `ledger entry ${sequence}, ${formatInstant(at)}: ${visibleText(reason)}`,
    },
  ]
}

/** Describes whether the row's plans were registered before the first episode, and how many registered runs arrived. */
function registrationFact({ registration }: BoardRow): RowDetail['facts'] {
  if (!registration) return []
  const { status, runs, unregistered, late, owed, received } = registration
  const receivedText = `${received} of ${countOf(owed, 'registered run')} received`
  const words = {
    registered: receivedText,
    incomplete: receivedText,
    unregistered: `${unregistered} of ${countOf(runs, 'run')} not registered`,
    late: `${late} of ${countOf(runs, 'run')} registered after they started`,
  }
  const { abandoned = 0, otherPlans = 0, withdrawn = 0 } = registration
  const more = [
    abandoned + otherPlans > 0
      ? `; ${countOf(abandoned + otherPlans, 'other registered plan')} of this sender without all results`
      : '',
    withdrawn > 0 ? `; ${countOf(withdrawn, 'registered run')} removed from the ledger` : '',
  ].join('')
  return [{ name: 'Registration', value: `${words[status]}${more}` }]
}

/** The price that the user gave, which replaces the price table. */
function priceFacts({ givenPrices = [] }: BoardRow): RowDetail['facts'] {
  if (givenPrices.length === 0) return []
  return [{ name: 'Price', value: `given by its user: ${givenPrices.join(', ')}` }]
}

/** The row's sender, mixed environments, and related entries. */
function senderFacts({ voucher, provenance, siblings, mixed = [] }: BoardRow): RowDetail['facts'] {
  const others = siblings ? siblings.own + siblings.others : 0
  const own = siblings?.own ? `, ${siblings.own} of them from this sender` : ''
  return present([
    provenance !== 'local' && { name: 'Sender', value: voucher ? formatVoucher(voucher) : UNKNOWN },
    others > 0 && {
      name: 'Related entries',
      value: `${countOf(others, 'other entry')} on this board${own}`,
    },
    mixed.length > 0 && {
      name: 'Mixed environment',
      value: mixed.map(({ what, values }) => `${what}: ${values.join(', ')}`).join('; '),
    },
  ])
}

function gradingFacts({ grading }: BoardRow): RowDetail['facts'] {
  if (!grading) return []
  return [
    { name: 'Tests', value: formatResults(grading) },
    { name: 'Verifier', value: formatGradingSandboxes(grading) },
  ]
}

function evaluatedFact({ evaluatedHere }: BoardRow): RowDetail['facts'] {
  return evaluatedHere ? [{ name: 'Re-evaluation', value: formatEvaluatedHere(evaluatedHere) }] : []
}

function browserFacts({ subject: { targeting }, browser }: BoardRow): RowDetail['facts'] {
  if (!browser) return []
  const { falseSuccess, successWithError, episodes } = browser
  const of = `of ${countOf(episodes, 'scored episode')}`
  return [
    ...(targeting ? [{ name: 'Locator strategy', value: TARGETING_LABELS[targeting] }] : []),
    {
      name: 'Reported and actual',
      value: `${countOf(falseSuccess, 'false success')}, ${countOf(successWithError, 'success')} with an error, ${of}`,
    },
  ]
}

function recoveryFact({ recovery }: BoardRow): RowDetail['facts'] {
  if (!recovery) return []
  const value = `${formatCount(recovery.recovered)} of ${countOf(recovery.fired, 'fault')} that fired, by the same success criteria`
  return [{ name: 'Recovered', value }]
}

/** Includes the excluded attempts that were retried: the evidence rules count them. */
function voidText({ success, voidAttempts = success.voids }: BoardRow): string {
  const again = voidAttempts - success.voids
  const text = `${formatCount(success.voids)} excluded`
  return again > 0 ? `${text}, ${countOf(again, 'excluded attempt')} retried` : text
}
