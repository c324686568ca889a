'use client'

import { ActionForm, useProblem } from '#components/form/action-form.tsx'
import { ChoiceField, InputField } from '#components/form/form-fields.tsx'
import { SCOPES, type Scope } from '#lib/domain/access.ts'
import type { FormAction } from '#lib/domain/action-result.ts'

const DAYS = [
  { value: '90', text: '90 days' },
  { value: '7', text: '7 days' },
  { value: '30', text: '30 days' },
  { value: '365', text: '1 year' },
  { value: 'never', text: 'Never' },
]

const MEANING: Record<Scope, string> = {
  'results:write': 'Upload results',
  'runs:write': 'Start, cancel and resume runs',
  'admin:read': 'Read the administration pages',
}

/** Creates an API token. */
export function TokenForm({ action }: { action: FormAction }) {
  return (
    <ActionForm action={action} submit="Create token">
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-3">
        <InputField
          autoComplete="off"
          hint="What the token is for, for example nightly CI."
          label="Name"
          maxLength={80}
          name="name"
          required
        />
        <ChoiceField label="Expires after" name="days" options={DAYS} />
        <Scopes />
      </div>
    </ActionForm>
  )
}

function Scopes() {
  const problem = useProblem('scopes')
  return (
    <fieldset>
      <legend className="mb-1 text-muted text-xs">Permissions</legend>
      {SCOPES.map((scope) => (
        <label className="flex min-h-6 items-center gap-2" key={scope}>
          <input name="scopes" type="checkbox" value={scope} />
          <span>
            {MEANING[scope]} <code className="text-muted text-xs">{scope}</code>
          </span>
        </label>
      ))}
      {problem ? <p className="mt-1 text-bad text-xs">{problem}</p> : null}
    </fieldset>
  )
}
