'use server'

import { revalidatePath } from 'next/cache'
import type { z } from 'zod'
import type { ActionResult } from '#lib/domain/api/index.ts'
import { jobFieldSchema, priorityFieldSchema } from '#lib/domain/runs/index.ts'
import { guardAction } from '#lib/server/http/guard.ts'
import type { JobChange } from '#lib/server/queue/change-job.ts'
import { cancelJob, prioritizeJob, resumeJob } from '#lib/server/queue/change-job.ts'

function change<S extends z.ZodType>(
  schema: S,
  form: FormData,
  work: (fields: z.infer<S>, asking: JobChange) => Promise<string>,
): Promise<ActionResult> {
  return guardAction({
    role: 'admin',
    schema,
    input: form,
    run: async (fields, actor, { id }) => {
      const message = await work(fields, { actor, now: new Date(), requestId: id })
      revalidatePath('/admin/queue')
      return { ok: true, message }
    },
  })
}

export async function setPriority(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(priorityFieldSchema, form, ({ jobId, priority }, asking) =>
    prioritizeJob(jobId, priority, asking),
  )
}

export async function moveToFront(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(jobFieldSchema, form, ({ jobId }, asking) => prioritizeJob(jobId, 'front', asking))
}

export async function cancelQueued(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(jobFieldSchema, form, ({ jobId }, asking) => cancelJob(jobId, asking))
}

export async function resumeQueued(_: ActionResult | null, form: FormData): Promise<ActionResult> {
  return change(jobFieldSchema, form, ({ jobId }, asking) => resumeJob(jobId, asking))
}
