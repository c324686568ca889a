import type { Random, Scenario, ScenarioContext } from '../../../held-out.ts'
import { CronError, nextRun } from '../cron-next-run.ts'

const MINUTE = 60_000
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const DAYS = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ')
const FIELDS = [
  { least: 0, most: 59, names: [] as string[] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 7, names: DAYS },
]
const BROKEN =
  '*/0 */00 */ /2 ? L 1- -1 1-2-3 */2/2 +1 1.0 0x1 1e0 ** *-3 *1 1, ,1 2,,3 3-2 5/2 XYZ MOND */-1'

type Field = (typeof FIELDS)[number]

function describe(error: unknown): unknown {
  if (error instanceof CronError) return { field: error.field, isError: error instanceof Error }
  return error instanceof RangeError && 'RangeError'
}

/** Random expressions, followed for some runs from random moments, and expressions that are broken. */
export const scenario: Scenario = (context) => {
  for (let round = 0; round < 60; round++) follow(context, randomExpression(context.random), 3)
  for (let round = 0; round < 25; round++) follow(context, sparseExpression(context.random), 2)
  for (let round = 0; round < 4; round++) leapDays(context)
  refuseAll(context)
  follow(context, `${context.random.int(0, 59)} * ${context.random.int(30, 31)} 2 *`, 1)
}

function follow({ random, attempt, record }: ScenarioContext, expression: string, times: number) {
  let after = randomMoment(random)
  for (let run = 0; run < times; run++) {
    const given = after.getTime()
    const next = attempt(`${expression} after ${given}`, () => nextRun(expression, after))
    if (after.getTime() !== given) record('changed', after)
    if (!(next instanceof Date) || Number.isNaN(next.getTime())) return
    after = new Date(next.getTime() + random.pick([0, 0, 1, -1, MINUTE - 1, -MINUTE]))
  }
}

function randomMoment(random: Random): Date {
  const year = random.chance(0.8) ? random.int(1960, 2110) : random.int(200, 3000)
  const date = new Date(0)
  if (random.chance(0.4)) {
    date.setUTCFullYear(year, random.int(1, 12), 1)
    return new Date(date.getTime() - random.pick([0, 1, MINUTE, MINUTE - 1, 86_400_000, 1000]))
  }
  date.setUTCFullYear(year, random.int(0, 11), random.int(1, 31))
  const inDay = random.int(0, 1439) * MINUTE + random.pick([0, 0, 1, 999, 30_000, MINUTE - 1])
  return new Date(date.getTime() + inDay)
}

function randomExpression(random: Random): string {
  const texts = FIELDS.map((field) => {
    if (random.chance(0.25)) return '*'
    return random.list(1, 3, () => randomItem(random, field)).join(',')
  })
  return spaced(random, texts)
}

function spaced(random: Random, texts: string[]): string {
  const space = (least: number): string => (random.chance(0.8) ? ' ' : random.text(' \t', least, 3))
  return random.chance(0.2) ? space(0) + texts.join(space(1)) + space(0) : texts.join(' ')
}

function randomItem(random: Random, field: Field): string {
  const { least, most } = field
  const step = (): string => random.pick(['', '', `/${random.int(1, 9)}`, `/0${random.int(1, 99)}`])
  if (random.chance(0.15)) return `*${step()}`
  const first = random.int(least, most)
  if (random.chance(0.5)) return write(random, field, first)
  const last = random.chance(0.2) ? first : random.int(first, most)
  return `${write(random, field, first)}-${write(random, field, last)}${step()}`
}

/** A number, possibly with zeros in front, or the name of a value. */
function write(random: Random, { least, names }: Field, value: number): string {
  const name = names[value - least]
  if (!name || random.chance(0.5)) return random.pick(['', '', '0', '00']) + value
  return random.pick([name, name.toUpperCase(), name.toLowerCase()])
}

/** Few runs: one minute and hour, and a day that matches seldom, with each way to combine days. */
function sparseExpression(random: Random): string {
  const [minute, hour, day, month] = [0, 1, 2, 3].map((index) => {
    const field = FIELDS[index] as Field
    return write(random, field, random.int(field.least, field.most))
  })
  const weekday = write(random, FIELDS[4] as Field, random.int(0, 7))
  const days = random.pick([
    [day, weekday],
    [day, '*'],
    ['*', weekday],
    [day, `*/${random.int(2, 7)}`],
    [`*/${random.int(2, 31)}`, weekday],
    [`*,${day}`, weekday],
    [`${day},*`, `${weekday},*`],
    [day, `${weekday},*`],
  ])
  return [minute, hour, days[0], random.pick([month, '*']), days[1]].join(' ')
}

/** February 29 on few days of the week, often over the end of a century without one. */
function leapDays({ random, attempt }: ScenarioContext): void {
  const expression = `${random.int(0, 59)} ${random.int(0, 23)} 29 2 */7`
  const after = new Date(Date.UTC(random.pick([1872, 2072, 2172]) + random.int(0, 28), 2, 1))
  attempt(`${expression} after ${after.getTime()}`, () => nextRun(expression, after))
}

/** Each kind of broken field once, some of them twice in an expression, and wrong numbers of fields. */
function refuseAll(context: ScenarioContext): void {
  const { random } = context
  FIELDS.forEach(({ least, most }, index) => {
    const outside = [`${most + 1}`, `${least}-${most + 1}`, `${least - 1}`, '99999999999999999999']
    const name = index === 3 ? random.pick(DAYS) : random.pick(MONTHS)
    for (const text of [...outside, name]) refuse(context, index, text)
  })
  for (const text of BROKEN.split(' ')) refuse(context, random.int(0, 4), text)
  for (const count of [0, 1, 2, 3, 4, 6, 7]) {
    const texts = random.list(count, count, () => random.pick(['*', '1', '?', '2-3']))
    tryOne(context, spaced(random, texts))
  }
  for (let round = 0; round < 5; round++) tryOne(context, randomExpression(random))
}

function refuse(context: ScenarioContext, index: number, text: string): void {
  const { random } = context
  const texts = FIELDS.map((field) => randomItem(random, field))
  const list = random.shuffle([text, ...random.list(0, 1, () => texts[index])])
  texts[index] = list.join(',')
  if (random.chance(0.2)) texts[random.int(0, 4)] = random.pick(BROKEN.split(' '))
  tryOne(context, spaced(random, texts))
}

function tryOne({ random, attempt }: ScenarioContext, expression: string): void {
  const moment = random.chance(0.3) ? new Date(Number.NaN) : randomMoment(random)
  attempt(`${expression} after ${moment.getTime()}`, () => nextRun(expression, moment), describe)
}
