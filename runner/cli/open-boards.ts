import type { Digest } from '#lib/domain/digest/index.ts'
import type { Plan, Shard } from '#lib/domain/record/index.ts'
import { collectRun, registerOnLocalBoard } from './local-board.ts'
import { registerHere, requireTarget } from './register-plan.ts'
import { submitRun } from './submit-command.ts'

type Run = { runId: string; out: string; plan: Plan }
type Options = {
  submit?: string
  shard?: Shard
  stopWithStdin?: boolean
  listen?: unknown
  registration?: Digest[]
  json?: boolean
}

/**
 * Opens the boards that show a run: that of the data folder, and that of `--submit`. Both get the plan before its first
 * episode (`registration`). For a worker, or a shard of a remote board, the run is already registered. Throws a
 * RunnerError if nothing could be sent.
 */
export function openBoards(run: Run, options: Options) {
  const { submit, shard: part = null, stopWithStdin = false, json = false } = options
  const { registration: known = [] } = options
  if (submit !== undefined) requireTarget(submit)
  const isElsewhere = stopWithStdin || options.listen !== undefined
  return {
    registration: {
      to: submit ?? null,
      register: async () => {
        const hash = submit === undefined ? [] : [await registerAt(submit, run)]
        if (!isElsewhere) await registerOnLocalBoard({ ...run, shard: part })
        return [...new Set([...hash, ...known])]
      },
    },
    collect: async () => (isElsewhere ? null : collectRun(run)),
    submit: async () => {
      if (submit === undefined) return
      const code = await submitRun(run.out, submit, json)
      if (code !== 0) process.exitCode = code
    },
  }
}

/** Idempotent, so that it can be repeated after a lost response. */
async function registerAt(to: string, { plan, runId }: Run): Promise<Digest> {
  const request = { auth: 'auto', tries: 5, again: true, to, runId: [runId] } as const
  const { hash } = await registerHere(plan, { ...request, runId: [runId] })
  return hash
}
