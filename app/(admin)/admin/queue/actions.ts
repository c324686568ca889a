'use server'

import type { ActionResult } from '#lib/domain/api/index.ts'
import { jobFieldSchema, priorityFieldSchema } from '#lib/domain/runs/index.ts'
import { adminForm } from '#lib/server/http/guard.ts'
import { cancelJob, prioritizeJob, resumeJob } from '#lib/server/queue/change-job.ts'

type Before = ActionResult | null

const PAGE = '/admin/queue'

export async function setPriority(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, priorityFieldSchema, form, ({ jobId, priority }, by) =>
    prioritizeJob(jobId, priority, by),
  )
}

export async function moveToFront(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, jobFieldSchema, form, ({ jobId }, by) => prioritizeJob(jobId, 'front', by))
}

export async function cancelQueued(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, jobFieldSchema, form, ({ jobId }, by) => cancelJob(jobId, by))
}

export async function resumeQueued(_: Before, form: FormData): Promise<ActionResult> {
  return adminForm(PAGE, jobFieldSchema, form, ({ jobId }, by) => resumeJob(jobId, by))
}
