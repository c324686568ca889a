'use client'

import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import type { Problem } from '#lib/domain/text/index.ts'
import { classNames } from './class-names.ts'
import { visibleText } from './format.ts'

const Problems = createContext<readonly Problem[]>([])

/** Gives the fields of a form their validation errors. */
export const ProblemsProvider = Problems.Provider

/** The validation error of one field of the enclosing form. */
export function useProblem(name: string): string | undefined {
  return useContext(Problems).find(({ path }) => path === name || path.startsWith(`${name}.`))
    ?.message
}

type FieldProps = {
  name: string
  label: string
  hint?: ReactNode
  /** The validation error; absent = that of the enclosing form. */
  problem?: string | undefined
  /** True = lower, for forms with many fields. */
  dense?: boolean
}

/** A text field with its label, hint and validation error. */
export function TextField({
  label,
  hint,
  problem,
  dense,
  ...rest
}: FieldProps & Omit<ComponentProps<'input'>, 'name'>) {
  const { frame, control } = useField({ label, hint, problem, dense, ...rest })
  return (
    <Labelled {...frame}>
      <input autoComplete="off" {...rest} {...control} />
    </Labelled>
  )
}

/** A select field with its label, hint and validation error. */
export function SelectField({
  label,
  hint,
  problem,
  dense,
  options,
  ...rest
}: FieldProps &
  Omit<ComponentProps<'select'>, 'children' | 'name'> & {
    options: readonly { value: string; text: string; disabled?: boolean }[]
  }) {
  const { frame, control } = useField({ label, hint, problem, dense, ...rest })
  return (
    <Labelled {...frame}>
      <select {...rest} {...control}>
        {options.map(({ value, text, disabled }) => (
          <option disabled={disabled} key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

/** A field for several lines with its label, hint and validation error. */
export function TextAreaField({
  label,
  hint,
  problem,
  dense,
  ...rest
}: FieldProps & Omit<ComponentProps<'textarea'>, 'name'>) {
  const { frame, control } = useField({ label, hint, problem, dense, ...rest })
  return (
    <Labelled {...frame}>
      <textarea {...rest} {...control} className={`${CONTROL} py-1`} />
    </Labelled>
  )
}

const CONTROL = 'w-full min-w-0 rounded border border-line-strong bg-surface px-2'

type FieldParts = Omit<FieldProps, 'dense'> & {
  id?: string | undefined
  dense: boolean | undefined
}

/** Ids and attributes that connect a field's label, hint and control. */
function useField(field: FieldParts) {
  const { name, label, hint, dense, id = `field-${name}` } = field
  const ofForm = useProblem(name)
  const problem = field.problem ?? ofForm
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return {
    frame: { id, label, hint, problem },
    control: {
      'aria-describedby': described === '' ? undefined : described,
      'aria-invalid': problem ? (true as const) : undefined,
      className: classNames(dense ? 'h-8' : 'h-9', CONTROL),
      id,
    },
  }
}

type LabelledProps = {
  id: string
  label: string
  hint: ReactNode
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
