import { expect, it } from 'vitest'
import { forecastWait } from './forecast-wait.ts'

const limits = { concurrency: 4, providers: new Map([['*', 2]]) }
const job = (concurrency: number, provider: string | null = null) => ({ concurrency, provider })
const running = (concurrency: number, leftMs: number | null, provider: string | null = null) => ({
  ...job(concurrency, provider),
  leftMs,
})
const queued = (jobId: string, concurrency: number, provider: string | null = null) => ({
  ...job(concurrency, provider),
  jobId,
  isCancelled: false,
})

it('an idle machine starts a job at once, with the slots that machine and provider have', () => {
  const idle = { running: [], queued: [] }
  expect(forecastWait(job(8), idle, limits)).toEqual({ slots: 4, ahead: 0, reason: null, ms: 0 })
  expect(forecastWait(job(8, 'anthropic'), idle, limits).slots).toBe(2)
})

it('waits until enough running jobs have ended for the machine', () => {
  const line = { running: [running(2, 60_000), running(2, 300_000)], queued: [] }
  expect(forecastWait(job(2), line, limits)).toMatchObject({
    ahead: 2,
    ms: 60_000,
    reason: { kind: 'machine', needs: 2, free: 0 },
  })
  expect(forecastWait(job(4), line, limits).ms).toBe(300_000)
})

it('waits for its provider alone, while the machine has room', () => {
  const line = { running: [running(2, 90_000, 'anthropic')], queued: [] }
  expect(forecastWait(job(1, 'anthropic'), line, limits)).toMatchObject({
    ms: 90_000,
    reason: { kind: 'provider', provider: 'anthropic' },
  })
  expect(forecastWait(job(1, 'openai'), line, limits).ms).toBe(0)
})

it('says that it does not know where a job before it has no estimate', () => {
  expect(forecastWait(job(4), { running: [running(4, null)], queued: [] }, limits).ms).toBeNull()
  const behind = { running: [running(4, 1000)], queued: [queued('job_a', 4)] }
  expect(forecastWait(job(4), behind, limits)).toMatchObject({ ahead: 2, ms: null })
  const beside = { running: [running(4, 1000)], queued: [queued('job_a', 2)] }
  expect(forecastWait(job(2), beside, limits).ms).toBe(1000)
})
