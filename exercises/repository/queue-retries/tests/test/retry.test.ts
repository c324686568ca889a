import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sendMail } from '../src/mailer.js'
import { retry } from '../src/retry.js'
import { ServerError } from '../src/transport.js'
import { uploadFile } from '../src/uploader.js'

const failing = (times: number, error: (attempt: number) => unknown) => {
  const bodies: string[] = []
  const send = async (_path: string, body: string) => {
    bodies.push(body)
    if (bodies.length <= times) throw error(bodies.length)
    return `after ${bodies.length}`
  }
  return { bodies, send }
}

function sleeper() {
  const waits: number[] = []
  return { waits, sleep: async (ms: number) => void waits.push(ms) }
}

describe('retry', () => {
  it('counts tries and asks for waits', async () => {
    const { waits, sleep } = sleeper()
    const attempts: number[] = []
    const run = async (attempt: number) => {
      attempts.push(attempt)
      if (attempt < 3) throw new Error('no')
      return 'yes'
    }
    assert.equal(await retry(run, { tries: 4, delayMs: (n) => n * 10, sleep }), 'yes')
    assert.deepEqual([attempts, waits], [[1, 2, 3], [20, 30]])
  })

  it('throws the last error as it is', async () => {
    const errors = [new Error('1'), new Error('2')]
    const run = async (attempt: number) => Promise.reject(errors[attempt - 1])
    await assert.rejects(retry(run, { tries: 2, delayMs: () => 0 }), (error) => error === errors[1])
  })

  it('stops at what is not retryable', async () => {
    let calls = 0
    const run = async () => Promise.reject(new Error(String(++calls)))
    const options = { tries: 9, delayMs: () => 0, isRetryable: (e: unknown) => (e as Error).message === '1' }
    await assert.rejects(retry(run, options), /^Error: 2$/)
  })

  it('refuses numbers of tries that are none', async () => {
    for (const tries of [0, -1, 1.5, Number.NaN]) {
      let calls = 0
      await assert.rejects(retry(async () => ++calls, { tries, delayMs: () => 0 }), RangeError)
      assert.equal(calls, 0)
    }
  })

  it('does not start when it is stopped before', async () => {
    let calls = 0
    const signal = AbortSignal.abort(new Error('stop'))
    await assert.rejects(retry(async () => ++calls, { tries: 2, delayMs: () => 0, signal }), /^Error: stop$/)
    assert.equal(calls, 0)
  })

  it('ends a wait at once, with the reason', async () => {
    const controller = new AbortController()
    let calls = 0
    const run = async () => {
      calls++
      setTimeout(() => controller.abort('enough'), 5)
      throw new Error('no')
    }
    const began = Date.now()
    const options = { tries: 3, delayMs: () => 60_000, signal: controller.signal }
    await assert.rejects(retry(run, options), (reason) => reason === 'enough')
    assert.equal(calls, 1)
    assert.ok(Date.now() - began < 20_000)
  })

  it('lets a try under way count', async () => {
    const controller = new AbortController()
    const run = async () => {
      controller.abort()
      return 'done'
    }
    assert.equal(await retry(run, { tries: 1, delayMs: () => 0, signal: controller.signal }), 'done')
  })
})

describe('mails', () => {
  it('are tried five times where the server is busy', async () => {
    const { waits, sleep } = sleeper()
    const { bodies, send } = failing(9, (n) => new ServerError(n === 1 ? 429 : 503))
    await assert.rejects(sendMail({ to: 'a', text: 'b' }, send, { sleep }), ServerError)
    assert.deepEqual(waits, [100, 200, 400, 800])
    assert.deepEqual(bodies.map((body) => JSON.parse(body).attempt), [1, 2, 3, 4, 5])
  })

  it('are not tried again after other errors', async () => {
    for (const error of [new ServerError(400), new TypeError('network')]) {
      const { bodies, send } = failing(9, () => error)
      await assert.rejects(sendMail({ to: 'a', text: 'b' }, send, sleeper()), (one) => one === error)
      assert.equal(bodies.length, 1)
    }
  })

  it('can be stopped', async () => {
    const { send } = failing(9, () => new ServerError(500))
    const signal = AbortSignal.abort('stop')
    await assert.rejects(sendMail({ to: 'a', text: 'b' }, send, { signal }), (reason) => reason === 'stop')
  })
})

describe('uploads', () => {
  it('are tried three times, and tell all errors', async () => {
    const { waits, sleep } = sleeper()
    const { send } = failing(9, (n) => (n === 2 ? new ServerError(403) : new Error(`e${n}`)))
    await assert.rejects(uploadFile('x', 'c', send, { sleep }), (error) => {
      assert.ok(error instanceof AggregateError)
      assert.equal(error.message, 'could not upload x')
      assert.deepEqual(error.errors.map(({ message }) => message), ['e1', 'the server answered 403', 'e3'])
      return true
    })
    assert.deepEqual(waits, [250, 500])
  })

  it('end at 404 with that very error', async () => {
    const missing = new ServerError(404)
    const { bodies, send } = failing(9, (n) => (n === 2 ? missing : new Error('e')))
    await assert.rejects(uploadFile('x', 'c', send, sleeper()), (error) => error === missing)
    assert.equal(bodies.length, 2)
  })

  it('can be stopped', async () => {
    const controller = new AbortController()
    const { bodies, send } = failing(9, () => {
      setTimeout(() => controller.abort('stop'), 1)
      return new Error('e')
    })
    const upload = uploadFile('x', 'c', send, { signal: controller.signal })
    await assert.rejects(upload, (reason) => reason === 'stop')
    assert.equal(bodies.length, 1)
  })
})
