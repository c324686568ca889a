import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClients } from './clients.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('waits for a harness that answers late instead of refusing the browser', async () => {
  const clients = createClients(() => {})
  const client = clients.of(new Socket())
  await vi.advanceTimersByTimeAsync(20_000)
  clients.answer(1, 4711)
  expect(await client).toBe(4711)
})

it('lets nobody in when the harness never answers', async () => {
  const client = createClients(() => {}).of(new Socket())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await client).toBe('gone')
})
