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

interface FieldRule {
  readonly field: CronField
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const WEEKDAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ')

const RULES: readonly FieldRule[] = [
  { field: 'minute', min: 0, max: 59, names: [] },
  { field: 'hour', min: 0, max: 23, names: [] },
  { field: 'day-of-month', min: 1, max: 31, names: [] },
  { field: 'month', min: 1, max: 12, names: MONTHS },
  { field: 'day-of-week', min: 0, max: 7, names: WEEKDAYS },
]

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** After 400 years the calendar repeats itself, weekdays included. */
const CYCLE_DAYS = 146_097
const MAX_TIME = 8.64e15

const ITEM = /^(?:(\*)|([0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?)(?:\/([0-9]+))?$/

interface Field {
  readonly values: ReadonlySet<number>
  readonly open: boolean
}

function readValue(text: string, rule: FieldRule): number | null {
  if (/^[0-9]+$/.test(text)) {
    const value = Number(text)
    return value >= rule.min && value <= rule.max ? value : null
  }
  if (!/^[A-Za-z]{3}$/.test(text)) return null
  const index = rule.names.indexOf(text.toUpperCase())
  return index < 0 ? null : index + rule.min
}

function readField(text: string, rule: FieldRule): Field {
  const fail = (item: string): never => {
    throw new CronError(rule.field, `Cannot read ${JSON.stringify(item)} in field ${rule.field}`)
  }
  const values = new Set<number>()
  for (const item of text.split(',')) {
    const match = ITEM.exec(item)
    if (match === null) return fail(item)
    const [, star, firstText, lastText, stepText] = match
    let first = rule.min
    let last = rule.max
    if (star === undefined) {
      const value = readValue(firstText ?? '', rule)
      if (value === null) return fail(item)
      first = last = value
      if (lastText !== undefined) {
        const end = readValue(lastText, rule)
        if (end === null || end < first) return fail(item)
        last = end
      } else if (stepText !== undefined) {
        return fail(item)
      }
    }
    const step = stepText === undefined ? 1 : Number(stepText)
    if (step === 0) return fail(item)
    for (let value = first; value <= last; value += step) {
      values.add(rule.field === 'day-of-week' ? value % 7 : value)
    }
  }
  return { values, open: text.startsWith('*') }
}

export function nextRun(expression: string, after: Date): Date | null {
  const texts = expression.match(/[^ \t]+/g) ?? []
  if (texts.length !== RULES.length) {
    throw new CronError(null, `A cron expression has five fields, not ${texts.length}`)
  }
  const fields = RULES.map((rule, index) => readField(texts[index] ?? '', rule))
  const [minutes, hours, days, months, weekdays] = fields as [Field, Field, Field, Field, Field]

  const afterTime = after.getTime()
  if (Number.isNaN(afterTime)) throw new RangeError('Invalid date')

  const matchesDay = (date: Date): boolean => {
    if (!months.values.has(date.getUTCMonth() + 1)) return false
    const byDay = days.values.has(date.getUTCDate())
    const byWeekday = weekdays.values.has(date.getUTCDay())
    return days.open || weekdays.open ? byDay && byWeekday : byDay || byWeekday
  }

  // All minutes of a day that match, in order.
  const times: number[] = []
  for (let minute = 0; minute < 24 * 60; minute++) {
    if (hours.values.has(Math.floor(minute / 60)) && minutes.values.has(minute % 60)) {
      times.push(minute * MINUTE_MS)
    }
  }

  const earliest = (Math.floor(afterTime / MINUTE_MS) + 1) * MINUTE_MS
  const firstDay = Math.floor(earliest / DAY_MS)
  for (let day = firstDay; day <= firstDay + CYCLE_DAYS && day * DAY_MS <= MAX_TIME; day++) {
    const midnight = day * DAY_MS
    if (!matchesDay(new Date(midnight))) continue
    const time = times.find((offset) => midnight + offset >= earliest)
    if (time !== undefined) return midnight + time <= MAX_TIME ? new Date(midnight + time) : null
  }
  return null
}
