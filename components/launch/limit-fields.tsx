import { defaultLimits } from '#lib/domain/planner/index.ts'
import { LIMIT_LIST, type LimitField } from '#lib/domain/settings/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { TextField } from '../ui/fields.tsx'

type LimitFieldsProps = {
  /** Undefined = no suite is chosen. */
  suiteKind: Suite['kind'] | undefined
  about: (field: LimitField) => {
    name: string
    dense: boolean
    defaultValue: string
    problem: string | undefined
  }
}

/** The limits of one episode, as in every form. An empty field is the default, which its placeholder says. */
export function LimitFields({ suiteKind, about }: LimitFieldsProps) {
  const defaults = defaultLimits(suiteKind ?? 'reported')
  return LIMIT_LIST.map(({ key, field, label, kind, placeholder }) => {
    const value = defaults[key] ?? null
    const shown = value === null ? placeholder : kind.print(value)
    return (
      <TextField
        {...about(field)}
        inputMode={kind.inputMode}
        key={field}
        label={label}
        {...(shown && { placeholder: shown })}
      />
    )
  })
}
