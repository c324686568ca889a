import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import { registrationResponseSchema } from '#lib/domain/api/index.ts'
import { type Digest, digestSchema } from '#lib/domain/digest/index.ts'
import type { Plan } from '#lib/domain/record/index.ts'
import { parseJson, plainText } from '#lib/domain/text/index.ts'
import { isRunnerError, placeError, usageError } from '../runner-error.ts'
import { RUNNER_ENV } from '../sandbox/process/own-env.ts'
import { inScratch } from '../scratch.ts'
import { deliver, type Reply } from '../submit/deliver.ts'
import { jsonPayload } from '../submit/pack-payload.ts'
import { type Auth, chooseToken, readTarget } from '../submit/target.ts'
import { countOption, freshRunId, runIdOption } from './options.ts'
import { tellWait } from './output.ts'

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
  return inScratch('proofboard-register', async (scratch) => {
    // Each attempt sends the current time.
    const makePayload = () =>
      jsonPayload(join(scratch, 'registration.json'), {
        ...(typeof plan === 'string' ? { planDigest: plan } : { plan }),
        runs: named.map((runId) => ({ runId })),
        ...(expected !== null && { expected }),
        again,
        sentAt: new Date().toISOString(),
      })
    const delivery = { url: plans, source, max: tries, onWait: tellWait }
    const reply = await deliver(makePayload, delivery).catch((error: unknown) => {
      if (!isRunnerError(error, 'delivery')) throw error
      throw placeError(`the plan was not registered: ${plainText(error.message)}`)
    })
    const { summary, sequence, receivedAt, hash } = readAnswer(reply)
    if (options.outputFile !== undefined)
      appendFileSync(options.outputFile, `registration=${hash}\n`)
    return { summary: plainText(summary), runIds: named, sequence, receivedAt, hash }
  })
}

const answerSchema = registrationResponseSchema.pick({
  status: true,
  summary: true,
  sequence: true,
  receivedAt: true,
  hash: true,
})
const problemSchema = z.object({ detail: z.string() })

/** Reads the board's response. Throws a RunnerError for a refusal. */
function readAnswer({ status, text }: Reply): z.infer<typeof answerSchema> {
  const input = parseJson(text)
  const reply = answerSchema.safeParse(input)
  if ((status === 200 || status === 201) && reply.success) return reply.data
  const problem = problemSchema.safeParse(input).data?.detail
  const fallback = `the server answered ${status}, not as a Proofboard that registers plans does: check --to`
  throw placeError(plainText(problem ?? fallback))
}
