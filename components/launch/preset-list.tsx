'use client'

import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { FormResult } from '#components/ui/form.tsx'
import { sendsOnce, useFormAction } from '#components/ui/form-action.ts'
import { visibleText } from '#components/ui/format.ts'
import type { ActionResult, FormAction, PresetView } from '#lib/domain/api/index.ts'
import type { LaunchFields } from '#lib/domain/runs/index.ts'
import { HiddenFields } from './launch-panel.tsx'

type PresetListProps = {
  presets: readonly PresetView[]
  fields: LaunchFields
  /** Null = the user is a viewer. */
  actions: { save: FormAction; remove: FormAction } | null
}

/** Saved launch options; each opens in the form. */
export function PresetList({ presets, fields, actions }: PresetListProps) {
  return (
    <section aria-labelledby="presets-title" className="rounded border border-line bg-surface p-4">
      <h2 className="font-semibold text-base" id="presets-title">
        Presets
      </h2>
      {presets.length === 0 ? <p className="mt-1 text-muted">No presets yet.</p> : null}
      <ul className="mt-1">
        {presets.map(({ presetId, name, query, createdBy }) => (
          <li
            className="flex min-h-9 items-center justify-between gap-2 border-line border-b"
            key={presetId}
          >
            <a
              className="link untrusted min-w-0"
              href={`/admin/launch?${query}`}
              title={`saved by ${visibleText(createdBy)}`}
            >
              {visibleText(name)}
            </a>
            {actions ? (
              <DeleteForm remove={actions.remove} name={name} presetId={presetId} />
            ) : null}
          </li>
        ))}
      </ul>
      {actions ? <SaveForm fields={fields} save={actions.save} /> : null}
    </section>
  )
}

type DeleteFormProps = Pick<PresetView, 'presetId' | 'name'> & { remove: FormAction }

function DeleteForm({ presetId, name, remove }: DeleteFormProps) {
  const [deleted, deleteNow, isDeleting] = useFormAction<ActionResult | null>(remove, null)
  return (
    <form action={deleteNow} onSubmit={sendsOnce(isDeleting)}>
      <input defaultValue={presetId} name="presetId" type="hidden" />
      <Button
        aria-disabled={isDeleting}
        aria-label={`Delete preset ${visibleText(name)}`}
        tone="quiet"
        type="submit"
      >
        Delete
      </Button>
      <FormResult result={deleted} />
    </form>
  )
}

function SaveForm({ fields, save }: { fields: LaunchFields; save: FormAction }) {
  const [saved, saveNow, isSaving] = useFormAction<ActionResult | null>(save, null)
  const problems = saved && !saved.ok ? saved.problems : []
  const problem = problems.find(({ path }) => path === 'presetName')?.message
  return (
    <form
      action={saveNow}
      className="mt-3 space-y-2"
      onReset={(event) => problems.length > 0 && event.preventDefault()}
      onSubmit={sendsOnce(isSaving)}
    >
      <HiddenFields fields={fields} />
      <TextField
        dense
        label="Preset name"
        name="presetName"
        placeholder="for example nightly"
        problem={problem}
      />
      <Button aria-disabled={isSaving} type="submit">
        Save preset
      </Button>
      {problem === undefined ? <FormResult result={saved} /> : null}
    </form>
  )
}
