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
export function TextField(props: FieldProps & Omit<ComponentProps<'input'>, 'name'>) {
  const { frame, control } = useField(props)
  return (
    <Labelled {...frame}>
      <input autoComplete="off" {...control} />
    </Labelled>
  )
}

type SelectProps = Omit<ComponentProps<'select'>, 'children' | 'name'> & {
  options: readonly { value: string; text: string; disabled?: boolean }[]
}

/** A select field with its label, hint and validation error. */
export function SelectField({ options, ...props }: FieldProps & SelectProps) {
  const { frame, control } = useField(props)
  return (
    <Labelled {...frame}>
      <select {...control}>
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
export function TextAreaField(props: FieldProps & Omit<ComponentProps<'textarea'>, 'name'>) {
  const { frame, control } = useField(props)
  return (
    <Labelled {...frame}>
      <textarea {...control} className={`${CONTROL} py-1`} />
    </Labelled>
  )
}

const CONTROL = 'w-full min-w-0 rounded border border-line-strong bg-surface px-2'

/** Ids and attributes that connect a field's label, hint and control. */
function useField<P extends FieldProps & { id?: string | undefined }>(props: P) {
  const { label, hint, problem: own, dense, ...rest } = props
  const { name, id = `field-${name}` } = props
  const ofForm = useProblem(name)
  const problem = own ?? ofForm
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return {
    frame: { id, label, hint, problem },
    control: {
      ...rest,
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
