import { expect, it } from 'vitest'
import type { AppError } from '../../errors.ts'
import { PEER_HEADER } from './peer-address.ts'
import { respondError } from './respond.ts'
import { countStreams, respondEvents } from './respond-events.ts'

/** Creates a source that holds a resource from the start, as that of a run holds its watcher. */
function makeSource() {
  const held = { isReleased: false }
  const open = async (signal: AbortSignal) =>
    (async function* () {
      try {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        yield []
      } finally {
        held.isReleased = true
      }
    })()
  return { held, open }
}

it('a stream that is given up before anything was read of it lets go of what it holds', async () => {
  const { held, open } = makeSource()
  const response = await respondEvents(new Request('http://localhost/'), open)
  await response.body?.cancel() // as a response to HEAD does
  await expect.poll(() => held.isReleased).toBe(true)
  expect(countStreams()).toBe(0)
})

it('so does one whose reader left while it was opened', async () => {
  const { held, open } = makeSource()
  const left = AbortSignal.abort()
  await respondEvents(new Request('http://localhost/', { signal: left }), open)
  await expect.poll(() => held.isReleased).toBe(true)
  expect(countStreams()).toBe(0)
})

it('one network has a hundred streams, and all networks together a thousand', async () => {
  const stay = new AbortController()
  const ask = async (peer: string) => {
    const headers = { [PEER_HEADER]: peer }
    const request = new Request('http://localhost/', { headers, signal: stay.signal })
    const response = await respondEvents(request, makeSource().open).catch((error: AppError) =>
      respondError(error),
    )
    return [response.status, response.headers.get('retry-after')]
  }
  for (let at = 0; at < 100; at++) expect(await ask('2001:db8::1')).toEqual([200, null])
  expect(await ask('2001:db8::2')).toEqual([429, '5'])
  for (let at = 0; at < 900; at++) await ask(`192.0.2.${at % 9}`)
  expect(countStreams()).toBe(1000)
  expect(await ask('198.51.100.1')).toEqual([503, '5'])
  stay.abort()
  await expect.poll(countStreams).toBe(0)
  const { signal } = new AbortController()
  const again = await respondEvents(new Request('http://localhost/', { signal }), makeSource().open)
  await again.body?.cancel()
})
