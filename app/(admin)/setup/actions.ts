'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { emailSchema, newPasswordSchema, personNameSchema } from '#lib/domain/accounts/index.ts'
import type { ActionResult } from '#lib/domain/api/index.ts'
import { makeFirstAdmin, setInvitedPassword } from '#lib/server/accounts/setup-links.ts'
import { signIn } from '#lib/server/accounts/sign-in.ts'
import {
  type ActionRequest,
  openAction,
  readDeviceCookie,
  writeDeviceCookie,
} from '#lib/server/http/guard.ts'

const tokenSchema = z.string().min(1).max(100)
const linkSchema = z.object({ token: tokenSchema, password: newPasswordSchema })
const firstSchema = linkSchema.extend({ email: emailSchema, name: personNameSchema })

/** No user is signed in yet: the one-time link authorises the request, and the use case checks it. */
const byLink = async () => null

export async function setUpFirst(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return openAction({
    schema: firstSchema,
    input: form,
    authorise: byLink,
    run: async (given, _nobody, request) => {
      await makeFirstAdmin({ ...given, requestId: request.id })
      return enter(given, request)
    },
  })
}

export async function setUpPassword(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return openAction({
    schema: linkSchema,
    input: form,
    authorise: byLink,
    run: async ({ token, password }, _nobody, request) => {
      const email = await setInvitedPassword({ token, password, requestId: request.id })
      return enter({ email, password }, request)
    },
  })
}

async function enter(
  { email, password }: { email: string; password: string },
  { id, headers }: ActionRequest,
): Promise<never> {
  const device = await readDeviceCookie()
  await writeDeviceCookie(await signIn({ email, password, headers, device, requestId: id }))
  redirect('/admin')
}
