import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../engine/clock.ts'
import type { GatewayOptions } from '../gateway/gateway-options.ts'
import { startModelServer } from '../gateway/model-server.ts'
import { startGateway } from '../gateway/start-gateway.ts'
import { secretFinder } from '../redact/find-secrets.ts'
import { Transcriber } from '../transcript/transcriber.ts'
import { TranscriptFile } from '../transcript/transcript-file.ts'

const ROUNDS = 300
const WARM_UP = 50
/** Size of the first request of a real coding agent. */
const PROMPT_BYTES = 88_000
const EVENT_GAP_MS = 15

type Sample = { firstByteMs: number; gapsMs: number[] }

/**
 * Measures the gateway's overhead over loopback: time to the first byte with and without it, and whether events arrive
 * one by one. Prints figures for orientation; asserts nothing.
 */
export async function benchGateway(): Promise<void> {
  const quick = await startModelServer({ turns: [{ say: 'hello' }] }, { key: null, port: 0 })
  const slow = await startModelServer(
    { turns: [{ say: 'word '.repeat(60), eventDelayMs: EVENT_GAP_MS }] },
    { key: null, port: 0 },
  )
  const toQuick = await startGateway(orderFor(quick.url, 0))
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-bench-'))
  const transcriber = new Transcriber(openFile(folder), null, systemClock.monotonicMs)
  const withTranscript = await startGateway({ ...orderFor(quick.url, 0), transcriber })
  const toSlow = await startGateway(orderFor(slow.url, null))
  try {
    const direct = await firstBytes(`${quick.url}/v1/messages`)
    const [through, plainCpuMs] = await withCpu(() =>
      firstBytes(`${toQuick.url('anthropic')}/v1/messages`),
    )
    const [written, writtenCpuMs] = await withCpu(async () => {
      const samples = await firstBytes(`${withTranscript.url('anthropic')}/v1/messages`)
      await transcriber.end()
      return samples
    })
    const paced = await ask(`${toSlow.url('anthropic')}/v1/messages`)
    process.stdout.write(
      [
        `gateway: first byte over loopback, ${ROUNDS} streamed turns with ${PROMPT_BYTES / 1000} kB prompts, temperature pinned`,
        `                     p50        p95`,
        `provider directly    ${ms(at(direct, 0.5))}    ${ms(at(direct, 0.95))}`,
        `through the gateway  ${ms(at(through, 0.5))}    ${ms(at(through, 0.95))}`,
        `with its transcript  ${ms(at(written, 0.5))}    ${ms(at(written, 0.95))}   CPU of a turn, client and provider included: ${ms(plainCpuMs)} without, ${ms(writtenCpuMs)} with`,
        `added                ${ms(at(through, 0.5) - at(direct, 0.5))}    ${ms(at(through, 0.95) - at(direct, 0.95))}   (goal: p50 under 3 ms)`,
        `not buffered: ${paced.gapsMs.length + 1} pieces of an answer written every ${EVENT_GAP_MS} ms arrived ${ms(at(paced.gapsMs, 0.5))} apart (p50), the first after ${ms(paced.firstByteMs)}`,
        '',
      ].join('\n'),
    )
  } finally {
    for (const one of [toQuick, withTranscript, toSlow, quick, slow]) await one.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function openFile(folder: string): TranscriptFile {
  return new TranscriptFile(join(folder, 'transcript.jsonl'), secretFinder([]), {
    agent: { name: 'bench', version: null },
    provider: 'scripted',
    model: 'bench',
    startedAt: systemClock.now(),
  })
}

/** Returns the result of the work, and its CPU time per turn. */
async function withCpu<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = process.cpuUsage()
  const value = await work()
  const { user, system } = process.cpuUsage(before)
  return [value, (user + system) / 1000 / (ROUNDS + WARM_UP)]
}

function orderFor(baseUrl: string, temperature: number | null): GatewayOptions {
  const upstream = { provider: 'scripted', baseUrl, headers: { 'x-api-key': 'bench-key' } }
  return {
    listen: { kind: 'loopback' },
    upstreams: { anthropic: upstream },
    pins: { temperature },
    budgets: { maxSteps: null, maxTokens: null, maxCostMicroUsd: null },
    deadline: null,
    price: () => ({ costMicroUsd: null, priceTable: null }),
    faults: [],
    recorder: null,
    replayer: null,
    clock: systemClock,
    signal: new AbortController().signal,
  }
}

async function firstBytes(url: string): Promise<number[]> {
  const samples: number[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const { firstByteMs } = await ask(url)
    if (round >= 0) samples.push(firstByteMs)
  }
  return samples
}

const BODY = JSON.stringify({
  model: 'bench',
  max_tokens: 1000,
  stream: true,
  system: 'x'.repeat(PROMPT_BYTES),
  messages: [{ role: 'user', content: 'hello' }],
})

function ask(url: string): Promise<Sample> {
  const start = performance.now()
  const headers = { 'x-api-key': 'none', 'anthropic-version': '2023-06-01' }
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      const arrivals: number[] = []
      response.on('data', () => arrivals.push(performance.now()))
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          firstByteMs: (arrivals[0] ?? Number.NaN) - start,
          gapsMs: arrivals.slice(1).map((time, index) => time - (arrivals[index] as number)),
        }),
      )
    })
    request.once('error', reject)
    request.end(BODY)
  })
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const ms = (value: number) => `${value.toFixed(2)} ms`
