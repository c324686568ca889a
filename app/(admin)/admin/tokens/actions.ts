'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { personNameSchema, SCOPES } from '#lib/domain/accounts/index.ts'
import type { ActionResult } from '#lib/domain/api/index.ts'
import { env } from '#lib/env.ts'
import { allowWorkflow, removeRule } from '#lib/server/accounts/oidc-rules.ts'
import { addToken, revokeToken } from '#lib/server/accounts/tokens.ts'
import { guardAction } from '#lib/server/http/guard.ts'

type Before = ActionResult | null

const scope = z.enum(SCOPES, 'Unknown permission.')
const newSchema = z.object({
  name: personNameSchema,
  scopes: z
    .union([scope.transform((one) => [one]), z.array(scope)], 'Choose at least one permission.')
    .transform((scopes) => [...new Set(scopes)]),
  days: z.enum(['7', '30', '90', '365', 'never'], 'Choose when the token expires.'),
})

export async function addTokenHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: newSchema,
    input: form,
    run: async ({ days, ...given }, actor, { id }) => {
      const by = { actor, now: new Date(), requestId: id }
      const text = await addToken({ ...given, days: days === 'never' ? null : Number(days) }, by)
      revalidatePath('/admin/tokens')
      const once = { label: 'Copy the token now. It is not shown again.', text }
      return { ok: true, message: `Created token ${given.name}.`, once }
    },
  })
}

export async function revokeTokenHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: z.object({ id: z.string().min(1).max(100) }),
    input: form,
    run: async (token, actor, { id }) => {
      const { name } = await revokeToken(token.id, { actor, now: new Date(), requestId: id })
      revalidatePath('/admin/tokens')
      return { ok: true, message: `Revoked token ${name}.` }
    },
  })
}

const ruleSchema = z.object({
  repositoryId: z.string().regex(/^\d{1,20}$/, 'The number that GitHub gives it.'),
  repositoryOwnerId: z.string().regex(/^\d{1,20}$/, 'The number that GitHub gives it.'),
  ref: z.string().min(1, 'Enter a ref, for example refs/heads/main.').max(300),
  workflow: z.string().max(300).optional(),
})

export async function allowWorkflowHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: ruleSchema,
    input: form,
    run: async ({ workflow, ...given }, actor, { id }) => {
      const open = { environment: null, events: null, plainAudience: false }
      const rule = { issuer: env().oidcIssuers[0], ...given, workflow: workflow || null, ...open }
      await allowWorkflow(rule, { actor, now: new Date(), requestId: id })
      revalidatePath('/admin/tokens')
      return { ok: true, message: 'Workflow allowed. It can now upload results.' }
    },
  })
}

export async function removeRuleHere(_: Before, form: FormData): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: z.object({ id: z.string().min(1).max(100) }),
    input: form,
    run: async (rule, actor, { id }) => {
      await removeRule(rule.id, { actor, now: new Date(), requestId: id })
      revalidatePath('/admin/tokens')
      return { ok: true, message: 'Rule removed. Results that it uploaded stay.' }
    },
  })
}
