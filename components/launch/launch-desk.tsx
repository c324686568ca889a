'use client'

import { type ReactNode, useActionState } from 'react'
import type { FormAction } from '#lib/domain/action-result.ts'
import type { FreezeAnswer } from '#lib/domain/launch/frozen-view.ts'
import { LAUNCH_FIELDS } from '#lib/domain/launch/launch-fields.ts'
import type { Problem } from '#lib/domain/problem.ts'
import type { LaunchView } from '#lib/domain/views/launch-view.ts'
import { LaunchForm } from './launch-form.tsx'
import { LaunchPanel } from './launch-panel.tsx'

export type FreezeAction = (before: FreezeAnswer | null, form: FormData) => Promise<FreezeAnswer>

type LaunchDeskProps = {
  view: Pick<LaunchView, 'fields' | 'choices' | 'problems'>
  sentence: string | null
  /** Null = the user is a viewer. */
  actions: { freeze: FreezeAction; launch: FormAction } | null
  /** The presets, below the panel. */
  children: ReactNode
}

/** The form on the left, its estimate on the right. Errors from the server are shown beside their fields too. */
export function LaunchDesk({ view, sentence, actions, children }: LaunchDeskProps) {
  const { fields, choices } = view
  const [frozen, freeze, isFreezing] = useActionState(actions?.freeze ?? stays, null)
  const [launched, launch, isLaunching] = useActionState(actions?.launch ?? stays, null)
  const later = [...problemsOf(frozen), ...problemsOf(launched)]
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <LaunchForm choices={choices} fields={fields} problems={[...view.problems, ...later]} />
      <div className="min-w-0 space-y-4">
        <LaunchPanel
          fields={fields}
          freeze={freeze}
          frozen={frozen?.ok ? frozen.frozen : null}
          isAdmin={actions !== null}
          isBusy={isFreezing || isLaunching}
          launch={launch}
          problems={[...view.problems.filter(isOfNoField), ...later]}
          sentence={sentence}
        />
        {children}
      </div>
    </div>
  )
}

/** The action of a viewer, which no button calls. */
const stays = async <T,>(before: T) => before

function problemsOf(answer: { ok: true } | { ok: false; problems: Problem[] } | null): Problem[] {
  return answer === null || answer.ok ? [] : answer.problems
}

function isOfNoField({ path }: Problem): boolean {
  return !LAUNCH_FIELDS.some((field) => field === path)
}
