import type { BrowserFaultKind } from '#lib/domain/browser/browser-fault.ts'
import type { BrowserRecord, Rung } from '#lib/domain/browser/browser-record.ts'
import type { Assertion, Verdict } from '#lib/domain/contract.ts'
import type { EpisodeBody } from '#lib/domain/episode.ts'
import type { SeededGenerator } from '#lib/domain/statistics/seeded-generator.ts'
import { sampleEpisode } from '../sample-episode.ts'
import type { DemoRow } from './demo-rows.ts'

type Made = { isSolved: boolean; startedAt: string; chance: SeededGenerator }

/** What a made-up browser episode has beside, and instead of, what every made-up episode has. */
export function browserBody(row: DemoRow, made: Made): Partial<EpisodeBody> {
  const { isSolved, startedAt, chance } = made
  const { environment } = sampleEpisode()
  const fault = row.settings?.fault ?? null
  const verdict = isSolved ? 'pass' : 'fail'
  return {
    environment: { ...environment, browser: { name: 'Chromium', version: '156.0.8078.79' } },
    contract: {
      verdict,
      assertions: assertionsOf(verdict),
      expectedTests: null,
      executedTests: null,
      passedTests: null,
    },
    failureCategory: isSolved ? null : 'form-entry',
    outcome: isSolved
      ? { status: 'solved' }
      : { status: 'unsolved', reason: 'The app holds no such order.' },
    browser: recordOf(row, isSolved, chance),
    fault:
      fault === null
        ? null
        : { plan: fault, point: 'POST /orders', firedAt: startedAt, recovered: isSolved },
  }
}

function recordOf(row: DemoRow, isSolved: boolean, chance: SeededGenerator): BrowserRecord {
  const { targeting = 'css' } = row
  const isRef = targeting === 'ref'
  const reuse = row.settings?.browser === 'cold' ? 'cold' : 'reused'
  const saysSo = chance.nextUnit() < (isSolved ? 0.05 : 0.6)
  const resultTokens = isRef ? 2500 + chance.nextBelow(3000) : 120 + chance.nextBelow(60)
  return {
    driven: row.model === null ? 'scripted' : 'llm',
    targeting,
    reuse,
    connectMs: Math.round((reuse === 'cold' ? 900 : 120) + 400 * chance.nextUnit()),
    harnessMs: Math.round(120 + 60 * chance.nextUnit()),
    resultBytes: 3 * resultTokens,
    resultTokens,
    libraryError: saysSo
      ? {
          step: 'place the order',
          action: 'click',
          message: 'simulated: the button did not take the click within 5000 ms',
        }
      : null,
    recovery: recoveryOf(row, { isSolved, saysSo }, chance),
    processes: {
      peakPssBytes: 480e6 + chance.nextBelow(150e6),
      libraryPeakPssBytes: (isRef ? 190e6 : 80e6) + chance.nextBelow(30e6),
      peakCount: 14,
      zombies: 0,
    },
    reset: 'verified',
  }
}

const RUNGS: readonly Rung[] = ['automatic', 'retry', 'retry', 'new-page', 'reconnect']

function recoveryOf(
  { settings }: DemoRow,
  { isSolved, saysSo }: { isSolved: boolean; saysSo: boolean },
  chance: SeededGenerator,
): BrowserRecord['recovery'] {
  if (!settings?.fault) return null
  const unsolved = saysSo ? 'given-up' : 'automatic'
  const rung = isSolved ? (RUNGS[chance.nextBelow(RUNGS.length)] ?? 'retry') : unsolved
  const detectMs = rung === 'automatic' ? null : Math.round(400 + 5000 * chance.nextUnit())
  return { fault: settings.fault as BrowserFaultKind, rung, detectMs }
}

function assertionsOf(verdict: Verdict): Assertion[] {
  const leaf = (kind: string, label: string, observed: string, own: Verdict = 'pass') => ({
    kind,
    label,
    expected: label,
    observed,
    verdict: own,
    children: [],
  })
  const order = '[{"lines":[{"sku":"mug-blue","quantity":2}],"totalCents":2380}]'
  return [
    leaf(
      'state',
      'Exactly one order, with the right line and total',
      verdict === 'pass' ? order : '[]',
      verdict,
    ),
    leaf(
      'network',
      'The server was asked POST /orders: exactly 1 time',
      '1 time, answered with 201',
    ),
    {
      ...leaf('any', 'The page says that the order was placed', ''),
      children: [
        leaf('text', 'The words of [role=status] contain “Thank you”', 'Thank you for your order'),
        leaf('url', 'The address of the page has the path /orders/1', '/orders', 'fail'),
      ],
    },
    {
      ...leaf('not', 'This does not hold', ''),
      children: [
        leaf('count', 'The page shows at least 1 element of .error', '0 elements', 'fail'),
      ],
    },
    leaf('no-dialog', 'No dialog is open', 'none'),
  ]
}
