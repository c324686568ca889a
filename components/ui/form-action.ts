'use client'

import { unstable_isUnrecognizedActionError, unstable_rethrow } from 'next/navigation'
import { type FormEvent, useActionState } from 'react'
import type { ActionRefusal } from '#lib/domain/api/index.ts'

type Action<S> = (before: Awaited<S | ActionRefusal>, form: FormData) => Promise<S | ActionRefusal>

/**
 * A server action for a form: its last answer, what sends the form, and whether an answer is awaited. Without scripts the
 * browser sends the form itself, so the server is given the action as it is.
 */
export function useFormAction<S>(action: Action<S>, initial: Awaited<S>) {
  const own = typeof window === 'undefined' ? action : answeredAction(action)
  return useActionState<S | ActionRefusal, FormData>(own, initial)
}

/**
 * The action with a sentence for an answer that never came: the error itself would replace the page with all that was
 * typed, and nobody knows what was done.
 */
export function answeredAction<S>(action: Action<S>): Action<S> {
  return async (before, form) => {
    try {
      return await action(before, form)
    } catch (error) {
      unstable_rethrow(error)
      return { ok: false, problems: [{ path: '(root)', message: describeFailure(error) }] }
    }
  }
}

function describeFailure(error: unknown): string {
  if (unstable_isUnrecognizedActionError(error))
    return 'The server was updated since this page was opened: nothing was done. Reload the page and send it again.'
  const digest = error instanceof Error && 'digest' in error ? ` (error ${error.digest})` : ''
  return digest === ''
    ? 'The server did not answer, so this may or may not be done. Check that before you send it again.'
    : `The server failed, so this may or may not be done; its log has the cause${digest}.`
}

/** While an answer is awaited the form is not sent again. Its button keeps the focus, which a disabled one would lose. */
export function sendsOnce(isPending: boolean) {
  return (event: FormEvent<HTMLFormElement>) => {
    if (isPending) event.preventDefault()
  }
}
