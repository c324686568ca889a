import { describe, expect, it } from 'vitest'
import { samplePlan } from '#lib/testing/factories/sample-record.ts'
import { digestPlan } from '../record/index.ts'
import {
  completeSettings,
  describeSetting,
  listAsked,
  OPTION_LIST,
  PIN_LIST,
  SETTING_LIST,
} from './setting-values.ts'
import { SETTINGS } from './settings.ts'

/** A typed value of each setting, and the value in the plan. */
const TYPED: Record<string, [text: string, value: number | string]> = {
  maxSteps: ['50', 50],
  maxTokens: ['100000', 100_000],
  maxCostMicroUsd: ['1.25', 1_250_000],
  price: ['3/15/0.3', '3/15/0.3'],
  temperature: ['0.2', 0.2],
  fault: ['rate-limit@2', 'rate-limit@2'],
  browser: ['cold', 'cold'],
  timeoutMs: ['90', 90_000],
  effort: ['high', 'high'],
  login: ['subscription', 'subscription'],
  isolation: ['docker', 'docker'],
  seed: ['0', 0],
  diskQuotaBytes: ['2GB', 2e9],
  memoryBytes: ['4294.967296MB', 4 * 2 ** 30],
  maxProcesses: ['512', 512],
  customInstruction: ['Think first.', 'Think first.'],
}

const WRONG = ['', '-1', 'Infinity', '$1', '1e3', 'no such thing']
/** Any text is a valid instruction unless it is empty or too long. */
const WRONG_PROSE = ['', ' \n ', 'x'.repeat(4001)]

describe('the registry of settings', () => {
  it('reads what it prints, and refuses other values', () => {
    for (const { key, kind } of OPTION_LIST) {
      const [text, value] = TYPED[key] ?? ['1', 1]
      expect([key, kind.read(text), kind.print(value)]).toEqual([key, value, text])
      for (const wrong of key === 'customInstruction' ? WRONG_PROSE : WRONG)
        expect([key, wrong, kind.read(wrong)]).toEqual([key, wrong, null])
    }
  })

  it('reads a price with commas too, and stores it so that pins can hold it', () => {
    const { kind } = SETTINGS.price
    expect(['3,15', ' 0.5 / 2.25 ', '3,15,0.3,3.75', 'free'].map(kind.read)).toEqual([
      '3/15',
      '0.5/2.25',
      '3/15/0.3/3.75',
      'free',
    ])
    expect(['3', '3,', '1,2,3,4,5', '3,x', '-3,15'].map(kind.read)).toEqual(Array(5).fill(null))
  })

  it('shows a long text shortened and by its digest, so that two that begin alike look different', () => {
    const say = (customInstruction: string) =>
      describeSetting('customInstruction', { customInstruction })
    expect(say('Think first.')).toBe('“Think first.”')
    const [one, two] = ['a', 'b'].map((end) => say(`${'Think. '.repeat(20)}${end}`))
    expect(one).toMatch(/^“Think\. .*…” \(sha256:[0-9a-f]{8}\)$/)
    expect(one).not.toBe(two)
  })

  it('names each setting, option and field once', () => {
    for (const names of [
      SETTING_LIST.map(({ name }) => name),
      OPTION_LIST.map(({ option }) => option.flag),
      SETTING_LIST.flatMap(({ field }) => field ?? []),
    ])
      expect(new Set(names).size).toBe(names.length)
    expect(PIN_LIST.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['max-steps', 'max-cost', 'timeout', 'seed']),
    )
  })

  it('completes what was asked for, and writes nothing that an older plan does not hold', () => {
    expect(completeSettings({ isolation: 'local', fault: null, maxSteps: 7 })).toEqual({
      timeoutMs: 600_000,
      maxSteps: 7,
      maxTokens: null,
      maxCostMicroUsd: null,
      temperature: null,
      isolation: 'local',
      diskQuotaBytes: 512 << 20,
      maxAttempts: 3,
      seed: 1,
    })
    expect(() => completeSettings({})).toThrow()
  })

  it('gives a plan the digest of the same settings written out by hand', () => {
    const settings = completeSettings({ isolation: 'local' })
    expect(digestPlan(samplePlan({ settings }))).toBe(samplePlan().planDigest)
  })

  it('formats a value with its unit, an unset one, and an unknown one', () => {
    const settings = { timeoutMs: 90_500, maxCostMicroUsd: 250_000, maxTokens: 100_000 }
    const data = (key: 'timeoutMs' | 'maxCostMicroUsd' | 'maxTokens' | 'fault') =>
      describeSetting(key, settings)
    expect([data('timeoutMs'), data('maxCostMicroUsd'), data('maxTokens')]).toEqual([
      '90.5 s',
      '$0.25',
      '100,000',
    ])
    expect([data('fault'), describeSetting('seed', { seed: null })]).toEqual([
      'none',
      'not reported',
    ])
    expect(listAsked(settings)).toEqual([
      { name: 'token budget', text: '100,000' },
      { name: 'cost budget', text: '$0.25' },
    ])
  })
})
