import { describe, it, expect } from '@jest/globals'
import { CronError, nextRun } from './cron-next-run.ts'

function next(expression: string, after: string): string | null {
  return nextRun(expression, new Date(after))?.toISOString() ?? null
}

/** The days of the next runs, each searched for from half a minute after the one before. */
function nextDays(expression: string, after: string, count: number): string[] {
  const days: string[] = []
  let from = new Date(after)
  while (days.length < count) {
    const run = nextRun(expression, from)
    if (run === null) break
    days.push(run.toISOString().slice(0, 10))
    from = new Date(run.getTime() + 30_000)
  }
  return days
}

/** The hours and minutes of the next runs. */
function nextTimes(expression: string, after: string, count: number): string[] {
  const times: string[] = []
  let from = new Date(after)
  while (times.length < count) {
    const run = nextRun(expression, from)
    if (run === null) break
    times.push(run.toISOString().slice(11, 16))
    from = new Date(run.getTime() + 30_000)
  }
  return times
}

function wrongField(expression: string): string | null {
  try {
    nextRun(expression, new Date('2026-01-01T00:00:00Z'))
  } catch (error) {
    expect(error).toBeInstanceOf(CronError)
    return (error as CronError).field
  }
  return 'none'
}

describe('the moment', () => {
  it('is the next minute for five stars', () => {
    expect(next('* * * * *', '2026-03-04T05:06:07.890Z')).toBe('2026-03-04T05:07:00.000Z')
  })

  it('is strictly later, even by a whole year', () => {
    expect(next('0 12 * * *', '2026-03-04T12:00:00.000Z')).toBe('2026-03-05T12:00:00.000Z')
    expect(next('0 0 1 1 *', '2026-01-01T00:00:00.000Z')).toBe('2027-01-01T00:00:00.000Z')
  })

  it('may be a millisecond away', () => {
    expect(next('0 12 * * *', '2026-03-04T11:59:59.999Z')).toBe('2026-03-04T12:00:00.000Z')
  })

  it('is not the minute that has already begun', () => {
    expect(next('30 8 * * *', '2026-03-04T08:30:00.001Z')).toBe('2026-03-05T08:30:00.000Z')
  })

  it('carries over into the next hour, day, month and year', () => {
    expect(next('*/20 * * * *', '2026-12-31T23:40:00Z')).toBe('2027-01-01T00:00:00.000Z')
    expect(next('5 * * * *', '2026-02-28T23:30:00Z')).toBe('2026-03-01T00:05:00.000Z')
  })

  it('starts again at the first hour and minute on a later day', () => {
    expect(next('15,45 9,17 10 6 *', '2026-01-31T18:50:00Z')).toBe('2026-06-10T09:15:00.000Z')
    expect(next('15 9 * * *', '2026-01-05T20:40:00Z')).toBe('2026-01-06T09:15:00.000Z')
  })

  it('can lie before 1970', () => {
    expect(next('0 0 * * *', '1969-07-20T20:17:40.500Z')).toBe('1969-07-21T00:00:00.000Z')
  })

  it('leaves the given date as it is', () => {
    const after = new Date('2026-03-04T05:06:07.890Z')
    nextRun('0 0 29 2 *', after)
    expect(after.toISOString()).toBe('2026-03-04T05:06:07.890Z')
  })
})

describe('fields', () => {
  it('take lists in any order, with repetitions', () => {
    expect(nextTimes('40,10,10 7 * * *', '2026-01-01T00:00:00Z', 3)).toEqual([
      '07:10',
      '07:40',
      '07:10',
    ])
  })

  it('take ranges with both ends', () => {
    expect(nextTimes('0 9-11 * * *', '2026-01-01T00:00:00Z', 4)).toEqual([
      '09:00',
      '10:00',
      '11:00',
      '09:00',
    ])
  })

  it('count steps from the start of the range', () => {
    expect(nextTimes('7-30/10 0 * * *', '2026-01-01T00:00:00Z', 4)).toEqual([
      '00:07',
      '00:17',
      '00:27',
      '00:07',
    ])
  })

  it('count steps of the days from the first day of the month', () => {
    expect(nextDays('0 0 */10 * *', '2026-01-25T00:00:00Z', 5)).toEqual([
      '2026-01-31',
      '2026-02-01',
      '2026-02-11',
      '2026-02-21',
      '2026-03-01',
    ])
  })

  it('take steps larger than the range', () => {
    expect(nextTimes('*/90 */99 * * *', '2026-01-01T00:00:00Z', 1)).toEqual(['00:00'])
    expect(nextTimes('50-55/9 3 * * *', '2026-01-01T00:00:00Z', 2)).toEqual(['03:50', '03:50'])
  })

  it('mix values, ranges and steps in one list', () => {
    expect(nextTimes('2,10-12,*/29 4 * * *', '2026-01-01T00:00:00Z', 8)).toEqual([
      '04:00',
      '04:02',
      '04:10',
      '04:11',
      '04:12',
      '04:29',
      '04:58',
      '04:00',
    ])
  })

  it('take names in any case, also in ranges and lists', () => {
    expect(nextDays('0 0 1 Feb-apr,DEC *', '2026-01-01T00:00:00Z', 4)).toEqual([
      '2026-02-01',
      '2026-03-01',
      '2026-04-01',
      '2026-12-01',
    ])
    expect(nextDays('0 0 * * mon-Wed/2,SAT', '2026-11-01T00:00:00Z', 4)).toEqual([
      '2026-11-02',
      '2026-11-04',
      '2026-11-07',
      '2026-11-09',
    ])
  })

  it('take the name of every month and of every day of the week', () => {
    const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
    months.forEach((name, index) => {
      const first = `2026-${String(index + 1).padStart(2, '0')}-01`
      expect(nextDays(`0 0 1 ${name} *`, '2025-12-31T00:00:00Z', 1)).toEqual([first])
    })
    const days = 'sun mon tue wed thu fri sat'.split(' ')
    days.forEach((name, index) => {
      expect(nextDays(`0 0 * * ${name}`, '2026-10-31T00:00:00Z', 1)).toEqual([
        `2026-11-0${index + 1}`,
      ])
    })
  })

  it('may be surrounded by spaces and tabs and have leading zeros', () => {
    expect(next(' \t05  08\t* * *  ', '2026-01-01T00:00:00Z')).toBe('2026-01-01T08:05:00.000Z')
  })
})

describe('days of the week', () => {
  it('count Sunday as 0 and as 7', () => {
    const sundays = ['2026-11-01', '2026-11-08']
    expect(nextDays('0 0 * * 0', '2026-10-31T00:00:00Z', 2)).toEqual(sundays)
    expect(nextDays('0 0 * * 7', '2026-10-31T00:00:00Z', 2)).toEqual(sundays)
    expect(nextDays('0 0 * * SUN', '2026-10-31T00:00:00Z', 2)).toEqual(sundays)
  })

  it('can run up to Sunday at the end of the week', () => {
    expect(nextDays('0 0 * * FRI-7', '2026-11-02T00:00:00Z', 4)).toEqual([
      '2026-11-06',
      '2026-11-07',
      '2026-11-08',
      '2026-11-13',
    ])
  })

  it('match as well as days of the month if both are restricted', () => {
    expect(nextDays('0 0 13 * FRI', '2026-11-01T00:00:00Z', 5)).toEqual([
      '2026-11-06',
      '2026-11-13',
      '2026-11-20',
      '2026-11-27',
      '2026-12-04',
    ])
    expect(nextDays('0 0 10,20 * 1', '2026-11-08T00:00:00Z', 4)).toEqual([
      '2026-11-09',
      '2026-11-10',
      '2026-11-16',
      '2026-11-20',
    ])
  })

  it('still have to be in the right month', () => {
    expect(nextDays('0 0 1 3 MON', '2026-03-25T00:00:00Z', 3)).toEqual([
      '2026-03-30',
      '2027-03-01',
      '2027-03-08',
    ])
  })

  it('have to match together with days of the month if one begins with a star', () => {
    expect(nextDays('0 0 */2 * MON', '2026-11-01T00:00:00Z', 3)).toEqual([
      '2026-11-09',
      '2026-11-23',
      '2026-12-07',
    ])
    expect(nextDays('0 0 13 * */5', '2026-01-01T00:00:00Z', 3)).toEqual([
      '2026-02-13',
      '2026-03-13',
      '2026-09-13',
    ])
  })

  it('do not limit the days of the month if they are a plain star, nor the other way round', () => {
    expect(nextDays('0 0 13 * *', '2026-11-01T00:00:00Z', 2)).toEqual(['2026-11-13', '2026-12-13'])
    expect(nextDays('0 0 * * 3', '2026-11-01T00:00:00Z', 2)).toEqual(['2026-11-04', '2026-11-11'])
  })

  it('are restricted by a range, even if it is the whole week', () => {
    expect(nextDays('0 0 13 * 0-6', '2026-11-01T00:00:00Z', 2)).toEqual([
      '2026-11-02',
      '2026-11-03',
    ])
  })
})

describe('the calendar', () => {
  it('skips months that are too short', () => {
    expect(nextDays('0 0 31 * *', '2026-01-31T00:00:00Z', 3)).toEqual([
      '2026-03-31',
      '2026-05-31',
      '2026-07-31',
    ])
  })

  it('has February 29 in leap years only', () => {
    expect(nextDays('0 0 29 2 *', '2026-01-01T00:00:00Z', 2)).toEqual(['2028-02-29', '2032-02-29'])
  })

  it('has no February 29 in 2100, but in 2000', () => {
    expect(nextDays('0 0 29 2 *', '2096-03-01T00:00:00Z', 1)).toEqual(['2104-02-29'])
    expect(nextDays('0 0 29 2 *', '1996-03-01T00:00:00Z', 1)).toEqual(['2000-02-29'])
  })

  it('finds a February 29 on a given day of the week, 40 years away', () => {
    expect(nextDays('0 0 29 2 */7', '2088-02-29T00:00:00Z', 1)).toEqual(['2128-02-29'])
    expect(nextDays('59 23 29 2 */6', '2026-01-01T00:00:00Z', 2)).toEqual([
      '2032-02-29',
      '2048-02-29',
    ])
  })

  it('has no answer for dates that never come', () => {
    expect(next('0 0 30 2 *', '2026-01-01T00:00:00Z')).toBe(null)
    expect(next('* * 31 2,4,6,9,11 *', '2026-01-01T00:00:00Z')).toBe(null)
    expect(next('* * 30,31 FEB *', '2027-12-31T23:59:59Z')).toBe(null)
  })

  it('has an answer for an impossible date if the day of the week will do', () => {
    expect(next('0 6 30 2 TUE', '2026-01-01T00:00:00Z')).toBe('2026-02-03T06:00:00.000Z')
  })
})

describe('mistakes', () => {
  it('are values out of range, in the field where they are', () => {
    expect(wrongField('60 * * * *')).toBe('minute')
    expect(wrongField('0 24 * * *')).toBe('hour')
    expect(wrongField('0 0 0 * *')).toBe('day-of-month')
    expect(wrongField('0 0 32 * *')).toBe('day-of-month')
    expect(wrongField('0 0 1 0 *')).toBe('month')
    expect(wrongField('0 0 1 13 *')).toBe('month')
    expect(wrongField('0 0 * * 8')).toBe('day-of-week')
    expect(wrongField('0 0 1-32 * *')).toBe('day-of-month')
  })

  it('are reported for the first wrong field', () => {
    expect(wrongField('0 x 1 13 *')).toBe('hour')
  })

  it('are too few or too many fields', () => {
    expect(wrongField('* * * *')).toBe(null)
    expect(wrongField('0 99 * * * *')).toBe(null)
    expect(wrongField('')).toBe(null)
    expect(wrongField('@daily')).toBe(null)
  })

  it('are empty items and stray characters', () => {
    for (const field of ['1,', ',1', '1,,2', '1-', '-1', '1--2', '1-2-3', '*/', '/5', '*/2/2']) {
      expect(wrongField(`${field} * * * *`)).toBe('minute')
    }
    for (const field of ['L', '1.5', '+1', '1e1', '0x5', '?', '**', '*-5', '*5', 'é']) {
      expect(wrongField(`* ${field} * * *`)).toBe('hour')
    }
  })

  it('are steps of zero and steps after a single value', () => {
    expect(wrongField('*/0 * * * *')).toBe('minute')
    expect(wrongField('5-10/0 * * * *')).toBe('minute')
    expect(wrongField('5/15 * * * *')).toBe('minute')
    expect(wrongField('*/MON * * * *')).toBe('minute')
  })

  it('are ranges that run backwards', () => {
    expect(wrongField('30-10 * * * *')).toBe('minute')
    expect(wrongField('* * * * FRI-SUN')).toBe('day-of-week')
    expect(wrongField('* * * 11-2 *')).toBe('month')
  })

  it('are names in the wrong field or in full', () => {
    expect(wrongField('* * * MON *')).toBe('month')
    expect(wrongField('* * * * JAN')).toBe('day-of-week')
    expect(wrongField('* * * * MONDAY')).toBe('day-of-week')
    expect(wrongField('JAN * * * *')).toBe('minute')
  })

  it('are dates that are not valid, once the expression has been read', () => {
    const invalid = new Date(Number.NaN)
    expect(() => nextRun('* * * * *', invalid)).toThrow(RangeError)
    expect(() => nextRun('* * * *', invalid)).toThrow(CronError)
  })
})
