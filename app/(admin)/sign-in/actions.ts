'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { signIn } from '#lib/auth/sign-in.ts'
import { signOut } from '#lib/auth/sign-out.ts'
import { emailSchema } from '#lib/domain/account.ts'
import type { ActionResult } from '#lib/domain/action-result.ts'
import { LONGEST_PASSWORD } from '#lib/domain/password.ts'
import { safeNext } from '#lib/domain/safe-next.ts'
import { readDeviceCookie, writeDeviceCookie } from '#lib/http/device-cookie.ts'
import { openAction } from '#lib/http/open-action.ts'

const schema = z.object({
  email: emailSchema,
  password: z
    .string('Enter your password.')
    .min(1, 'Enter your password.')
    .max(LONGEST_PASSWORD, `Passwords have at most ${LONGEST_PASSWORD} characters.`),
  next: z.unknown().optional(),
})

export async function signInHere(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return openAction({
    schema,
    input: form,
    authorise: async () => null,
    run: async ({ next, ...given }, _actor, { id, headers: sent }) => {
      const device = await readDeviceCookie()
      await writeDeviceCookie(await signIn({ ...given, headers: sent, device, requestId: id }))
      redirect(safeNext(next))
    },
  })
}

export async function signOutHere(): Promise<void> {
  await openAction({
    schema: z.unknown(),
    input: null,
    authorise: async () => null,
    run: async (_none, _actor, { id, headers }) => {
      await signOut(headers, id)
      redirect('/sign-in')
    },
  })
}
