export type CronField = 'minute' | 'hour' | 'day-of-month' | 'month' | 'day-of-week'

export class CronError extends Error {
  override readonly name = 'CronError'
  /** The field that cannot be read, or null if there are not five fields. */
  readonly field: CronField | null

  constructor(field: CronField | null, message: string) {
    super(message)
    this.field = field
  }
}

interface FieldRule {
  readonly field: CronField
  readonly lowest: number
  readonly highest: number
  /** Upper case; the first name stands for the lowest value. */
  readonly names: readonly string[]
}

interface Schedule {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly months: ReadonlySet<number>
  readonly matchesDay: (dayOfMonth: number, dayOfWeek: number) => boolean
}

const MINUTE: FieldRule = { field: 'minute', lowest: 0, highest: 59, names: [] }
const HOUR: FieldRule = { field: 'hour', lowest: 0, highest: 23, names: [] }
const DAY_OF_MONTH: FieldRule = { field: 'day-of-month', lowest: 1, highest: 31, names: [] }
const MONTH: FieldRule = {
  field: 'month',
  lowest: 1,
  highest: 12,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEPT', 'OCT', 'NOV', 'DEC'],
}
const DAY_OF_WEEK: FieldRule = {
  field: 'day-of-week',
  lowest: 0,
  highest: 7,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
}

const MINUTE_MS = 60_000
/** February 29 may skip a year of a century, so a given weekday can be 40 years away. */
const LONGEST_WAIT_YEARS = 41

export function nextRun(expression: string, after: Date): Date | null {
  const schedule = parseExpression(expression)
  if (Number.isNaN(after.getTime())) throw new RangeError('Invalid date')

  const earliest = new Date((Math.floor(after.getTime() / MINUTE_MS) + 1) * MINUTE_MS)
  const firstYear = earliest.getUTCFullYear()
  const firstMonth = earliest.getUTCMonth()

  for (let month = firstMonth; month <= firstMonth + LONGEST_WAIT_YEARS * 12; month += 1) {
    if (!schedule.months.has((month % 12) + 1)) continue
    const run = findInMonth(schedule, firstYear + Math.floor(month / 12), month % 12, earliest)
    if (run) return run
  }
  return null
}

function findInMonth(
  schedule: Schedule,
  year: number,
  month: number,
  earliest: Date,
): Date | undefined {
  for (const midnight = utc(year, month, 1); midnight.getUTCMonth() === month; nextDay(midnight)) {
    if (!schedule.matchesDay(midnight.getUTCDate(), midnight.getUTCDay())) continue
    const run = findInDay(schedule, midnight, earliest)
    if (run) return run
  }
  return undefined
}

function findInDay(schedule: Schedule, midnight: Date, earliest: Date): Date | undefined {
  for (const hour of schedule.hours) {
    for (const minute of schedule.minutes) {
      const time = new Date(midnight.getTime() + (hour * 60 + minute) * MINUTE_MS)
      if (time >= earliest) return time
    }
  }
  return undefined
}

/** Unlike Date.UTC, does not take the years 0 to 99 for those of the 20th century. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date
}

function nextDay(date: Date): void {
  date.setUTCDate(date.getUTCDate() + 1)
}

function parseExpression(expression: string): Schedule {
  const texts = expression.split(/[ \t]+/).filter((text) => text !== '')
  if (texts.length !== 5) {
    throw new CronError(null, `Expected five fields, got ${texts.length}`)
  }
  const [minuteText, hourText, dayOfMonthText, monthText, dayOfWeekText] = texts
  const minutes = parseField(MINUTE, minuteText)
  const hours = parseField(HOUR, hourText)
  const daysOfMonth = parseField(DAY_OF_MONTH, dayOfMonthText)
  const months = parseField(MONTH, monthText)
  const daysOfWeek = parseField(DAY_OF_WEEK, dayOfWeekText)
  if (daysOfWeek.has(7)) daysOfWeek.add(0)

  const mustMatchBoth = dayOfMonthText.startsWith('*') || dayOfWeekText.startsWith('*')
  return {
    minutes: sorted(minutes),
    hours: sorted(hours),
    months,
    matchesDay: (dayOfMonth, dayOfWeek) =>
      mustMatchBoth
        ? daysOfMonth.has(dayOfMonth) && daysOfWeek.has(dayOfWeek)
        : daysOfMonth.has(dayOfMonth) || daysOfWeek.has(dayOfWeek),
  }
}

function sorted(values: ReadonlySet<number>): number[] {
  return [...values].sort((a, b) => a - b)
}

function parseField(rule: FieldRule, text: string): Set<number> {
  return new Set(text.split(',').flatMap((item) => parseItem(rule, item)))
}

function parseItem(rule: FieldRule, item: string): number[] {
  const fail = (): never => {
    throw new CronError(rule.field, `Cannot read "${item}" in the field ${rule.field}`)
  }

  const [rangeText, stepText, ...tooManySteps] = item.split('/')
  const [firstText, lastText, ...tooManyEnds] = rangeText.split('-')
  if (tooManySteps.length > 0 || tooManyEnds.length > 0) fail()

  const isStar = rangeText === '*'
  const first = isStar ? rule.lowest : (parseValue(rule, firstText) ?? fail())
  const last = isStar
    ? rule.highest
    : lastText === undefined
      ? first
      : (parseValue(rule, lastText) ?? fail())
  const isSingle = !isStar && lastText === undefined
  const step = stepText === undefined ? 1 : (parseNumber(stepText) ?? fail())
  if (first > last || step === 0 || (isSingle && stepText !== undefined)) fail()

  const values: number[] = []
  for (let value = first; value <= last; value += step) values.push(value)
  return values
}

function parseValue({ names, lowest, highest }: FieldRule, text: string): number | undefined {
  const position = names.indexOf(text.toUpperCase())
  const value = position >= 0 ? lowest + position : parseNumber(text)
  return value !== undefined && value >= lowest && value <= highest ? value : undefined
}

function parseNumber(text: string): number | undefined {
  return /^[0-9]+$/.test(text) ? Number(text) : undefined
}
