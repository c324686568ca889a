import type { ReactNode } from 'react'

type FieldGroupProps = {
  title: string
  /** Classes of the columns. */
  columns?: string
  children: ReactNode
}

/** Fields of a form below a common title. */
export function FieldGroup({
  title,
  columns = 'sm:grid-cols-2 xl:grid-cols-3',
  children,
}: FieldGroupProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{title}</legend>
      <div className={`grid grid-cols-1 gap-x-4 gap-y-2 ${columns}`}>{children}</div>
    </fieldset>
  )
}
