import { expect, it } from 'vitest'
import { findCallContradiction, type GatewayCall } from '#lib/domain/record/index.ts'
import { sampleEpisode } from '#lib/testing/factories/sample-record.ts'
import type { Clock } from '../engine/clock.ts'
import { meterAttempt } from '../engine/run-subject.ts'
import { CallLedger } from './call-ledger.ts'
import { type CallRecord, describeCall } from './call-record.ts'
import type { GatewayReport } from './gateway-report.ts'

const ROUNDS = 200
const { startedAt } = sampleEpisode()
const clock = { now: () => startedAt, monotonicMs: () => 1 } as Clock

it('writes a log that never contradicts what its gateway reports', () => {
  let state = 7
  const below = (max: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * max)
  }
  const pick = <T>(...all: T[]): T => all[below(all.length)] as T
  for (let round = 0; round < ROUNDS; round++) {
    const ledger = new CallLedger(clock, () => {})
    const calls: GatewayCall[] = []
    ledger.listen((call) => calls.push(describeCall(call)))
    for (let left = below(6); left > 0; left--) {
      const request = { protocol: 'anthropic' as const, path: '/', streams: false, model: 'asked' }
      const open = ledger.open({ ...request, bytes: Buffer.from(`${left}`), json: {} })
      Object.assign(open.record, drawCall(pick, below))
      ledger.close(open)
    }
    const { usage, steps, modelObserved } = meterAttempt({
      ...ledger.tally(),
      faultOutcomes: [],
    } as unknown as GatewayReport)
    const { effort, subject } = sampleEpisode()
    const episode = sampleEpisode({
      usage,
      subject: { ...subject, modelObserved },
      effort: { ...effort, steps },
    })
    expect(findCallContradiction(episode, calls), JSON.stringify(calls)).toBeNull()
  }
})

it('says no more of a name than an envelope takes, as some providers repeat whatever an agent asks for', () => {
  const ledger = new CallLedger(clock, () => {})
  const request = { protocol: 'anthropic' as const, path: '/', streams: false, model: 'asked' }
  const open = ledger.open({ ...request, bytes: Buffer.from('{}'), json: {} })
  const model = 'm'.repeat(500)
  const unknownBecause = `${model} is not in the price table`
  Object.assign(open.record, { source: 'upstream', status: 200, model, unknownBecause })
  ledger.close(open)
  const report = { ...ledger.tally(), faultOutcomes: [] } as unknown as GatewayReport
  const { usage, modelObserved } = meterAttempt(report)
  const { subject } = sampleEpisode()
  const episode = sampleEpisode({ usage, subject: { ...subject, modelObserved } })
  expect(episode.usage?.unknownBecause?.[0]?.reason).toBe(model.slice(0, 200))
})

type Pick = <T>(...all: T[]) => T

function drawCall(pick: Pick, below: (max: number) => number): Partial<CallRecord> {
  const count = () => pick<number | null>(null, below(1000), below(1000), below(1000))
  const none = { cacheRead: null, cacheWrite: null, reasoning: null }
  const costMicroUsd = count()
  const source = pick<'flat' | 'provider' | undefined>('flat', 'provider', undefined)
  return {
    source: pick('upstream', 'replay', 'gateway'),
    status: pick<number | null>(null, 200, 200, 429),
    mayBeBilled: pick(true, false),
    implausible: pick(null, 'more input tokens than the request has bytes'),
    isStep: pick(true, false),
    model: pick<string | null>(null, 'model-x', 'model-y'),
    tokens: { ...none, input: count(), output: count() },
    price: { costMicroUsd, priceTable: null, ...(source && { source }) } as CallRecord['price'],
  }
}
