import type { Metadata } from 'next'
import { AUDIT_RESULT_LABELS, auditTone, SuiteAudit } from '#components/suite/suite-audit.tsx'
import { PageHeading } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { type AuditDocument, countAudit } from '#lib/domain/reports/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { listAttackAudits } from '#lib/server/board/suites.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'Audit' }

/** Results of all known attacks on each suite. */
export default async function AuditPage() {
  const suites = await listAttackAudits()
  return (
    <>
      <PageHeading title="Audit">
        Results of all known attacks against each suite, run through the same pipeline as agents. A
        suite passes if no attack succeeded and none went undetected.
      </PageHeading>
      <AuditSummary
        audits={suites.flatMap(({ audit }) => audit ?? [])}
        outdated={suites.filter(({ isOutdated }) => isOutdated).length}
      />
      <dl className="grid max-w-3xl grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-5">
        {Object.values(AUDIT_RESULT_LABELS).map(({ word, sign, text, tone }) => (
          <div className="col-span-2 grid grid-cols-subgrid" key={word}>
            <dt className={tone}>
              <span aria-hidden="true">{sign} </span>
              {word}
            </dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      {suites.map(({ suiteId, title, audit, isOutdated }) =>
        audit === null ? (
          <div className="mt-8" key={suiteId}>
            <Notice title={`${title} has not been audited`}>
              <p>
                Run <code>npx proofboard audit {suiteId}</code> and reload this page.
              </p>
            </Notice>
          </div>
        ) : (
          <SuiteAudit audit={audit} isOutdated={isOutdated} key={suiteId} title={title} />
        ),
      )}
    </>
  )
}

type AuditSummaryProps = { audits: readonly AuditDocument[]; outdated: number }

/** The overall result of all audited suites. */
function AuditSummary({ audits, outdated }: AuditSummaryProps) {
  if (audits.length === 0) return null
  const counts = audits.map(countAudit)
  const total = (key: 'attacks' | 'solved' | 'unnamed') =>
    counts.reduce((sum, count) => sum + count[key], 0)
  const isSound = total('solved') + total('unnamed') === 0
  const sign = outdated > 0 ? '' : '✓ '
  return (
    <p className="mb-5 text-lg">
      <strong className={`font-semibold ${auditTone(isSound, outdated > 0)}`}>
        <span aria-hidden="true">{isSound ? sign : '✕ '}</span>
        {countOf(total('attacks'), 'attack')}: {total('solved')} succeeded, {total('unnamed')}{' '}
        undetected
      </strong>
      {outdated > 0 ? (
        <span className="text-muted">{`; ${countOf(outdated, 'suite')} audited in another version`}</span>
      ) : null}
    </p>
  )
}
