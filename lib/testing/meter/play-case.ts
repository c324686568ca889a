import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { priceGiven } from '#lib/domain/board/index.ts'
import { priceUsage } from '#lib/domain/prices/index.ts'
import { PROTOCOLS } from '#lib/domain/runs/index.ts'
import { askModel, CALLS } from '#lib/testing/factories/ask-model.ts'
import { sampleGatewayOptions } from '#lib/testing/factories/gateway.ts'
import type { GatewayReport } from '#runner/gateway/gateway-report.ts'
import { startGateway } from '#runner/gateway/start-gateway.ts'
import type { MeterCase, Truth } from './case.ts'

/** The metered figures, named as in the truth. */
type Metered = Required<Pick<Truth, 'input' | 'output' | 'cost' | 'atLeast'>> & {
  cacheRead: number | null
  cacheWrite: number | null
  reasoning: number | null
  source: string
  why: string
}

/** Prices of this day, whenever the table is printed. */
const NOW = '2026-11-01T12:00:00.000Z'

/** Plays one case: a local server as the provider, the real gateway, an agent that sends one request. */
export async function playCase(one: MeterCase): Promise<Metered> {
  const provider = await startProvider(one)
  const { given } = one
  const options = sampleGatewayOptions(provider.url, {
    clock: { now: () => NOW, monotonicMs: () => performance.now() },
    price: (usage) => (given === undefined ? priceUsage(usage) : priceGiven(given, usage)),
  })
  const upstream = { provider: one.provider, baseUrl: provider.url, headers: {} }
  const upstreams = Object.fromEntries(PROTOCOLS.map((protocol) => [protocol, upstream]))
  const gateway = await startGateway({ ...options, upstreams })
  try {
    if (one.ending === 'refuses') await provider.close()
    await ask(one, gateway)
    while (gateway.report().requests.inFlight > 0) await sleep(2)
    return describeReport(gateway.report())
  } finally {
    await gateway.close()
    await provider.close()
  }
}

async function ask(one: MeterCase, gateway: Parameters<typeof askModel>[0]): Promise<void> {
  const streams = 'events' in one.answer
  const { body } = CALLS[one.protocol](streams)
  const leaving = new AbortController()
  try {
    const answer = await askModel(gateway, one.protocol, streams, {
      body: JSON.stringify({ ...body, model: one.model }),
      signal: leaving.signal,
    })
    if (one.ending !== 'leave') return void (await answer.text())
    const last = lastEvent(one)
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let text = ''; !text.includes(last); ) text += (await reader?.read())?.value ?? last
    leaving.abort()
  } catch {
    // The provider or the agent broke off; the meter has to handle it.
  }
}

const lastEvent = ({ answer }: MeterCase) =>
  'events' in answer ? writeEvent(answer.events.at(-1) ?? '').trim() : ''

async function startProvider(one: MeterCase): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, client) => {
    client.on('error', () => {})
    request.resume()
    request.on('end', () => answer(one, client))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function answer(
  { answer: told, status = 200, headers, ending, model }: MeterCase,
  client: ServerResponse,
) {
  if (ending === 'hang-up') return client.destroy()
  if ('body' in told) {
    client.writeHead(status, { 'content-type': 'application/json', ...headers })
    return client.end(JSON.stringify({ model, ...told.body }))
  }
  client.writeHead(status, { 'content-type': 'text/event-stream', ...headers })
  const text = told.events.map(writeEvent).join('')
  // The provider is still sending when the agent disconnects.
  if (ending === 'leave') return client.write(text)
  if (ending === 'cut') return client.write(text, () => setImmediate(() => client.destroy()))
  return client.end(text)
}

function writeEvent(event: object | string): string {
  if (typeof event === 'string') return event
  const name = 'type' in event ? `event: ${event.type}\n` : ''
  return `${name}data: ${JSON.stringify(event)}\n\n`
}

function describeReport(report: GatewayReport): Metered {
  const { tokens, knownTokens, costMicroUsd, knownCostMicroUsd, costSources } = report
  const [source = 'nothing billed'] = Object.keys(costSources)
  const { input, output } = knownTokens
  return {
    ...tokens,
    cost: costMicroUsd,
    source,
    atLeast: { input, output, cost: knownCostMicroUsd },
    why: report.unknownBecause.map(({ reason }) => reason).join('; '),
  }
}
