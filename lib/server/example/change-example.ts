import { z } from 'zod'
import type { Actor } from '../../domain/accounts/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { readRequestBody } from '../http/request.ts'
import { EXAMPLE_COOKIE, exampleSchema } from './examples.ts'
import { makeExample, removeExample } from './make-example.ts'

const formSchema = z.object({ example: exampleSchema, do: z.enum(['show', 'leave', 'remove']) })
type ExampleForm = z.infer<typeof formSchema>

const MOST_BYTES = 1000

/** Which example, and what to do with it. */
export async function readExampleForm(request: Request): Promise<ExampleForm> {
  const body = await readRequestBody(request, MOST_BYTES)
  const fields = new URLSearchParams(new TextDecoder().decode(body))
  const parsed = formSchema.safeParse(Object.fromEntries(fields))
  if (parsed.success) return parsed.data
  throw new AppError('invalid-request', 'Send a form with "example" and "do".')
}

/** Long enough to look around; a browser that forgot it is back on its own board. */
const SHOWN_SECONDS = 4 * 3600

/** Leads to the board that the browser sees from then on. */
export async function changeExample(
  { example, do: what }: ExampleForm,
  actor: Actor,
): Promise<Response> {
  if (what === 'show') await makeExample(example, actor)
  if (what === 'remove') await removeExample(example)
  const seconds = what === 'show' ? SHOWN_SECONDS : 0
  const secure = env().publicUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = `${EXAMPLE_COOKIE}=${example}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
  return new Response(null, { status: 303, headers: { Location: '/', 'Set-Cookie': cookie } })
}
