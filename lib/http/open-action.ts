import { headers } from 'next/headers'
import { unstable_rethrow } from 'next/navigation'
import type { z } from 'zod'
import { databaseError } from '#lib/db/database-error.ts'
import { type ActionRefusal, type ActionResult, refusal } from '#lib/domain/action-result.ts'
import { formatIssues } from '#lib/domain/problem.ts'
import { AppError } from '#lib/errors.ts'
import { createLog } from '#lib/log.ts'
import { withLogContext } from '#lib/log-context.ts'
import { requireSameOrigin } from './require-same-origin.ts'

/** A request's headers, and the id it goes by in the logs. */
export type ActionRequest = { id: string | null; headers: Headers }

type Order<S extends z.ZodType, A, R extends ActionResult> = {
  schema: S
  /** A form, or a value a client component sent. */
  input: unknown
  /** Who asks; throws when nobody may. Asked before a field is read. */
  authorise: (headers: Headers) => Promise<A>
  run: (input: z.infer<S>, actor: A, request: ActionRequest) => Promise<R>
}

const log = createLog('actions')

/**
 * A server action whole: ours alone, authorised, parsed, one use-case; whatever is thrown becomes a sentence. Only what
 * somebody does before they are signed in asks for it directly: everything else takes `guardAction`.
 */
export async function openAction<S extends z.ZodType, A, R extends ActionResult>(
  order: Order<S, A, R>,
): Promise<R | ActionRefusal> {
  try {
    const sent = await headers()
    requireSameOrigin(sent)
    const actor = await order.authorise(sent)
    const parsed = order.schema.safeParse(plain(order.input))
    if (!parsed.success) return { ok: false, problems: formatIssues(parsed.error.issues) }
    const id = sent.get('x-request-id')
    return await withLogContext(id === null ? {} : { requestId: id }, () =>
      order.run(parsed.data, actor, { id, headers: sent }),
    )
  } catch (error) {
    unstable_rethrow(error) // a redirect is no error
    return refuse(databaseError(error))
  }
}

/** A form's fields as text; of a repeated one the values in order. */
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
  if (error instanceof AppError) return refusal(error.message)
  log.error('an action failed, please report this bug', { error })
  return refusal('Internal server error. Nothing was changed. See the server log for details.')
}
