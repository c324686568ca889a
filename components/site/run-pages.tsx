import type { CorrectionNote, RunSummary, RunView } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { CorrectionBanner } from '../ledger/ledger-status.tsx'
import { ArmList } from '../run/arm-list.tsx'
import { EpisodesMatrix } from '../run/episodes-matrix.tsx'
import { FailureSummary } from '../run/failure-summary.tsx'
import { OutcomeLegend } from '../run/outcome.tsx'
import { RunEvidence } from '../run/run-facts.tsx'
import { matrixPlan, PlanSections, RunHeading } from '../run/run-parts.tsx'
import { progressText, RunStatusMark, restOf } from '../run/run-status.tsx'
import { RunTable } from '../run/run-table.tsx'
import { type SuiteTitles, suiteTitle } from '../suite/suite-title.ts'
import { visibleText } from '../ui/format.ts'
import { PageHeading, Section } from '../ui/layout.tsx'

type RunsPageProps = { runs: readonly RunSummary[]; titles: SuiteTitles }

/** All runs of the site. */
export function RunsPage({ runs, titles }: RunsPageProps) {
  return (
    <>
      <PageHeading title="Runs">{countOf(runs.length, 'run')}</PageHeading>
      <RunTable runs={runs} titles={titles} />
    </>
  )
}

type RunPageProps = {
  run: RunView
  titles: SuiteTitles
  corrections: readonly CorrectionNote[]
}

/** One run: its episodes, evidence and plan. */
export function RunPage({ run, titles, corrections }: RunPageProps) {
  const title = suiteTitle(titles, run.suiteId)
  const { plan, armRows = [], armCounts = [] } = run
  const matrix = matrixPlan(plan)
  return (
    <>
      <RunHeading run={run} suiteTitle={title} />
      <CorrectionBanner corrections={corrections} />
      <p className="flex flex-wrap gap-x-4">
        <RunStatusMark status={run.status} /> {progressText(run)}
        {run.reason ? <span className="text-muted">{visibleText(run.reason)}</span> : null}
      </p>
      {plan.arms ? (
        <Section aside={countOf(plan.arms.length, 'arm')} id="arms" title="Arms">
          <ArmList arms={plan.arms} counts={armCounts} rows={armRows} suiteId={run.suiteId} />
        </Section>
      ) : null}
      <FailureSummary episodes={run.episodes} plan={matrix} />
      <Section aside={<OutcomeLegend rest={restOf(run)} />} id="episodes" title="Episodes">
        <EpisodesMatrix episodes={run.episodes} plan={matrix} rest={restOf(run)} />
      </Section>
      <Section id="evidence" title="Evidence">
        <RunEvidence run={run} />
      </Section>
      <PlanSections run={run} suiteTitle={title} />
    </>
  )
}
