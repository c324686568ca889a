import { expect, it } from 'vitest'
import { cleanError } from './relay.ts'

it.each([
  ['sk-real-key-1234', 'bad key sk-real-key-1234.', `bad key ${'*'.repeat(16)}.`],
  // A provider masks a key, and a user's key may look like a mask.
  ['********', 'bad key ********, twice ********', 'bad key ********, twice ********'],
])('an error answer does not repeat the key %s', async (key, message, shown) => {
  const body = (async function* () {
    yield Buffer.from(message)
  })()
  const result = { status: 401, headers: {}, body, abort: () => {} }
  const pieces = []
  for await (const piece of cleanError(result, [key]).body) pieces.push(Buffer.from(piece))
  expect(Buffer.concat(pieces).toString()).toBe(shown)
})
