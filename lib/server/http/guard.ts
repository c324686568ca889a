import { revalidatePath } from 'next/cache'
import { cookies, headers } from 'next/headers'
import { redirect, unstable_rethrow } from 'next/navigation'
import type { z } from 'zod'
import { databaseError } from '../../db/database-error.ts'
import { hasRole, type Role, safeNext } from '../../domain/accounts/index.ts'
import { type ActionRefusal, type ActionResult, refusal } from '../../domain/api/index.ts'
import { formatIssues } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { createLog, withLogContext } from '../../log.ts'
import { findActor, requireRole, type UserActor } from '../accounts/auth.ts'
import { noteAction } from './pending-forms.ts'
import { requireSameOrigin } from './request.ts'

type GuardedOptions<S extends z.ZodType, R extends ActionResult> = {
  role: Role
  schema: S
  /** A form, or a value a client component sent. */
  input: unknown
  run: (input: z.infer<S>, actor: UserActor, request: ActionRequest) => Promise<R>
}

/**
 * Wraps a server action of a signed-in user: same origin, authorised, parsed, one use-case; an error becomes a
 * sentence.
 */
export function guardAction<S extends z.ZodType, R extends ActionResult>({
  role,
  ...order
}: GuardedOptions<S, R>) {
  return openAction({ ...order, authorise: (headers) => requireRole(headers, role) })
}

/** Author and time of a change by a form. */
export type FormAuthor = { actor: UserActor; now: Date; requestId: string | null }

/** Guards a form of administrators and reloads its page. `run` returns the message, or a whole result. */
export function adminForm<S extends z.ZodType>(
  page: string | ((fields: z.infer<S>) => string),
  schema: S,
  input: FormData,
  run: (fields: z.infer<S>, by: FormAuthor) => Promise<string | ActionResult>,
): Promise<ActionResult> {
  return guardAction<S, ActionResult>({
    role: 'admin',
    schema,
    input,
    run: async (fields, actor, { id }) => {
      const done = await run(fields, { actor, now: new Date(), requestId: id })
      revalidatePath(typeof page === 'string' ? page : page(fields))
      return typeof done === 'string' ? { ok: true, message: done } : done
    },
  })
}

/** A request's headers, and its id in the logs. */
export type ActionRequest = { id: string | null; headers: Headers }

type OpenOptions<S extends z.ZodType, A, R extends ActionResult> = {
  schema: S
  /** A form, or a value a client component sent. */
  input: unknown
  /** Returns the signed-in user. Throws when they lack permission. Checked before a field is read. */
  authorise: (headers: Headers) => Promise<A>
  run: (input: z.infer<S>, actor: A, request: ActionRequest) => Promise<R>
}

const log = createLog('actions')

/**
 * Runs a complete server action: authorised, parsed, one use-case; every error becomes a sentence. Only actions without
 * a session call it directly: everything else uses `guardAction`.
 */
export async function openAction<S extends z.ZodType, A, R extends ActionResult>(
  order: OpenOptions<S, A, R>,
): Promise<R | ActionRefusal> {
  try {
    const sent = await headers()
    noteAction(sent)
    requireSameOrigin(sent)
    const actor = await order.authorise(sent)
    const parsed = order.schema.safeParse(plain(order.input))
    if (!parsed.success) return { ok: false, problems: formatIssues(parsed.error.issues) }
    const id = sent.get('x-request-id')
    return await withLogContext(id === null ? {} : { requestId: id }, () =>
      order.run(parsed.data, actor, { id, headers: sent }),
    )
  } catch (error) {
    unstable_rethrow(error) // a redirect, not an error
    return refuse(databaseError(error))
  }
}

/** Returns a form's fields as text; a repeated one as its values in order. */
function plain(input: unknown): unknown {
  if (!(input instanceof FormData)) return input
  const names = [...new Set(input.keys())].filter((name) => !name.startsWith('$ACTION'))
  const pairs = names.map((name) => {
    const values = input.getAll(name)
    return [name, values.length === 1 ? values[0] : values] as const
  })
  return Object.fromEntries(pairs)
}

function refuse(error: unknown): ActionRefusal {
  if (error instanceof AppError)
    return refusal(error.message, error.code === 'unauthorised' ? '(session)' : undefined)
  log.error('an action failed, please report this bug', { error })
  return refusal('Internal server error. Nothing was changed. See the server log for details.')
}

/**
 * Returns the viewer of a page: redirects anonymous users to sign in first, users without permission to the overview.
 */
export async function guardPage(role: Role = 'viewer'): Promise<UserActor> {
  const sent = await headers()
  const actor = await findActor(sent)
  // The path comes from the proxy, which overwrites this header of the browser.
  const here = safeNext(sent.get('x-page-path'))
  if (!actor) redirect(`/sign-in?next=${encodeURIComponent(here)}`)
  if (!hasRole(actor.role, role)) redirect('/admin')
  return actor
}

const NAME = 'proofboard.device'
const YEAR_S = 365 * 86_400

/** Returns the cookie of an earlier sign-in with this browser. */
export async function readDeviceCookie(): Promise<string | null> {
  return (await cookies()).get(NAME)?.value ?? null
}

export async function writeDeviceCookie(mark: string): Promise<void> {
  const secure = env().publicUrl.startsWith('https:')
  const store = await cookies()
  store.set(NAME, mark, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: YEAR_S })
}
