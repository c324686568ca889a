'use server'

import { revalidatePath } from 'next/cache'
import type { ActionResult } from '#lib/domain/api/index.ts'
import { runFieldSchema } from '#lib/domain/runs/index.ts'
import type { UserActor } from '#lib/server/accounts/auth.ts'
import { guardAction } from '#lib/server/http/guard.ts'
import type { JobChange } from '#lib/server/queue/change-job.ts'
import { cancelJob, resumeJob } from '#lib/server/queue/change-job.ts'
import { rerun, topUp } from '#lib/server/queue/enqueue-plan.ts'

type Work = (runId: string, asking: JobChange) => Promise<string>

function change(form: FormData, work: Work): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema: runFieldSchema,
    input: form,
    run: async ({ runId }, actor: UserActor, { id }) => {
      const message = await work(runId, { actor, now: new Date(), requestId: id })
      revalidatePath(`/runs/${runId}`)
      return { ok: true, message }
    },
  })
}

export async function cancelRun(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(form, cancelJob)
}

export async function resumeRun(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(form, resumeJob)
}

export async function topUpRun(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(form, (runId, asking) => topUp({ runId }, { kind: 'aggregate' }, asking))
}

export async function rerunSpoilt(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(form, rerun)
}
