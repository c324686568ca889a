import type { Problem } from '../record/index.ts'

/** Something that is shown once and kept nowhere in the clear: a token, a one-time link. */
export type ShownOnce = { label: string; text: string }

/** What a form is told: what was done, or everything that is wrong with it, by field (`(root)` = the whole). */
export type ActionResult = { ok: true; message: string; once?: ShownOnce } | ActionRefusal
export type ActionRefusal = { ok: false; problems: Problem[] }

/** A server action as a form calls it: the last answer and the fields in, the next answer out. */
export type FormAction = (before: ActionResult | null, form: FormData) => Promise<ActionResult>

/** A refusal of the whole form in one sentence. */
export function refusal(message: string): ActionRefusal {
  return { ok: false, problems: [{ path: '(root)', message }] }
}
