import { LIMIT_LIST, type LimitField } from '#lib/domain/record/index.ts'
import { TextField } from '../ui/fields.tsx'

type LimitFieldsProps = {
  about: (field: LimitField) => {
    name: string
    dense: boolean
    defaultValue: string
    problem: string | undefined
  }
}

/** The limits of one episode, as in every form. */
export function LimitFields({ about }: LimitFieldsProps) {
  return LIMIT_LIST.map(({ field, label, kind, placeholder }) => (
    <TextField
      {...about(field)}
      inputMode={kind.inputMode}
      key={field}
      label={label}
      {...(placeholder && { placeholder })}
    />
  ))
}
