import { z } from 'zod'

/** Figures of Lighthouse that have a goal; scores are 0–100, times in ms. */
export type Measures = {
  performance: number | null
  accessibility: number | null
  bestPractices: number | null
  seo: number | null
  layoutShift: number | null
  largestPaintMs: number | null
  /** Time during which scripts and layout blocked the painted page. */
  blockingMs: number | null
  /** Lighthouse's benchmark of this machine. */
  machineIndex: number | null
}

export type Device = 'phone' | 'desktop'

const scoreSchema = z.object({ score: z.number().nullable() }).optional()
const numberSchema = z.object({ numericValue: z.number().optional() }).optional()
const reportSchema = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  environment: z.object({ benchmarkIndex: z.number() }).optional(),
  categories: z.object({
    performance: scoreSchema,
    accessibility: scoreSchema,
    'best-practices': scoreSchema,
    seo: scoreSchema,
  }),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      score: z.number().nullable(),
      scoreDisplayMode: z.string(),
      displayValue: z.string().optional(),
      numericValue: z.number().optional(),
    }),
  ),
})

const PERCENT = 100

/** Reads a report; `error` = Lighthouse's message if it could not measure. */
export function readReport(
  report: unknown,
): { measures: Measures; failed: string[] } | { error: string } {
  const { runtimeError, environment, categories, audits } = reportSchema.parse(report)
  if (runtimeError) return { error: runtimeError.message }
  const scoreOf = (category: z.infer<typeof scoreSchema>) =>
    category?.score == null ? null : Math.round(PERCENT * category.score)
  const numberOf = (audit: z.infer<typeof numberSchema>) => audit?.numericValue ?? null
  return {
    measures: {
      performance: scoreOf(categories.performance),
      accessibility: scoreOf(categories.accessibility),
      bestPractices: scoreOf(categories['best-practices']),
      seo: scoreOf(categories.seo),
      layoutShift: numberOf(audits['cumulative-layout-shift']),
      largestPaintMs: numberOf(audits['largest-contentful-paint']),
      blockingMs: numberOf(audits['total-blocking-time']),
      machineIndex: environment?.benchmarkIndex ?? null,
    },
    failed: Object.values(audits)
      .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0)
      .map(({ title, displayValue }) => (displayValue ? `${title} (${displayValue})` : title)),
  }
}

/** The median of each figure, because single runs vary with the load of the machine. */
export function medianMeasures(runs: readonly Measures[]): Measures {
  const of = (key: keyof Measures) => {
    const values = runs.flatMap((run) => run[key] ?? []).sort((a, b) => a - b)
    return values[Math.floor((values.length - 1) / 2)] ?? null
  }
  return {
    performance: of('performance'),
    accessibility: of('accessibility'),
    bestPractices: of('bestPractices'),
    seo: of('seo'),
    layoutShift: of('layoutShift'),
    largestPaintMs: of('largestPaintMs'),
    blockingMs: of('blockingMs'),
    machineIndex: of('machineIndex'),
  }
}

/** Points of the calculator to which Lighthouse's documentation refers: benchmark of a machine, and slowdown to a phone. */
const SLOWDOWNS = [
  [150, 1],
  [800, 2],
  [1300, 3],
  [2000, 6],
] as const

/** Returns the factor, at least 1, by which a machine with this benchmark is slowed down to simulate a mid-range phone. */
export function cpuSlowdown(benchmark: number): number {
  let [fromIndex, fromFactor]: readonly [number, number] = SLOWDOWNS[0]
  for (const [index, factor] of SLOWDOWNS) {
    if (benchmark <= index) {
      const share = index === fromIndex ? 0 : (benchmark - fromIndex) / (index - fromIndex)
      return Math.max(1, fromFactor + share * (factor - fromFactor))
    }
    ;[fromIndex, fromFactor] = [index, factor]
  }
  return fromFactor
}

type Goal = {
  key: keyof Measures
  name: string
  /** Null = shown only because it explains the others. */
  goal: number | null
  /** `least`: the figure must reach the goal; `most`: it must not exceed it. */
  is: 'least' | 'most'
  devices: readonly Device[]
  write: (value: number) => string
}

const BOTH = ['phone', 'desktop'] as const
const score = (key: keyof Measures, name: string): Goal => ({
  key,
  name,
  goal: 95,
  is: 'least',
  devices: BOTH,
  write: String,
})

export const GOALS: readonly Goal[] = [
  score('performance', 'perf.'),
  score('accessibility', 'a11y'),
  score('bestPractices', 'best pr.'),
  score('seo', 'SEO'),
  {
    key: 'layoutShift',
    name: 'CLS',
    goal: 0.05,
    is: 'most',
    devices: BOTH,
    write: (value) => value.toFixed(3),
  },
  {
    key: 'largestPaintMs',
    name: 'LCP s',
    goal: 1800,
    is: 'most',
    devices: ['phone'],
    write: (value) => (value / 1000).toFixed(2),
  },
  {
    key: 'blockingMs',
    name: 'TBT ms',
    goal: null,
    is: 'most',
    devices: BOTH,
    write: (value) => value.toFixed(0),
  },
  {
    key: 'machineIndex',
    name: 'machine',
    goal: null,
    is: 'least',
    devices: BOTH,
    write: (value) => value.toFixed(0),
  },
]

/** Names of the goals that a page misses; figures that were not measured miss none. */
export function listMissed(measures: Measures, device: Device): string[] {
  return GOALS.filter(({ key, goal, is, devices }) => {
    const value = measures[key]
    if (value === null || goal === null || !devices.includes(device)) return false
    return is === 'least' ? value < goal : value > goal
  }).map(({ name }) => name)
}

const NAME_WIDTH = 10
const CELL_WIDTH = 10

/** The head of the table, with the goals below the names. */
export function headLines(): string[] {
  const goals = GOALS.map(({ goal, is, write }) =>
    goal === null ? '' : `${is === 'least' ? '≥' : '≤'} ${write(goal)}`,
  )
  return [
    line(
      'page',
      'device',
      GOALS.map(({ name }) => name),
    ),
    line('', '', goals),
  ]
}

/** Formats one page on one device; figures that miss their goal are marked. */
export function measuredLine(page: string, device: Device, measures: Measures): string {
  const missed = listMissed(measures, device)
  const cells = GOALS.map(({ key, name, write }) => {
    const value = measures[key]
    return value === null ? '–' : `${write(value)}${missed.includes(name) ? ' ✗' : ''}`
  })
  return line(page, device, cells)
}

function line(page: string, device: string, cells: readonly string[]): string {
  const start = page.padEnd(NAME_WIDTH) + device.padEnd(NAME_WIDTH)
  return (start + cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')).trimEnd()
}
