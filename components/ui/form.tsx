'use client'

import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useActionState,
  useContext,
  useState,
} from 'react'
import {
  LONGEST_PASSWORD,
  passwordStrength,
  refusePassword,
  SHORTEST_PASSWORD,
} from '#lib/domain/accounts/password.ts'
import type { ActionResult, FormAction } from '#lib/domain/api/action-result.ts'
import type { Problem } from '#lib/domain/record/problem.ts'
import { Button } from './button.tsx'
import { visibleText } from './format.ts'
import { OnceBox } from './layout.tsx'

const Problems = createContext<readonly Problem[]>([])

/** The validation error of one field of the enclosing form. */
export function useProblem(name: string): string | undefined {
  return useContext(Problems).find(({ path }) => path === name || path.startsWith(`${name}.`))
    ?.message
}

type ActionFormProps = {
  action: FormAction
  /** The label of the button. */
  submit: string
  /** An accessible name where the label alone is ambiguous. */
  label?: string
  children?: ReactNode
  className?: string
  tone?: 'plain' | 'quiet'
}

/** A form of a server action: works without scripts, keeps its values until they are accepted, shows the result. */
export function ActionForm({ action, submit, label, children, className, tone }: ActionFormProps) {
  const [result, send, pending] = useActionState(action, null)
  const problems = result && !result.ok ? result.problems : []
  return (
    <form
      action={send}
      className={className ?? 'space-y-3'}
      onReset={(event) => problems.length > 0 && event.preventDefault()}
    >
      <Problems.Provider value={problems}>{children}</Problems.Provider>
      <Button aria-label={label} disabled={pending} tone={tone ?? 'plain'} type="submit">
        {submit}
      </Button>
      <Told result={result} />
    </form>
  )
}

function Told({ result }: { result: ActionResult | null }) {
  if (!result) return null
  if (!result.ok) {
    const whole = result.problems.filter(({ path }) => path === '(root)')
    const said =
      whole.length > 0
        ? whole.map(({ message }) => message)
        : ['Not saved. Check the fields above.']
    return (
      <p className="untrusted text-bad" role="alert">
        {visibleText(said.join(' '))}
      </p>
    )
  }
  return (
    <div className="space-y-2" role="status">
      <p className="untrusted text-good">{visibleText(result.message)}</p>
      {result.once ? <OnceBox {...result.once} /> : null}
    </div>
  )
}

const CONTROL = 'h-9 w-full min-w-0 rounded border border-line-strong bg-surface px-2'

type FieldProps = { label: string; hint?: ReactNode }

/** A text field with its label, hint and validation error. */
export function InputField({
  label,
  hint,
  name,
  ...rest
}: FieldProps & ComponentProps<'input'> & { name: string }) {
  const problem = useProblem(name)
  const { id, ...about } = describe(name, rest.id, problem, hint)
  return (
    <Labelled hint={hint} id={id} label={label} problem={problem}>
      <input className={CONTROL} name={name} {...rest} {...about} id={id} />
    </Labelled>
  )
}

/** A select field with its label, hint and validation error. */
export function ChoiceField({
  label,
  hint,
  name,
  options,
  ...rest
}: FieldProps &
  Omit<ComponentProps<'select'>, 'children'> & {
    name: string
    options: readonly { value: string; text: string }[]
  }) {
  const problem = useProblem(name)
  const { id, ...about } = describe(name, rest.id, problem, hint)
  return (
    <Labelled hint={hint} id={id} label={label} problem={problem}>
      <select className={CONTROL} name={name} {...rest} {...about} id={id}>
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

function describe(
  name: string,
  given: string | undefined,
  problem: string | undefined,
  hint: ReactNode,
) {
  const id = given ?? `field-${name}`
  const told = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return {
    id,
    'aria-describedby': told === '' ? undefined : told,
    'aria-invalid': problem ? true : undefined,
  }
}

type LabelledProps = FieldProps & {
  id: string
  problem: string | undefined
  children: ReactNode
}

function Labelled({ id, label, hint, problem, children }: LabelledProps) {
  return (
    <div className="min-w-0">
      <label className="mb-1 block text-muted text-xs" htmlFor={id}>
        {label}
      </label>
      {children}
      {hint ? (
        <p className="mt-1 text-muted text-xs" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {problem ? (
        <p className="untrusted mt-1 text-bad text-xs" id={`${id}-problem`}>
          {visibleText(problem)}
        </p>
      ) : null}
    </div>
  )
}

type NewPasswordFieldProps = {
  label: string
  name?: string
  /** Needed where a page has two of these fields. */
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
    <InputField
      autoComplete="new-password"
      hint={<span aria-live="polite">{hintOf(typed, email)}</span>}
      id={id}
      label={label}
      maxLength={LONGEST_PASSWORD}
      name={name}
      onChange={(event) => setTyped(event.target.value)}
      required={required}
      type="password"
    />
  )
}

function hintOf(typed: string, email: string): string {
  if (typed === '') return `At least ${SHORTEST_PASSWORD} characters. A few random words work well.`
  const refusal = refusePassword(typed, email)
  if (refusal) return refusal
  return {
    'too weak': 'Too weak.',
    weak: 'Weak: use a longer or less common password.',
    fair: 'Fair.',
    strong: 'Strong.',
  }[passwordStrength(typed, email)]
}
