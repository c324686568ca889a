import { z } from 'zod'

/** Tasks of one family are variants of each other, or come from one repository: they are not independent samples. */
export const familySchema = z.string().min(1).max(120)

/**
 * The family of a task: its own `family`, else the repository that it was taken from, by its git URL or by an id as SWE-bench
 * has them (`django__django-11099`). Undefined = none.
 */
export function familyOf(task: {
  taskId: string
  family?: string | undefined
  source?: unknown
}): string | undefined {
  if (task.family !== undefined) return task.family
  const { source } = task
  if (typeof source === 'object' && source !== null && 'git' in source)
    return String(source.git).replace(/(\.git)?\/*$/, '')
  return /^(.+__.+?)-\d+$/.exec(task.taskId)?.[1]
}
