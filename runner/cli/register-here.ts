import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { digestSchema } from '#lib/domain/digest.ts'
import { plainText } from '#lib/domain/plain-text.ts'
import type { FrozenPlan } from '#lib/domain/plan.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { type Auth, chooseToken } from '../submit/choose-token.ts'
import { readTarget } from '../submit/read-target.ts'
import { registerPlan } from '../submit/register-plan.ts'
import { SubmitError } from '../submit/submit-error.ts'
import { PlaceError, UsageError } from './cli-error.ts'
import { freshRunId, runIdOption, wholeNumber } from './options.ts'
import { complain } from './output.ts'

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
}

const MOST_RUNS = 1000

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
      wholeNumber('--expected', MOST_RUNS),
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
      wholeNumber('--tries', 20),
      5,
    )
    .option('--insecure', 'allow sending a token over plain http to another machine')
}

function runIds(text: string, earlier: string[] = []): string[] {
  return [...earlier, runIdOption(text)]
}

/** What was registered, for the answer of the command. */
export type RegisteredHere = {
  summary: string
  runIds: string[]
  sequence: number
  receivedAt: string
  hash: string
}

/** Registers a plan, or a digest alone, at the board of `--to`. Throws a UsageError or PlaceError in one sentence. */
export async function registerHere(
  plan: FrozenPlan | string,
  options: RegisterOptions,
): Promise<RegisteredHere> {
  const { to, auth, tries, expected = null, again = false } = options
  if (to === undefined) throw new UsageError('no target specified: use --to URL')
  if (typeof plan === 'string' && !digestSchema.safeParse(plan).success)
    throw new UsageError('--digest must be sha256: and 64 hexadecimal digits')
  const { plans, audience } = readTarget(to, options)
  const source = chooseToken(auth, options.audience ?? audience, OWN_ENV)
  const named = options.runId ?? (expected === null ? [freshRunId()] : [])
  const scratch = mkdtempSync(join(tmpdir(), 'proofboard-register-'))
  try {
    const onWait = (why: string, waitMs: number) =>
      complain(`${plainText(why)}: trying again in ${Math.ceil(waitMs / 1000)} s`)
    const outcome = await registerPlan(
      { plan, runIds: named, expected, again },
      { url: plans, source, most: tries, scratch, onWait },
    )
    if (!outcome.ok) throw new PlaceError(plainText(outcome.problem))
    const { summary, sequence, receivedAt, hash } = outcome.answer
    return { summary: plainText(summary), runIds: named, sequence, receivedAt, hash }
  } catch (error) {
    if (!(error instanceof SubmitError)) throw error
    throw new PlaceError(`the plan was not registered: ${plainText(error.message)}`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
