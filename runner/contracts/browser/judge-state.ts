import { allOf } from './combine-verdicts.ts'
import { findDifferences, fits } from './find-differences.ts'
import { fitsCount, type HowMany, showHowMany } from './how-many.ts'
import { decide, type Judged, type SpecOf, undecided } from './judged.ts'
import { matchPerfectly } from './match-perfectly.ts'
import { type Found, readPath } from './read-path.ts'
import { showAmount, showValue, showValues } from './show-value.ts'

const DIFFERENCES = 5

/** What the app's server holds. Everything the assertion asks for has to hold; asking for nothing asks that it is there. */
export function judgeState(spec: SpecOf<'state'>, state: unknown): Judged {
  const place = spec.path === '' ? 'the state' : spec.path
  const wants = wantsOf(spec)
  const expected =
    wants.length === 0
      ? `${place} is there`
      : `${place} ${wants.map((want) => want.expected).join(' and ')}`
  if (state === null || state === undefined)
    return undecided(expected, "the app's state could not be read")
  const found = readPath(state, spec.path)
  if (!found.found) return decide(expected, showNowhere(spec.path, found), false)
  if (wants.length === 0) return decide(expected, showValue(found.value), true)
  const judged = wants.map((want) => want.judge(found.value))
  const verdict = allOf(judged.map((one) => (one.holds ? 'pass' : 'fail')))
  const observed = [...new Set(judged.map((one) => one.observed))].join('; ')
  return { expected, observed, verdict }
}

type Want = { expected: string; judge: (value: unknown) => { observed: string; holds: boolean } }

function wantsOf({ equals, matches, exactly, count }: SpecOf<'state'>): Want[] {
  return [
    ...(equals === undefined ? [] : [wantEqual(equals)]),
    ...(matches === undefined ? [] : [wantMatch(matches)]),
    ...(exactly === undefined ? [] : [wantExactly(exactly)]),
    ...(count === undefined ? [] : [wantCount(count)]),
  ]
}

function wantEqual(wanted: unknown): Want {
  return {
    expected: `is ${showValue(wanted)}`,
    judge: (value) => showMisfit(wanted, value, true),
  }
}

function wantMatch(pattern: unknown): Want {
  const members = showValue(pattern)
  return {
    expected: `has ${members}`,
    judge: (value) => {
      if (!Array.isArray(value) || Array.isArray(pattern)) return showMisfit(pattern, value, false)
      const fitting = value.filter((one) => fits(pattern, one))
      const observed = `${fitting.length} of ${showAmount(value.length, 'element')} fit, where exactly one should`
      if (fitting.length === 1) return { observed: showValue(fitting[0]), holds: true }
      return {
        observed: `${observed}: ${showValues(fitting.length > 0 ? fitting : value)}`,
        holds: false,
      }
    },
  }
}

function wantExactly(patterns: readonly unknown[]): Want {
  const size = showAmount(patterns.length, 'element')
  return {
    expected:
      patterns.length === 0 ? 'is an empty list' : `holds exactly ${size}: ${showValues(patterns)}`,
    judge: (value) => {
      if (!Array.isArray(value))
        return { observed: `no list but ${showValue(value)}`, holds: false }
      const { missing, unexpected } = matchPerfectly(patterns.length, value.length, (one, other) =>
        fits(patterns[one], value[other]),
      )
      const parts = [
        showAmount(value.length, 'element'),
        ...(missing.length > 0
          ? [`missing: ${showValues(missing.map((one) => patterns[one]))}`]
          : []),
        ...(unexpected.length > 0
          ? [`not expected: ${showValues(unexpected.map((one) => value[one]))}`]
          : []),
      ]
      const holds = parts.length === 1
      if (holds && value.length > 0) parts.push(showValues(value))
      return { observed: parts.join('; '), holds }
    },
  }
}

function wantCount(wanted: HowMany): Want {
  return {
    expected: `has ${showHowMany(wanted)}`,
    judge: (value) => {
      const size = sizeOf(value)
      if (size === null) return { observed: `no list but ${showValue(value)}`, holds: false }
      const holds = fitsCount(wanted, size)
      return { observed: `${size}${size > 0 ? `: ${showValue(value)}` : ''}`, holds }
    },
  }
}

function sizeOf(value: unknown): number | null {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : null
}

function showMisfit(wanted: unknown, value: unknown, whole: boolean) {
  const differences = findDifferences(wanted, value, { whole, limit: DIFFERENCES })
  if (differences.length === 0) return { observed: showValue(value), holds: true }
  return { observed: `${differences.join('; ')}: ${showValue(value)}`, holds: false }
}

function showNowhere(path: string, { until, value }: Extract<Found, { found: false }>): string {
  const place = until === '' ? 'the state' : until
  return `nothing at ${path}; ${place} is ${showValue(value)}`
}
