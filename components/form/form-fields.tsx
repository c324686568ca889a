'use client'

import type { ComponentProps, ReactNode } from 'react'
import { visibleText } from '#components/format/visible-text.ts'
import { useProblem } from './action-form.tsx'

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
