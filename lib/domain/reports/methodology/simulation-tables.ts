import type { MethodologyConstants } from './methodology-constants.ts'
import { percentText } from './page-texts.ts'
import type { Block } from './parse-page.ts'

/** Builds the tables of the results of `npm run simulate`. */
export function simulationBlocks(constants: MethodologyConstants): Record<string, Block> {
  return {
    ...coverageBlocks(constants),
    pooledTable: pooledTable(constants),
    ...boardAndPlanTables(constants.errors.record),
    ...lookAndArmTables(constants.errors.record),
    ...stopTables(constants.stops.record),
  }
}

function coverageBlocks({ simulation: { record, titles } }: MethodologyConstants) {
  const { means, rows, fewTasks } = record.coverage
  const head = ['Tasks × repetitions, population', ...means.map((mean) => percentText(mean))]
  return {
    populations: populationTerms(rows, titles),
    similarTasksTable: table(
      'Coverage of the interval for similar tasks',
      head,
      rows.map(coverageCells('coverage', 'width')),
    ),
    fewTasksTable: table(
      'Coverage of the interval for similar tasks, few tasks',
      head,
      fewTasks.map(coverageCells('coverage', 'width')),
    ),
    theseTasksTable: table(
      'Coverage of the interval for these tasks only',
      head,
      rows.map(coverageCells('theseTasksCoverage', 'theseTasksWidth')),
    ),
    tTable: table(
      'Coverage of the t interval',
      head,
      rows.map(coverageCells('tCoverage', 'tWidth')),
    ),
    differenceTable: differenceTable(record.differences),
  }
}

function populationTerms(rows: readonly Sized[], titles: Record<string, string>): Block {
  const populations = [...new Set(rows.map(({ population }) => population))]
  return {
    kind: 'terms',
    items: populations.map((population) => ({
      id: `population-${population}`,
      term: population,
      spans: [{ kind: 'plain', text: titles[population] ?? population }],
      mark: null,
    })),
  }
}

type Differences = MethodologyConstants['simulation']['record']['differences']

function differenceTable({ means, rows }: Differences): Block {
  const equal = means.flatMap(([a, b], index) => (a === b ? [{ mean: a ?? 0, index }] : []))
  const head = [
    'Tasks × repetitions, population',
    ...means.map(([a = 0, b = 0]) => `${percentText(a)} vs. ${percentText(b)}`),
    ...equal.map(({ mean }) => `Equal at ${percentText(mean)}`),
  ]
  const cells = coverageCells('coverage', 'width')
  return table(
    'Coverage of the interval for differences',
    head,
    rows.map((row) => [
      ...cells(row),
      ...equal.map(({ index }) => shareText(row.falsePositive[index] ?? 0)),
    ]),
  )
}

function pooledTable({ simulation: { record } }: MethodologyConstants): Block {
  return tableOf('Interval coverage and false differences between equal entries', record.results, [
    ['Tasks × repetitions', sizeText],
    ['Coverage', (one) => shareText(one.clusteredCoverage)],
    ['Coverage, pooled', (one) => shareText(one.pooledCoverage)],
    ['False differences', (one) => shareText(one.clusteredSeparation)],
    ['False differences, pooled', (one) => shareText(one.pooledSeparation)],
    ['Rounds', (one) => String(one.rounds)],
    ['Seed', (one) => String(one.seed)],
  ])
}

type Errors = MethodologyConstants['errors']['record']

function boardAndPlanTables({ boards, plans }: Errors): Record<string, Block> {
  return {
    boardTable: tableOf('Simulated boards of eight entries', boards, [
      ['Entries', (one) => one.name],
      ['Tasks × repetitions', sizeText],
      ['All rank ranges correct', (one) => shareOrUnknown(one.setsHold)],
      ['Any false verdict', (one) => shareOrUnknown(one.anyFalse)],
      ['Any false verdict, Benjamini–Hochberg', (one) => shareOrUnknown(one.anyFalseByFdr)],
      ['True differences detected', (one) => shareOrUnknown(one.found)],
      ['Boards', (one) => String(one.rounds)],
    ]),
    planTable: tableOf('Power of plans', plans, [
      ['Tasks × repetitions', sizeText],
      ['Ranked entries in the pool', (one) => String(one.poolRows)],
      ['Detectable difference', (one) => shareOrUnknown(one.detectable)],
      ['Power', (one) => shareOrUnknown(one.power)],
      ['Rounds', (one) => String(one.rounds)],
    ]),
  }
}

function lookAndArmTables({ looks, arms }: Errors): Record<string, Block> {
  return {
    lookTable: tableOf('Interim analyses of two equal entries', looks, [
      ['Tasks × repetitions', sizeText],
      ['Analyses', (one) => String(one.looks)],
      [
        'Design',
        (one) =>
          one.kind === 'watched'
            ? 'one plan, analysed while running'
            : `topped up by ${one.step} each time`,
      ],
      ['False differences, uncorrected', (one) => shareOrUnknown(one.plain)],
      ['False differences, corrected', (one) => shareOrUnknown(one.judged)],
      ['Rounds', (one) => String(one.rounds)],
    ]),
    armTable: tableOf('Experiments with arms', arms, [
      ['True effect', (one) => (one.effect === 0 ? 'none (A/A)' : `+${100 * one.effect} points`)],
      ['Tasks × repetitions', sizeText],
      ['Arms beside the baseline', (one) => String(one.arms)],
      ['Any arm “better”', (one) => shareOrUnknown(one.better)],
      ['Any arm “worse”', (one) => shareOrUnknown(one.worse)],
      ['Experiments', (one) => String(one.rounds)],
    ]),
  }
}

type StopRecords = MethodologyConstants['stops']['record']

function stopTables({ stops, worlds, models }: StopRecords): Record<string, Block> {
  return {
    modelTable: tableOf('Rates that are partly predicted', models, [
      ['True chances', (one) => one.title],
      ['Entries', (one) => String(one.rows)],
      ['Tasks × repetitions', sizeText],
      ['Tasks of every second entry', (one) => String(one.subset)],
      ['Intervals that contain the rate', (one) => shareText(one.coverage)],
      ['Mean width, points', (one) => (100 * one.width).toFixed(0)],
      ['Boards', (one) => String(one.rounds)],
    ]),
    stopTable: tableOf('Plans that stop when decided', stops, [
      ['True chances', (one) => one.title],
      ['Tasks × repetitions', sizeText],
      ['False verdict', (one) => shareOrUnknown(one.wrong)],
      ['Median share of the plan', (one) => shareText(one.median)],
      ['Better', (one) => shareOrUnknown(one.better)],
      ['Worse', (one) => shareOrUnknown(one.worse)],
      ['No larger difference', (one) => shareOrUnknown(one.noLarger)],
      ['Plans', (one) => String(one.rounds)],
    ]),
    worldTable: tableOf('Boards of six equal entries', worlds, [
      ['True chances', (one) => one.title],
      ['Tasks × repetitions', sizeText],
      ['Any false verdict on these tasks', (one) => shareOrUnknown(one.theseTasks)],
      ['Any false verdict on similar tasks', (one) => shareOrUnknown(one.similar)],
      ['Intervals that contain the rate', (one) => shareOrUnknown(one.coverage)],
      ['Boards', (one) => String(one.rounds)],
    ]),
  }
}

/** A table of records. */
function tableOf<T>(
  caption: string,
  records: readonly T[],
  columns: readonly (readonly [heading: string, text: (record: T) => string])[],
): Block {
  return table(
    caption,
    columns.map(([heading]) => heading),
    records.map((record) => columns.map(([, text]) => text(record))),
  )
}

function table(caption: string, head: string[], rows: string[][]): Block {
  return { kind: 'table', caption, head, rows }
}

type Sized = { tasks: number; repetitions: number; population: string }

/** A table row: its design, then cells such as `97.5 % (30)`, coverage and mean width in points. */
function coverageCells<Name extends string, Width extends string>(name: Name, width: Width) {
  return (row: Sized & Record<Name | Width, readonly number[]>): string[] => [
    `${sizeText(row)}, ${row.population}`,
    ...row[name].map(
      (value, index) => `${shareText(value)} (${(100 * (row[width][index] ?? 0)).toFixed(0)})`,
    ),
  ]
}

/** `25 × 10`. */
function sizeText({ tasks, repetitions }: Omit<Sized, 'population'>): string {
  return `${tasks} × ${repetitions}`
}

/** One decimal, as precise as the number of rounds allows. */
function shareText(value: number): string {
  return `${(100 * value).toFixed(1)} %`
}

/** One decimal, two below one per cent. */
function shareOrUnknown(value: number | null): string {
  return value === null ? 'unknown' : `${(100 * value).toFixed(value < 0.01 ? 2 : 1)} %`
}
