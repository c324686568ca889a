import type { Problem } from '../text/index.ts'

/** A secret that is shown once and never stored in plain text: a token, a one-time link. */
export type ShownOnce = { label: string; text: string }

/**
 * Response to a form: what was done, or every validation error by field (`(root)` = the whole form,
 * `(session)` = the session has ended). */
export type ActionResult = { ok: true; message: string; once?: ShownOnce } | ActionRefusal
export type ActionRefusal = { ok: false; problems: Problem[] }

/** A server action as a form calls it: previous result and form data in, new result out. */
export type FormAction = (before: ActionResult | null, form: FormData) => Promise<ActionResult>

/** Refuses the whole form in one sentence. */
export function refusal(message: string, path = '(root)'): ActionRefusal {
  return { ok: false, problems: [{ path, message }] }
}
