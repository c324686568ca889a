'use client'

import { useState } from 'react'
import {
  LONGEST_PASSWORD,
  passwordStrength,
  refusePassword,
  SHORTEST_PASSWORD,
} from '#lib/domain/password.ts'
import { InputField } from './form-fields.tsx'

type NewPasswordFieldProps = {
  label: string
  name?: string
  /** Needed where a page has two of these fields. */
  id?: string
  /** The e-mail address of the account. */
  email?: string
  required?: boolean
}

/** A new password, with its problems or its strength shown while typing. */
export function NewPasswordField({
  label,
  name = 'password',
  id = `field-${name}`,
  email = '',
  required = true,
}: NewPasswordFieldProps) {
  const [typed, setTyped] = useState('')
  return (
    <InputField
      autoComplete="new-password"
      hint={<span aria-live="polite">{hintOf(typed, email)}</span>}
      id={id}
      label={label}
      maxLength={LONGEST_PASSWORD}
      name={name}
      onChange={(event) => setTyped(event.target.value)}
      required={required}
      type="password"
    />
  )
}

function hintOf(typed: string, email: string): string {
  if (typed === '') return `At least ${SHORTEST_PASSWORD} characters. A few random words work well.`
  const refusal = refusePassword(typed, email)
  if (refusal) return refusal
  return {
    'too weak': 'Too weak.',
    weak: 'Weak: use a longer or less common password.',
    fair: 'Fair.',
    strong: 'Strong.',
  }[passwordStrength(typed, email)]
}
