'use server'

import type { ActionResult } from '#lib/domain/api/index.ts'
import { runFieldSchema } from '#lib/domain/runs/index.ts'
import { adminForm, type FormAuthor } from '#lib/server/http/guard.ts'
import { cancelJob, resumeJob } from '#lib/server/queue/change-job.ts'
import { rerun, topUp } from '#lib/server/queue/enqueue-plan.ts'

function change(form: FormData, work: (runId: string, by: FormAuthor) => Promise<string>) {
  const page = ({ runId }: { runId: string }) => `/runs/${runId}`
  return adminForm(page, runFieldSchema, form, ({ runId }, by) => work(runId, by))
}

export async function cancelRun(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(form, cancelJob)
}

export async function resumeRun(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(form, resumeJob)
}

export async function topUpRun(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(form, (runId, by) => topUp({ runId }, { kind: 'aggregate' }, by))
}

export async function rerunExcluded(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(form, rerun)
}
