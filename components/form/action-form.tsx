'use client'

import { createContext, type ReactNode, useActionState, useContext } from 'react'
import { visibleText } from '#components/format/visible-text.ts'
import { Button } from '#components/ui/button.tsx'
import type { ActionResult, FormAction } from '#lib/domain/action-result.ts'
import type { Problem } from '#lib/domain/problem.ts'
import { OnceBox } from './once-box.tsx'

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
