'use client'

import { type ReactNode, useState } from 'react'
import type { ActionResult, FormAction, FreezeResult, LaunchView } from '#lib/domain/api/index.ts'
import { LAUNCH_FIELDS } from '#lib/domain/runs/index.ts'
import type { Problem } from '#lib/domain/text/index.ts'
import { useFormAction } from '../ui/form-action.ts'
import { LaunchForm } from './launch-form.tsx'
import { LaunchPanel } from './launch-panel.tsx'
import { StepRail } from './step-rail.tsx'

type FreezeAction = (before: FreezeResult | null, form: FormData) => Promise<FreezeResult>

type LaunchEditorProps = {
  view: Pick<LaunchView, 'fields' | 'choices' | 'problems'>
  sentence: string | null
  /** Figures of the estimate; null if there is only the sentence. */
  figures: ReactNode
  /** True = the form was submitted, so that messages are responses to it. */
  isRequested: boolean
  /** Null = the user is a viewer. */
  actions: { freeze: FreezeAction; launch: FormAction } | null
  /** The presets, below the panel. */
  children: ReactNode
}

/** The form on the left, its estimate on the right. Errors from the server are shown next to their fields too. */
export function LaunchEditor(props: LaunchEditorProps) {
  const { view, sentence, figures, isRequested, actions, children } = props
  const { fields, choices } = view
  const [frozen, freeze, isFreezing] = useFormAction<FreezeResult | null>(
    actions?.freeze ?? stays,
    null,
  )
  const [launched, launch, isLaunching] = useFormAction<ActionResult | null>(
    actions?.launch ?? stays,
    null,
  )
  const [isEdited, setEdited] = useState(false)
  const later = [...answerProblems(frozen), ...answerProblems(launched)]
  const isFrozen = frozen?.ok === true
  const step = isEdited
    ? CONFIGURE
    : isFrozen
      ? LAUNCH
      : isRequested && sentence !== null
        ? REVIEW
        : CONFIGURE
  return (
    <>
      <StepRail
        current={step}
        label="Steps of a launch"
        steps={['Configure', 'Review', 'Launch']}
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <LaunchForm
          choices={choices}
          fields={fields}
          isNext={step === CONFIGURE}
          onEdit={setEdited}
          problems={[...view.problems, ...later]}
        />
        <div className="min-w-0 space-y-4">
          <LaunchPanel
            fields={fields}
            figures={figures}
            freeze={freeze}
            frozen={frozen?.ok ? frozen.frozen : null}
            isAdmin={actions !== null}
            isFreezing={isFreezing}
            isLaunching={isLaunching}
            isEdited={isEdited}
            launch={launch}
            problems={[...view.problems.filter(isOfNoField), ...later]}
            sentence={sentence}
            step={step}
          />
          {/* Presets are disabled too, because they contain the values from the server. */}
          <fieldset className="contents" disabled={isEdited}>
            {children}
          </fieldset>
        </div>
      </div>
    </>
  )
}

const [CONFIGURE, REVIEW, LAUNCH] = [0, 1, 2]

/** Action for viewers, who have no button for it. */
const stays = async <T,>(before: T) => before

function answerProblems(
  estimate: { ok: true } | { ok: false; problems: Problem[] } | null,
): Problem[] {
  return estimate === null || estimate.ok ? [] : estimate.problems
}

/** Other problems are shown next to their fields. */
function isOfNoField({ path }: Problem): boolean {
  return !LAUNCH_FIELDS.some((field) => field === path)
}
