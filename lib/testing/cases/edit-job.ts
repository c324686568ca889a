import type { JobFiles } from '../factories/harbor-job.ts'

// Changes of a job folder, for lies about it.

/** The folders of a task's trials. */
export function trialsOf(files: JobFiles, task: string): string[] {
  return Object.keys(files).flatMap((path) =>
    path.startsWith(`${task}__`) && path.endsWith('/result.json')
      ? path.slice(0, -'/result.json'.length)
      : [],
  )
}

/** Changes a JSON file of the folder. */
export function edit<T>(files: JobFiles, path: string, change: (value: T) => void): JobFiles {
  const value: T = JSON.parse(files[path] ?? 'null')
  change(value)
  return { ...files, [path]: JSON.stringify(value) }
}

type Phase = { started_at: string; finished_at: string }
export type Result = Phase & {
  id: string
  task_name: string
  trial_name: string
  task_checksum: string
  config: { job_id: string; task: { path: string } }
  agent_info: { version: string; model_info: { name: string } }
  agent_result: { n_output_tokens: number }
  agent_execution: Phase
  verifier: Phase
}

/** Changes the result of a trial, and the configuration beside it. */
export function editTrial(
  files: JobFiles,
  task: string,
  change: (result: Result) => void,
  at = 0,
): JobFiles {
  const trial = trialsOf(files, task)[at] ?? ''
  const changed = edit(files, `${trial}/result.json`, change)
  const { config } = JSON.parse(changed[`${trial}/result.json`] ?? '{}')
  return { ...changed, [`${trial}/config.json`]: JSON.stringify(config) }
}

/** Leaves out what is below a path. */
export function without(files: JobFiles, folder: string): JobFiles {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(folder)))
}

/** Copies a trial's folder under another name. */
export function copyTrial(files: JobFiles, from: string, to: string): JobFiles {
  const copied = Object.entries(files).flatMap(([path, text]) =>
    path.startsWith(`${from}/`) ? [[path.replace(from, to), text.replaceAll(from, to)]] : [],
  )
  return { ...files, ...Object.fromEntries(copied) }
}

/** Writes another number of trials into the job's result, so that only the slots tell. */
export function recount(files: JobFiles, change: number): JobFiles {
  return edit<{ n_total_trials: number }>(files, 'result.json', (job) => {
    job.n_total_trials += change
  })
}

/** The folder of a task's first trial. */
export const first = (files: JobFiles, task = 'greet'): string => trialsOf(files, task)[0] ?? ''

export const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()
