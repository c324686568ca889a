import type { Metadata } from 'next'
import { LaunchEditor } from '#components/launch/launch-editor.tsx'
import { LaunchFigures } from '#components/launch/launch-figures.tsx'
import { MissingSubjects } from '#components/launch/launch-panel.tsx'
import { PlanDetails } from '#components/launch/plan-estimate.tsx'
import { PresetList } from '#components/launch/preset-list.tsx'
import { PageHeading } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { describePlan } from '#lib/domain/planner/index.ts'
import { readLaunchFields } from '#lib/domain/runs/index.ts'
import { showTo } from '#lib/server/accounts/show-to.ts'
import { guardPage } from '#lib/server/http/guard.ts'
import { getLaunch } from '#lib/server/launch/get-launch.ts'
import { deletePreset, freeze, launch, savePreset } from './actions.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Launch' }

type LaunchPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Configures a run, shows its plan, and queues it. */
export default async function LaunchPage({ searchParams }: LaunchPageProps) {
  const actor = await guardPage()
  const query = await searchParams
  const view = await getLaunch(readLaunchFields(query), new Date())
  const { fields, choices, problems, explanation, wait } = view
  const presets = await showTo(actor, view.presets)
  const isAdmin = actor.role === 'admin'
  return (
    <>
      <PageHeading title="Launch">
        Configure, review, launch. The run uses exactly the plan whose digest you reviewed. To
        compare it with another entry first, use the{' '}
        <a className="link" href="/plan">
          planner
        </a>
        .
      </PageHeading>
      {choices.suites.length === 0 ? (
        <Notice title="No suites yet">
          <p>The worker adds the built-in suites when it starts.</p>
        </Notice>
      ) : (
        <LaunchEditor
          actions={isAdmin ? { freeze, launch } : null}
          figures={
            explanation && wait ? (
              <LaunchFigures
                concurrency={Number(fields.concurrency)}
                explanation={explanation}
                wait={wait}
              />
            ) : null
          }
          isRequested={Object.keys(query).length > 0}
          sentence={explanation && describePlan(explanation)}
          view={{ fields, choices, problems }}
        >
          <PresetList
            actions={isAdmin ? { save: savePreset, remove: deletePreset } : null}
            fields={fields}
            presets={presets}
          />
        </LaunchEditor>
      )}
      <MissingSubjects subjects={choices.subjects} />
      {explanation ? <PlanDetails explanation={explanation} /> : null}
    </>
  )
}
