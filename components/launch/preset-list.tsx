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
  actions: { keep: FormAction; drop: FormAction } | null
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
            {actions ? <DropForm drop={actions.drop} name={name} presetId={presetId} /> : null}
          </li>
        ))}
      </ul>
      {actions ? <KeepForm fields={fields} keep={actions.keep} /> : null}
    </section>
  )
}

type DropFormProps = Pick<PresetView, 'presetId' | 'name'> & { drop: FormAction }

function DropForm({ presetId, name, drop }: DropFormProps) {
  const [dropped, dropNow, isDropping] = useFormAction<ActionResult | null>(drop, null)
  return (
    <form action={dropNow} onSubmit={sendsOnce(isDropping)}>
      <input defaultValue={presetId} name="presetId" type="hidden" />
      <Button
        aria-disabled={isDropping}
        aria-label={`Delete preset ${visibleText(name)}`}
        tone="quiet"
        type="submit"
      >
        Delete
      </Button>
      <FormResult result={dropped} />
    </form>
  )
}

function KeepForm({ fields, keep }: { fields: LaunchFields; keep: FormAction }) {
  const [saved, saveNow, isSaving] = useFormAction<ActionResult | null>(keep, null)
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
