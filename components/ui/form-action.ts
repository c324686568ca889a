'use client'

import { unstable_isUnrecognizedActionError, unstable_rethrow } from 'next/navigation'
import { type FormEvent, useActionState } from 'react'
import type { ActionRefusal } from '#lib/domain/api/index.ts'

type Action<S> = (before: Awaited<S | ActionRefusal>, form: FormData) => Promise<S | ActionRefusal>

/**
 * Runs a server action for a form: returns its last response, a function that submits, and whether a response is
 * pending. Without scripts the browser submits the form itself, so the server gets the action unchanged.
 */
export function useFormAction<S>(action: Action<S>, initial: Awaited<S>) {
  const own = typeof window === 'undefined' ? action : answeredAction(action)
  return useActionState<S | ActionRefusal, FormData>(own, initial)
}

/**
 * Adds a message for a missing response. Otherwise the error would replace the page with everything typed, and the user
 * would not know whether the action was performed.
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

/** Ignores submissions while a response is pending. The button is not disabled, because it would lose the focus. */
export function sendsOnce(isPending: boolean) {
  return (event: FormEvent<HTMLFormElement>) => {
    if (isPending) event.preventDefault()
  }
}
