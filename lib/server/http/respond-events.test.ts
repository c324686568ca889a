import { expect, it } from 'vitest'
import { countStreams, respondEvents } from './respond-events.ts'

/** A source that holds something from its first moment on, as that of a run holds its watch. */
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
  await response.body?.cancel() // what an answer to HEAD does
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
