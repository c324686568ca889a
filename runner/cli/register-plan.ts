import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import { registrationResponseSchema } from '#lib/domain/api/index.ts'
import { type Digest, digestBytes, digestSchema } from '#lib/domain/digest/index.ts'
import type { Plan } from '#lib/domain/record/index.ts'
import { countOf, parseJson, plainText } from '#lib/domain/text/index.ts'
import { deliveryError, isRunnerError, placeError, usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { makeScratch } from '../scratch.ts'
import type { Reply } from '../submit/deliver.ts'
import { deliver, planRetry } from '../submit/deliver.ts'
import { type Auth, chooseToken, readTarget, type TokenSource } from '../submit/target.ts'
import { countOption, freshRunId, runIdOption } from './options.ts'
import { writeError } from './output.ts'

export type RegisterOptions = {
  register?: boolean
  plan?: string
  digest?: string
  to?: string
  runId?: string[]
  expected?: number
  again?: boolean
  auth: Auth
  audience?: string
  tries: number
  insecure?: boolean
  outputFile?: string
}

const MAX_RUNS = 1000

/** The options of `proofboard plan --register`. */
export function addRegisterOptions(command: Command): Command {
  return command
    .option('--register', 'register the plan at a server before its first episode; requires --to')
    .option('--plan <plan.json>', 'with --register: a frozen plan')
    .option('--digest <sha256:…>', 'with --register: only the digest of a plan')
    .option('--to <url>', 'with --register: the server, for example https://board.example')
    .option('--run-id <id>', 'with --register: an expected run; can be repeated', runIds)
    .option(
      '--expected <n>',
      'with --register: number of expected runs (default: those listed, else one)',
      countOption('--expected', MAX_RUNS),
    )
    .option('--again', 'with --register: add these runs to a registered plan')
    .addOption(
      new Option(
        '--auth <kind>',
        'with --register: authentication by workflow identity or upload token',
      )
        .choices(['auto', 'oidc', 'token'])
        .default('auto'),
    )
    .option('--audience <text>', 'audience of the identity token, if the server uses another name')
    .option(
      '--tries <n>',
      'with --register: maximum number of attempts',
      countOption('--tries', 20),
      5,
    )
    .option(
      '--output-file <file>',
      'with --register: append registration=HASH to this file, for $GITHUB_OUTPUT',
    )
    .option('--insecure', 'allow sending a token over plain http to another machine')
}

function runIds(text: string, earlier: string[] = []): string[] {
  return [...earlier, runIdOption(text)]
}

/** The registration, for the command's result. */
export type RegisteredHere = {
  summary: string
  runIds: string[]
  sequence: number
  receivedAt: string
  hash: Digest
}

/** Rejects an invalid address, and a missing token, before anything is done. Throws a RunnerError. */
export function requireTarget(to: string): void {
  chooseToken('auto', readTarget(to, {}).audience, RUNNER_ENV)
}

/** Registers a plan, or a digest alone, at the board of `--to`. Throws a one-sentence RunnerError. */
export async function registerHere(
  plan: Plan | string,
  options: RegisterOptions,
): Promise<RegisteredHere> {
  const { to, auth, tries, expected = null, again = false } = options
  if (to === undefined) throw usageError('no target specified: use --to URL')
  if (typeof plan === 'string' && !digestSchema.safeParse(plan).success)
    throw usageError('--digest must be sha256: and 64 hexadecimal digits')
  const { plans, audience } = readTarget(to, options)
  const source = chooseToken(auth, options.audience ?? audience, RUNNER_ENV)
  const named = options.runId ?? (expected === null ? [freshRunId()] : [])
  const scratch = await makeScratch('proofboard-register')
  try {
    const onWait = (why: string, waitMs: number) =>
      writeError(`${plainText(why)}: trying again in ${Math.ceil(waitMs / 1000)} s`)
    const outcome = await registerPlan(
      { plan, runIds: named, expected, again },
      { url: plans, source, maxTries: tries, scratch, onWait },
    )
    if (!outcome.ok) throw placeError(plainText(outcome.problem))
    const { summary, sequence, receivedAt, hash } = outcome.answer
    if (options.outputFile !== undefined)
      appendFileSync(options.outputFile, `registration=${hash}\n`)
    return { summary: plainText(summary), runIds: named, sequence, receivedAt, hash }
  } catch (error) {
    if (!isRunnerError(error, 'delivery')) throw error
    throw placeError(`the plan was not registered: ${plainText(error.message)}`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

type Registration = {
  /** The plan, or its digest alone. */
  plan: Plan | string
  runIds: readonly string[]
  /** Total number of expected runs; null = the named ones. */
  expected: number | null
  again: boolean
}

type Target = {
  url: URL
  source: TokenSource
  /** Total number of attempts. */
  maxTries: number
  /** A temporary folder for the sent bytes. */
  scratch: string
  onWait: (why: string, waitMs: number) => void
}

const answerSchema = registrationResponseSchema.pick({
  status: true,
  summary: true,
  sequence: true,
  receivedAt: true,
  hash: true,
})
const problemSchema = z.object({ detail: z.string() })

type RegistrationOutcome =
  | { ok: true; answer: z.infer<typeof answerSchema> }
  | { ok: false; status: number; problem: string }

/** Registers a plan at a board; each attempt sends the current time. Throws a RunnerError without a response. */
async function registerPlan(
  registration: Registration,
  target: Target,
): Promise<RegistrationOutcome> {
  for (let made = 1; ; made++) {
    const { reply, why } = await attempt(registration, target)
    const failure = {
      status: reply?.status ?? null,
      retryAfter: reply?.headers['retry-after'] ?? null,
    }
    const wait = { made, most: target.maxTries, chance: Math.random(), now: Date.now() }
    const waitMs = planRetry(failure, wait)
    if (waitMs !== null) {
      target.onWait(why, waitMs)
      await sleep(waitMs)
    } else if (reply) return readAnswer(reply)
    else throw deliveryError(`${why}, after ${countOf(made, 'try')}`)
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
    if (isRunnerError(error, 'delivery')) return { reply: null, why: error.message }
    throw error
  }
}

function readAnswer({ status, text }: Reply): RegistrationOutcome {
  const input = parseJson(text)
  const answer = answerSchema.safeParse(input)
  if ((status === 200 || status === 201) && answer.success) return { ok: true, answer: answer.data }
  const problem = problemSchema.safeParse(input).data?.detail
  const fallback = `the server answered ${status}, not as a Proofboard that registers plans does: check --to`
  return { ok: false, status, problem: problem ?? fallback }
}
