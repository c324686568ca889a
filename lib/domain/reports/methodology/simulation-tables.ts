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
  return table(
    'Interval coverage and false differences between equal entries',
    [
      'Tasks × repetitions',
      'Coverage',
      'Coverage, pooled',
      'False differences',
      'False differences, pooled',
      'Rounds',
      'Seed',
    ],
    record.results.map((result) => [
      sizeText(result),
      shareText(result.clusteredCoverage),
      shareText(result.pooledCoverage),
      shareText(result.clusteredSeparation),
      shareText(result.pooledSeparation),
      String(result.rounds),
      String(result.seed),
    ]),
  )
}

type Errors = MethodologyConstants['errors']['record']

function boardAndPlanTables(record: Errors): Record<string, Block> {
  return {
    boardTable: table(
      'Simulated boards of eight entries',
      [
        'Entries',
        'Tasks × repetitions',
        'All rank ranges correct',
        'Any false verdict',
        'Any false verdict, Benjamini–Hochberg',
        'True differences detected',
        'Boards',
      ],
      record.boards.map((one) => [
        one.name,
        sizeText(one),
        shareOrUnknown(one.setsHold),
        shareOrUnknown(one.anyFalse),
        shareOrUnknown(one.anyFalseByFdr),
        shareOrUnknown(one.found),
        String(one.rounds),
      ]),
    ),
    planTable: table(
      'Power of plans',
      [
        'Tasks × repetitions',
        'Ranked entries in the pool',
        'Detectable difference',
        'Power',
        'Rounds',
      ],
      record.plans.map((one) => [
        sizeText(one),
        String(one.poolRows),
        shareOrUnknown(one.detectable),
        shareOrUnknown(one.power),
        String(one.rounds),
      ]),
    ),
  }
}

function lookAndArmTables(record: Errors): Record<string, Block> {
  return {
    lookTable: table(
      'Interim analyses of two equal entries',
      [
        'Tasks × repetitions',
        'Analyses',
        'Design',
        'False differences, uncorrected',
        'False differences, corrected',
        'Rounds',
      ],
      record.looks.map((one) => [
        sizeText(one),
        String(one.looks),
        one.kind === 'watched'
          ? 'one plan, analysed while running'
          : `topped up by ${one.step} each time`,
        shareOrUnknown(one.plain),
        shareOrUnknown(one.judged),
        String(one.rounds),
      ]),
    ),
    armTable: table(
      'Experiments with arms',
      [
        'True effect',
        'Tasks × repetitions',
        'Arms beside the baseline',
        'Any arm “better”',
        'Any arm “worse”',
        'Experiments',
      ],
      record.arms.map((one) => [
        one.effect === 0 ? 'none (A/A)' : `+${100 * one.effect} points`,
        sizeText(one),
        String(one.arms),
        shareOrUnknown(one.better),
        shareOrUnknown(one.worse),
        String(one.rounds),
      ]),
    ),
  }
}

type StopRecords = MethodologyConstants['stops']['record']

function stopTables({ stops, worlds, models }: StopRecords): Record<string, Block> {
  return {
    ...modelTables(models),
    stopTable: table(
      'Plans that stop when decided',
      [
        'True chances',
        'Tasks × repetitions',
        'False verdict',
        'Median share of the plan',
        'Better',
        'Worse',
        'No larger difference',
        'Plans',
      ],
      stops.map((one) => [
        one.title,
        sizeText(one),
        shareOrUnknown(one.wrong),
        shareText(one.median),
        shareOrUnknown(one.better),
        shareOrUnknown(one.worse),
        shareOrUnknown(one.noLarger),
        String(one.rounds),
      ]),
    ),
    worldTable: table(
      'Boards of six equal entries',
      [
        'True chances',
        'Tasks × repetitions',
        'Any false verdict on these tasks',
        'Any false verdict on similar tasks',
        'Intervals that contain the rate',
        'Boards',
      ],
      worlds.map((one) => [
        one.title,
        sizeText(one),
        shareOrUnknown(one.theseTasks),
        shareOrUnknown(one.similar),
        shareOrUnknown(one.coverage),
        String(one.rounds),
      ]),
    ),
  }
}

function modelTables(models: StopRecords['models']): Record<string, Block> {
  const modelTable = table(
    'Rates that are partly predicted',
    [
      'True chances',
      'Entries',
      'Tasks × repetitions',
      'Tasks of every second entry',
      'Intervals that contain the rate',
      'Mean width, points',
      'Boards',
    ],
    models.map((one) => [
      one.title,
      String(one.rows),
      sizeText(one),
      String(one.subset),
      shareText(one.coverage),
      (100 * one.width).toFixed(0),
      String(one.rounds),
    ]),
  )
  return { modelTable }
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
