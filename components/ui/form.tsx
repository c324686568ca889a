'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  findPasswordProblem,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  passwordStrength,
} from '#lib/domain/accounts/index.ts'
import type { ActionResult, FormAction } from '#lib/domain/api/index.ts'
import type { Problem } from '#lib/domain/text/index.ts'
import { Button, type ButtonTone } from './button.tsx'
import { ProblemsProvider, TextField } from './fields.tsx'
import { sendsOnce, useFormAction } from './form-action.ts'
import { visibleText } from './format.ts'
import { OnceBox } from './layout.tsx'

type ActionFormProps = {
  action: FormAction
  /** Label of the button. */
  submit: string
  /** An accessible name where the label alone is ambiguous. */
  label?: string
  children?: ReactNode
  className?: string
  tone?: ButtonTone
}

/** A form for a server action: works without scripts, keeps its values until they are accepted, shows the result. */
export function ActionForm({ action, submit, label, children, className, tone }: ActionFormProps) {
  const [result, send, pending] = useFormAction<ActionResult | null>(action, null)
  const form = useRef<HTMLFormElement>(null)
  const problems = result && !result.ok ? result.problems : []
  useEffect(() => {
    if (result?.ok === false) focusProblem(form.current)
  }, [result])
  return (
    <form
      action={send}
      className={className ?? 'space-y-3'}
      onReset={(event) => problems.length > 0 && event.preventDefault()}
      onSubmit={sendsOnce(pending)}
      ref={form}
    >
      <ProblemsProvider value={problems}>{children}</ProblemsProvider>
      <Button aria-disabled={pending} aria-label={label} tone={tone ?? 'plain'} type="submit">
        {submit}
      </Button>
      <FormResult isBesideFields result={result} />
    </form>
  )
}

/** Focuses the first invalid field; otherwise the message concerns the whole form. */
function focusProblem(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

/** A problem in a sentence. What is typed stays while the reader signs in again in another tab. */
export function ProblemText({ path, message }: Problem) {
  if (path !== '(session)') return visibleText(message)
  return (
    <>
      Your session has ended.{' '}
      <a className="underline" href="/sign-in" rel="noopener" target="_blank">
        Sign in in a new tab
      </a>
      , then try again here.
    </>
  )
}

type FormResultProps = { result: ActionResult | null; isBesideFields?: boolean }

/** Result of a form. Problems of single fields are left out if the form shows them next to the fields. */
export function FormResult({ result, isBesideFields = false }: FormResultProps) {
  if (!result) return null
  if (!result.ok) {
    const whole = result.problems.filter(({ path }) => !isBesideFields || path.startsWith('('))
    return (
      <div className="untrusted text-bad" role="alert">
        {whole.length === 0 ? <p>Not saved. Check the fields above.</p> : null}
        {whole.map((problem) => (
          <p key={problem.message}>
            <ProblemText {...problem} />
          </p>
        ))}
      </div>
    )
  }
  return (
    <div className="space-y-2" role="status">
      <p className="untrusted text-good">{visibleText(result.message)}</p>
      {result.once ? <OnceBox {...result.once} /> : null}
    </div>
  )
}

type NewPasswordFieldProps = {
  label: string
  name?: string
  /** Needed if a page has two of these fields. */
  id?: string
  /** The e-mail address of the account. */
  email?: string
  required?: boolean
}

/** A new password, with its problems or its strength shown while typing. */
export function NewPasswordField({
  label,
  name = 'password',
  id = `field-${name}`,
  email = '',
  required = true,
}: NewPasswordFieldProps) {
  const [typed, setTyped] = useState('')
  return (
    <TextField
      autoComplete="new-password"
      hint={<span aria-live="polite">{hintOf(typed, email)}</span>}
      id={id}
      label={label}
      maxLength={MAX_PASSWORD_LENGTH}
      name={name}
      onChange={(event) => setTyped(event.target.value)}
      required={required}
      type="password"
    />
  )
}

function hintOf(typed: string, email: string): string {
  if (typed === '')
    return `At least ${MIN_PASSWORD_LENGTH} characters. A few random words work well.`
  const refusal = findPasswordProblem(typed, email)
  if (refusal) return refusal
  return {
    'too weak': 'Too weak.',
    weak: 'Weak: use a longer or less common password.',
    fair: 'Fair.',
    strong: 'Strong.',
  }[passwordStrength(typed, email)]
}
