import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { QUEUE_SUITE, type RealQueue, realQueue } from '#lib/testing/factories/real-queue.ts'
import type { Notification } from '../domain/formats/index.ts'
import { Notifier, signBody } from './notifier.ts'

const SECRET = 'a secret of the board'
const notification: Notification = {
  id: 'run-ended:run_1:done',
  kind: 'run-ended',
  at: '2026-11-28T12:00:00.000Z',
  title: 'agent on typescript: done',
  text: '25 episodes of 25 finished, 18 solved.',
  url: 'https://board.example/runs/run_1',
}

const got: { headers: IncomingHttpHeaders; body: string }[] = []
/** Statuses of the next responses; then 200. */
let answers: number[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  got.push({ headers: request.headers, body })
  response.writeHead(answers.shift() ?? 200).end()
})
let url: string
let queue: RealQueue
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  process.env.PROOFBOARD_WEBHOOKS = `${url}, slack:${url}`
  process.env.PROOFBOARD_WEBHOOK_SECRET = SECRET
  process.env.PROOFBOARD_URL = 'https://board.example'
  queue = await realQueue({ tasks: ['lru-cache'] })
})
beforeEach(() => {
  got.length = 0
  answers = []
})
afterAll(async () => {
  await queue.close()
  server.close()
})

const notifierFor = (urls: readonly string[]) =>
  new Notifier({
    webhooks: urls.map((one) => ({ url: one, isSlack: false })),
    secret: SECRET,
    signal: new AbortController().signal,
    retryMs: 5,
  })

it('is sent again after an error, with the same id and a signature of the body', async () => {
  answers = [503, 429]
  const notifier = notifierFor([url])
  notifier.send(notification)
  await notifier.settle(20_000)
  expect(got).toHaveLength(3)
  expect(new Set(got.map(({ body }) => body)).size).toBe(1)
  const { headers, body } = got[0] ?? { headers: {}, body: '' }
  expect(JSON.parse(body)).toEqual({ version: 1, ...notification })
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-proofboard-event': 'run-ended',
    'x-proofboard-delivery': notification.id,
    'x-proofboard-signature-256': signBody(body, SECRET),
  })
  expect(signBody(body, 'another secret of it')).not.toBe(signBody(body, SECRET))
})

it('is not sent again to an address that refuses it, and given up if there is no response', async () => {
  answers = [404]
  const notifier = notifierFor([url, 'http://127.0.0.1:1/'])
  notifier.send(notification)
  await notifier.settle(20_000)
  expect(got).toHaveLength(1)
})

it('tells of the end of a run, as JSON and as a message for Slack', async () => {
  const worker = queue.startHere()
  const { jobId } = await queue.enqueueCommand({ command: 'true' })
  const { newRunId } = await queue.untilStatus(jobId, 'done')
  await worker.stop()
  const bodies = got.map(({ body }) => JSON.parse(body))
  const page = `https://board.example/runs/${newRunId}`
  expect(bodies).toContainEqual(
    expect.objectContaining({
      id: `run-ended:${newRunId}:done`,
      kind: 'run-ended',
      title: expect.stringContaining(`on ${QUEUE_SUITE}: done`),
      text: '1 episode of 1 finished, 0 solved.',
      url: page,
    }),
  )
  expect(bodies).toContainEqual({ text: expect.stringMatching(new RegExp(`^<${page}\\|`)) })
})
