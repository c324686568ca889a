'use client'

import { ActionForm } from '#components/form/action-form.tsx'
import { InputField } from '#components/form/form-fields.tsx'
import type { FormAction } from '#lib/domain/action-result.ts'

/** Allows the workflows of one repository to upload results. */
export function OidcRuleForm({ action }: { action: FormAction }) {
  return (
    <ActionForm action={action} submit="Allow workflow">
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <InputField
          autoComplete="off"
          hint="gh api repos/OWNER/NAME --jq .id"
          inputMode="numeric"
          label="Repository ID"
          maxLength={20}
          name="repositoryId"
          required
        />
        <InputField
          autoComplete="off"
          hint="gh api repos/OWNER/NAME --jq .owner.id"
          inputMode="numeric"
          label="Owner ID"
          maxLength={20}
          name="repositoryOwnerId"
          required
        />
        <InputField
          autoComplete="off"
          defaultValue="refs/heads/main"
          hint="* matches anything except a slash, ** matches anything."
          label="Ref"
          maxLength={300}
          name="ref"
          required
        />
        <InputField
          autoComplete="off"
          hint="For example .github/workflows/benchmark.yml. Leave empty for any."
          label="Workflow"
          maxLength={300}
          name="workflow"
        />
      </div>
    </ActionForm>
  )
}
