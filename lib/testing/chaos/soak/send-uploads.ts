import { setTimeout as pause } from 'node:timers/promises'
import { digestBytes } from '../../../domain/digest/index.ts'
import { BUNDLE_KIND, expandPlan } from '../../../domain/record/index.ts'
import {
  type SeededGenerator,
  seededGenerator,
} from '../../../domain/statistics/seeded-generator.ts'
import { sampleEpisode, samplePlan } from '../../factories/samples.ts'

const REPETITIONS = 25
const ANSWER_MS = 30_000
const RETRY_MS = 250
/** One upload in this many is repeated after it was accepted, as if the response was lost. */
const REPEATED = 8

/** An acknowledged run, which must not be lost. */
export type Accepted = { runId: string; envelopes: readonly string[] }

/** Counts of the senders; `tries` counts requests without a response, or with one that asks to try again. */
export type UploadCount = {
  accepted: Accepted[]
  episodes: number
  tries: number
  refused: string[]
}

type Sending = { urls: () => readonly string[]; token: string; signal: AbortSignal; seed: number }

/**
 * Uploads results of instant episodes until `signal`, one body after the other, each until it is accepted. Every try
 * goes to a random server, as with a load balancer.
 */
export async function sendUploads(
  sender: number,
  count: UploadCount,
  { urls, token, signal, seed }: Sending,
): Promise<void> {
  const chance = seededGenerator(seed + sender)
  for (let number = 1; !signal.aborted; number++) {
    const runId = `run_soak${sender}x${String(number).padStart(6, '0')}`
    const { body, envelopes } = makeBody(runId)
    const send = () => post(draw(urls(), chance), body, token)
    // A started upload is completed after `signal` too: only the response decides whether it counts.
    const result = await untilAnswered(send, count)
    if (result.status !== 200 && result.status !== 201) {
      count.refused.push(`${runId}: ${result.status} ${result.text.slice(0, 300)}`)
      continue
    }
    count.accepted.push({ runId, envelopes })
    count.episodes += envelopes.length
    if (chance.nextBelow(REPEATED) > 0) continue
    const again = await untilAnswered(send, count)
    if (again.status !== 200) count.refused.push(`${runId}, sent again: ${again.status}`)
  }
}

function draw(urls: readonly string[], chance: SeededGenerator): string {
  const url = urls[chance.nextBelow(urls.length)]
  if (url === undefined) throw new Error('there is no server to send to')
  return url
}

function makeBody(runId: string): { body: string; envelopes: string[] } {
  const plan = samplePlan({ repetitions: REPETITIONS })
  const episodes = expandPlan(plan).map(({ taskId, repetition }) =>
    sampleEpisode({ runId, taskId, taskDigest: digestBytes(taskId), repetition }, plan),
  )
  const body = JSON.stringify({
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId,
    plan,
    shard: { index: 1, count: 1 },
    lock: sampleEpisode().environment,
    episodes,
  })
  return { body, envelopes: episodes.map(({ seal }) => seal) }
}

type Answer = { status: number; text: string }

async function untilAnswered(send: () => Promise<Answer | null>, count: UploadCount) {
  for (;;) {
    const result = await send()
    if (result && result.status !== 429 && result.status < 500) return result
    count.tries += 1
    await pause(RETRY_MS)
  }
}

async function post(url: string, body: string, token: string): Promise<Answer | null> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(ANSWER_MS)
  try {
    const response = await fetch(`${url}/api/v1/results`, { method: 'POST', body, headers, signal })
    return { status: response.status, text: await response.text() }
  } catch {
    return null // the server, or the network to it, was taken away
  }
}
