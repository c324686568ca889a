import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { registrationAnswerSchema } from '#lib/domain/api/registration-answer.ts'
import { digestBytes } from '#lib/domain/digest.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import type { TokenSource } from './choose-token.ts'
import { deliver } from './deliver.ts'
import { planRetry } from './plan-retry.ts'
import type { Reply } from './send-once.ts'
import { SubmitError } from './submit-error.ts'

type Registration = {
  /** The plan, or its digest alone. */
  plan: FrozenPlan | string
  runIds: readonly string[]
  /** Runs that are owed in all; null = those that are named. */
  expected: number | null
  again: boolean
}

type Target = {
  url: URL
  source: TokenSource
  /** Tries in all. */
  most: number
  /** A folder of our own for the bytes that are sent. */
  scratch: string
  onWait: (why: string, waitMs: number) => void
}

const answerSchema = registrationAnswerSchema.pick({
  status: true,
  summary: true,
  sequence: true,
  receivedAt: true,
  hash: true,
})
const problemSchema = z.object({ detail: z.string() })

export type RegistrationOutcome =
  | { ok: true; answer: z.infer<typeof answerSchema> }
  | { ok: false; status: number; problem: string }

/** Registers a plan at a board; each try says the time anew. Throws a SubmitError when no answer came. */
export async function registerPlan(
  registration: Registration,
  target: Target,
): Promise<RegistrationOutcome> {
  for (let made = 1; ; made++) {
    const { reply, why } = await attempt(registration, target)
    const failure = {
      status: reply?.status ?? null,
      retryAfter: reply?.headers['retry-after'] ?? null,
    }
    const wait = { made, most: target.most, chance: Math.random(), now: Date.now() }
    const waitMs = planRetry(failure, wait)
    if (waitMs !== null) {
      target.onWait(why, waitMs)
      await sleep(waitMs)
    } else if (reply) return readAnswer(reply)
    else throw new SubmitError(`${why}, after ${made} ${made === 1 ? 'try' : 'tries'}`)
  }
}

async function attempt(
  { plan, runIds, expected, again }: Registration,
  { url, source, scratch, onWait }: Target,
): Promise<{ reply: Reply | null; why: string }> {
  const body = JSON.stringify({
    ...(typeof plan === 'string' ? { planDigest: plan } : { plan }),
    runs: runIds.map((runId) => ({ runId })),
    ...(expected !== null && { expected }),
    again,
    sentAt: new Date().toISOString(),
  })
  const file = join(scratch, 'registration.json')
  writeFileSync(file, body, { mode: 0o600 })
  const digest = digestBytes(body)
  const bytes = Buffer.byteLength(body)
  const payload = { file, bytes, digest, contentType: 'application/json', contentEncoding: null }
  try {
    const reply = await deliver(payload, { url, source, most: 1, onWait })
    return { reply, why: `the server answered ${reply.status}` }
  } catch (error) {
    if (error instanceof SubmitError) return { reply: null, why: error.message }
    throw error
  }
}

function readAnswer({ status, text }: Reply): RegistrationOutcome {
  const input = parse(text)
  const answer = answerSchema.safeParse(input)
  if ((status === 200 || status === 201) && answer.success) return { ok: true, answer: answer.data }
  const problem = problemSchema.safeParse(input).data?.detail
  const fallback = `the server answered ${status}, not as a Proofboard that registers plans does: check --to`
  return { ok: false, status, problem: problem ?? fallback }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
