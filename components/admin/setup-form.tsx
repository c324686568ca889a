'use client'

import { useState } from 'react'
import { ActionForm } from '#components/form/action-form.tsx'
import { InputField } from '#components/form/form-fields.tsx'
import { NewPasswordField } from '#components/form/new-password-field.tsx'
import type { FormAction } from '#lib/domain/action-result.ts'

type SetupFormProps = {
  action: FormAction
  token: string
  /** The account whose password is set; null = creates the first account. */
  email: string | null
}

/** The form behind a one-time link. */
export function SetupForm({ action, token, email }: SetupFormProps) {
  const [typed, setTyped] = useState(email ?? '')
  return (
    <ActionForm action={action} submit={email ? 'Set password' : 'Create account'}>
      <input name="token" type="hidden" value={token} />
      {email ? (
        // Password managers store the password under this name.
        <input autoComplete="username" hidden name="shown" readOnly value={email} />
      ) : (
        <>
          <InputField
            autoComplete="username"
            label="E-mail"
            name="email"
            onChange={(event) => setTyped(event.target.value)}
            required
            type="email"
          />
          <InputField autoComplete="name" label="Name" maxLength={80} name="name" required />
        </>
      )}
      <NewPasswordField email={typed} label="Password" />
    </ActionForm>
  )
}
