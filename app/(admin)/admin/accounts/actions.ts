'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import {
  emailSchema,
  MAX_PASSWORD_LENGTH,
  newPasswordSchema,
  personNameSchema,
  roleSchema,
} from '#lib/domain/accounts/index.ts'
import type { ActionResult } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import {
  addAccount,
  changePassword,
  disableAccount,
  enableAccount,
  endOwnSession,
  inviteAgain,
  setRole,
} from '#lib/server/accounts/accounts.ts'
import { guardAction } from '#lib/server/http/guard.ts'

type Before = ActionResult | null

const idSchema = z.object({ id: z.string().min(1).max(100) })
const newSchema = z.object({
  email: emailSchema,
  name: personNameSchema,
  role: roleSchema,
  // Left empty, the new user sets one with a link.
  password: z.literal('').or(newPasswordSchema),
})
const passwordSchema = z.object({
  current: z.string().min(1, 'Enter your current password.').max(MAX_PASSWORD_LENGTH),
  password: newPasswordSchema,
})

/** Revalidates, so that the page shows the current state. */
function doneWith(message: string): ActionResult {
  revalidatePath('/admin/accounts')
  return { ok: true, message }
}

function doneWithSecret(message: string, link: string): ActionResult {
  const once = {
    label: 'One-time link, valid for 24 hours. Send it to them yourself.',
    text: link,
  }
  return { ...doneWith(message), ok: true, message, once }
}

export async function addAccountHere(_: Before, form: FormData): Promise<ActionResult> {
  const run = async ({ password, ...user }: z.infer<typeof newSchema>, by: By) => {
    const { link } = await addAccount({ ...user, password: password || null }, by)
    const message = `Added ${user.email} as ${user.role}.`
    return link === null ? doneWith(message) : doneWithSecret(message, link)
  }
  return guardAction({
    role: 'admin',
    schema: newSchema,
    input: form,
    run: (given, actor, { id }) => run(given, { actor, now: new Date(), requestId: id }),
  })
}

type By = Parameters<typeof setRole>[2]

export async function setRoleHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: idSchema.extend({ role: roleSchema }),
    input: form,
    run: async ({ id, role }, actor, request) => {
      const { email } = await setRole({ id }, role, byOf(actor, request))
      const revoked = role === 'admin' ? '' : ' Their tokens were revoked.'
      return doneWith(`${email} is now ${role}.${revoked}`)
    },
  })
}

export async function disableHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: idSchema,
    input: form,
    run: async (whose, actor, request) => {
      const { email } = await disableAccount(whose, byOf(actor, request))
      return doneWith(`Disabled ${email}. Their sessions and tokens were revoked.`)
    },
  })
}

export async function enableHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: idSchema,
    input: form,
    run: async (whose, actor, request) => {
      const { email } = await enableAccount(whose, byOf(actor, request))
      return doneWith(`${email} can sign in again.`)
    },
  })
}

export async function inviteHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: idSchema,
    input: form,
    run: async (whose, actor, request) => {
      const link = await inviteAgain(whose, byOf(actor, request))
      return doneWithSecret('Their current password works until the link is used.', link)
    },
  })
}

export async function changePasswordHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'viewer',
    schema: passwordSchema,
    input: form,
    run: async (given, actor, { id, headers }) => {
      const ended = await changePassword(given, { actor, headers, requestId: id })
      return doneWith(
        `Password changed. ${countOf(ended, 'other session was', 'other sessions were')} signed out.`,
      )
    },
  })
}

export async function endSessionHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'viewer',
    schema: idSchema,
    input: form,
    run: async (session, actor, { id, headers }) => {
      await endOwnSession(session.id, { actor, headers, requestId: id })
      return doneWith('Session ended.')
    },
  })
}

function byOf(actor: By['actor'], { id }: { id: string | null }): By {
  return { actor, now: new Date(), requestId: id }
}
