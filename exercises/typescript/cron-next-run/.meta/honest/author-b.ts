export type CronField = 'minute' | 'hour' | 'day-of-month' | 'month' | 'day-of-week'

export class CronError extends Error {
  /** The field that cannot be read, or null if there are not five fields. */
  readonly field: CronField | null

  constructor(field: CronField | null, message: string) {
    super(message)
    this.name = 'CronError'
    this.field = field
  }
}

const MINUTE_MS = 60_000
const MINUTES_PER_DAY = 24 * 60
const DAY_MS = MINUTES_PER_DAY * MINUTE_MS

/** The calendar repeats after 400 years, which are a whole number of weeks. */
const DAYS_PER_CYCLE = 146_097

export function nextRun(expression: string, after: Date): Date | null {
  const schedule = parseExpression(expression)
  const time = after.getTime()
  if (Number.isNaN(time)) throw new RangeError('The date is invalid')

  const firstMinute = Math.floor(time / MINUTE_MS) + 1
  const firstDay = Math.floor(firstMinute / MINUTES_PER_DAY)
  const minutes = minutesOfDay(schedule)
  for (let day = firstDay; day <= firstDay + DAYS_PER_CYCLE; day++) {
    if (!dayMatches(schedule, new Date(day * DAY_MS))) continue
    const earliest = day === firstDay ? firstMinute - firstDay * MINUTES_PER_DAY : 0
    const minute = minutes.find((candidate) => candidate >= earliest)
    if (minute !== undefined) return existing(new Date(day * DAY_MS + minute * MINUTE_MS))
  }
  return null
}

/** Null if the answer is later than a `Date` can be. */
function existing(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date
}

// Schedules

interface FieldValues {
  readonly values: ReadonlySet<number>
  /** Whether the text begins with a star. */
  readonly open: boolean
}

type Schedule = Readonly<Record<CronField, FieldValues>>

/** All minutes of a matching day, counted from midnight. */
function minutesOfDay({ minute, hour }: Schedule): readonly number[] {
  return Array.from({ length: MINUTES_PER_DAY }, (_, index) => index).filter(
    (index) => hour.values.has(Math.floor(index / 60)) && minute.values.has(index % 60),
  )
}

function dayMatches(schedule: Schedule, date: Date): boolean {
  const { 'day-of-month': ofMonth, 'day-of-week': ofWeek, month } = schedule
  if (!month.values.has(date.getUTCMonth() + 1)) return false
  const matches = [ofMonth.values.has(date.getUTCDate()), ofWeek.values.has(date.getUTCDay())]
  return ofMonth.open || ofWeek.open ? matches.every(Boolean) : matches.some(Boolean)
}

// Expressions

interface FieldRules {
  readonly field: CronField
  readonly first: number
  readonly last: number
  /** In the order of their numbers, the first of which is `first`. */
  readonly names: readonly string[]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const FIELDS: readonly FieldRules[] = [
  { field: 'minute', first: 0, last: 59, names: [] },
  { field: 'hour', first: 0, last: 23, names: [] },
  { field: 'day-of-month', first: 1, last: 31, names: [] },
  { field: 'month', first: 1, last: 12, names: MONTHS },
  { field: 'day-of-week', first: 0, last: 7, names: DAYS },
]

function parseExpression(expression: string): Schedule {
  const texts = expression.split(/[ \t]+/).filter((text) => text !== '')
  if (texts.length !== FIELDS.length) {
    throw new CronError(null, `There are ${texts.length} fields instead of ${FIELDS.length}`)
  }
  return Object.fromEntries(
    FIELDS.map((rules, index) => [rules.field, parseField(texts[index], rules)]),
  ) as Schedule
}

function parseField(text: string, rules: FieldRules): FieldValues {
  const values = text.split(',').flatMap((item) => parseItem(item, rules))
  // Only the day of the week has a number that is the same as another one.
  const wrapped = rules.field === 'day-of-week' ? values.map((value) => value % 7) : values
  return { values: new Set(wrapped), open: text.startsWith('*') }
}

/** A star, a range or a single value; only the first two may have a step. */
const ITEM = /^(?:(?:(?<star>\*)|(?<from>[0-9A-Za-z]+)-(?<to>[0-9A-Za-z]+))(?:\/(?<step>[0-9]+))?|(?<single>[0-9A-Za-z]+))$/

function parseItem(item: string, rules: FieldRules): number[] {
  const fail = (): CronError =>
    new CronError(rules.field, `${JSON.stringify(item)} is not allowed as ${rules.field}`)
  const groups = ITEM.exec(item)?.groups
  if (groups === undefined) throw fail()

  const { star, from, to, step = '1', single } = groups
  const first = star === undefined ? parseValue(single ?? from, rules) : rules.first
  const last = star === undefined ? parseValue(single ?? to, rules) : rules.last
  const every = Number(step)
  if (first === undefined || last === undefined || first > last || every === 0) throw fail()
  return rangeOf(first, last).filter((value) => (value - first) % every === 0)
}

/** Undefined if the text is neither a number nor a name that the field has. */
function parseValue(text: string, { first, last, names }: FieldRules): number | undefined {
  const place = names.indexOf(text.toUpperCase())
  if (place >= 0) return first + place
  const value = /^[0-9]+$/.test(text) ? Number(text) : NaN
  return first <= value && value <= last ? value : undefined
}

function rangeOf(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
