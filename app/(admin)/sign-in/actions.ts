'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { emailSchema, MAX_PASSWORD_LENGTH, safeNext } from '#lib/domain/accounts/index.ts'
import type { ActionResult } from '#lib/domain/api/index.ts'
import { signIn, signOut } from '#lib/server/accounts/sign-in.ts'
import { openAction, readDeviceCookie, writeDeviceCookie } from '#lib/server/http/guard.ts'

const schema = z.object({
  email: emailSchema,
  password: z
    .string('Enter your password.')
    .min(1, 'Enter your password.')
    .max(MAX_PASSWORD_LENGTH, `Passwords have at most ${MAX_PASSWORD_LENGTH} characters.`),
  next: z.unknown().optional(),
})

export async function signInAction(_: ActionResult | null, form: FormData): Promise<ActionResult> {
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

export async function signOutAction(): Promise<void> {
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
