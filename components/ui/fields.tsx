import type { ChangeEvent, ReactNode } from 'react'

type FieldProps = { id: string; label: string; problem: string | undefined; children: ReactNode }

/** A labelled control of a form, with its validation error. */
export function Field({ id, label, problem, children }: FieldProps) {
  return (
    <div className="min-w-0">
      <label className="mb-1 block text-muted text-xs" htmlFor={id}>
        {label}
      </label>
      {children}
      {problem ? (
        <p className="untrusted mt-1 text-bad text-xs" id={`${id}-problem`}>
          {problem}
        </p>
      ) : null}
    </div>
  )
}

const CONTROL = 'h-8 w-full min-w-0 rounded border border-line-strong bg-surface px-2'

type ControlProps = { name: string; label: string; value: string; problem: string | undefined }

type TextFieldProps = ControlProps & {
  placeholder?: string
  inputMode?: 'numeric' | 'decimal' | 'text'
  /** The id of a datalist with suggestions. */
  list?: string | undefined
}

/** A text field; the server validates the value. */
export function TextField({ name, label, value, problem, ...rest }: TextFieldProps) {
  const id = `plan-${name}`
  return (
    <Field id={id} label={label} problem={problem}>
      <input
        aria-describedby={problem ? `${id}-problem` : undefined}
        aria-invalid={problem ? true : undefined}
        autoComplete="off"
        className={CONTROL}
        defaultValue={value}
        id={id}
        name={name}
        type="text"
        {...rest}
      />
    </Field>
  )
}

type SelectFieldProps = ControlProps & {
  options: readonly { value: string; text: string; disabled?: boolean }[]
  onChange?: (event: ChangeEvent<HTMLSelectElement>) => void
}

/** One of several. */
export function SelectField({ name, label, value, problem, options, onChange }: SelectFieldProps) {
  const id = `plan-${name}`
  return (
    <Field id={id} label={label} problem={problem}>
      <select
        aria-describedby={problem ? `${id}-problem` : undefined}
        aria-invalid={problem ? true : undefined}
        className={CONTROL}
        defaultValue={value}
        id={id}
        name={name}
        onChange={onChange}
      >
        {options.map((option) => (
          <option disabled={option.disabled} key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </Field>
  )
}
