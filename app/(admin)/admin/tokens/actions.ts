'use server'

import { z } from 'zod'
import { personNameSchema, SCOPES } from '#lib/domain/accounts/index.ts'
import type { ActionResult } from '#lib/domain/api/index.ts'
import { env } from '#lib/env.ts'
import { allowWorkflow, removeRule } from '#lib/server/accounts/oidc-rules.ts'
import { addToken, revokeToken } from '#lib/server/accounts/tokens.ts'
import { adminForm } from '#lib/server/http/guard.ts'

type Before = ActionResult | null

const PAGE = '/admin/tokens'
const idSchema = z.object({ id: z.string().min(1).max(100) })

const scope = z.enum(SCOPES, 'Unknown permission.')
const newSchema = z.object({
  name: personNameSchema,
  scopes: z
    .union([scope.transform((one) => [one]), z.array(scope)], 'Choose at least one permission.')
    .transform((scopes) => [...new Set(scopes)]),
  days: z.enum(['7', '30', '90', '365', 'never'], 'Choose when the token expires.'),
})

export async function addTokenAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, newSchema, form, async ({ days, ...given }, by) => {
    const text = await addToken({ ...given, days: days === 'never' ? null : Number(days) }, by)
    const once = { label: 'Copy the token now. It is not shown again.', text }
    return { ok: true, message: `Created token ${given.name}.`, once }
  })
}

export async function revokeTokenAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, idSchema, form, async ({ id }, by) => {
    const { name } = await revokeToken(id, by)
    return `Revoked token ${name}.`
  })
}

const ruleSchema = z.object({
  repositoryId: z.string().regex(/^\d{1,20}$/, 'The number that GitHub gives it.'),
  repositoryOwnerId: z.string().regex(/^\d{1,20}$/, 'The number that GitHub gives it.'),
  ref: z.string().min(1, 'Enter a ref, for example refs/heads/main.').max(300),
  workflow: z.string().max(300).optional(),
})

export async function allowWorkflowAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, ruleSchema, form, async ({ workflow, ...given }, by) => {
    const open = { environment: null, events: null, plainAudience: false }
    const rule = { issuer: env().oidcIssuers[0], ...given, workflow: workflow || null, ...open }
    await allowWorkflow(rule, by)
    return 'Workflow allowed. It can now upload results.'
  })
}

export async function removeRuleAction(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, idSchema, form, async ({ id }, by) => {
    await removeRule(id, by)
    return 'Rule removed. Results that it uploaded stay.'
  })
}
