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
import { adminForm, guardAction } from '#lib/server/http/guard.ts'

type Before = ActionResult | null

const PAGE = '/admin/accounts'

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

function withLink(message: string, link: string): ActionResult {
  const label = 'One-time link, valid for 24 hours. Send it to them yourself.'
  return { ok: true, message, once: { label, text: link } }
}

export async function addAccountAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, newSchema, form, async ({ password, ...user }, by) => {
    const { link } = await addAccount({ ...user, password: password || null }, by)
    const message = `Added ${user.email} as ${user.role}.`
    return link === null ? message : withLink(message, link)
  })
}

export async function setRoleAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, idSchema.extend({ role: roleSchema }), form, async ({ id, role }, by) => {
    const { email } = await setRole({ id }, role, by)
    const revoked = role === 'admin' ? '' : ' Their tokens were revoked.'
    return `${email} is now ${role}.${revoked}`
  })
}

export async function disableAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, idSchema, form, async (whose, by) => {
    const { email } = await disableAccount(whose, by)
    return `Disabled ${email}. Their sessions and tokens were revoked.`
  })
}

export async function enableAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, idSchema, form, async (whose, by) => {
    const { email } = await enableAccount(whose, by)
    return `${email} can sign in again.`
  })
}

export async function inviteAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, idSchema, form, async (whose, by) => {
    const link = await inviteAgain(whose, by)
    return withLink('Their current password works until the link is used.', link)
  })
}

/** Revalidates, so that the page shows the current state. */
function doneWith(message: string): ActionResult {
  revalidatePath(PAGE)
  return { ok: true, message }
}

export async function changePasswordAction(_: Before, form: FormData): Promise<ActionResult> {
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

export async function endSessionAction(_: Before, form: FormData): Promise<ActionResult> {
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
