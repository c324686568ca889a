import { z } from 'zod'

/** Tasks of one family are variants of each other, or come from one repository: they are not independent samples. */
export const familySchema = z.string().min(1).max(120)

/**
 * Returns the family of a task: its own `family`, else its source repository, from the git URL or a SWE-bench id
 * (`django__django-11099`). Undefined = none.
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
