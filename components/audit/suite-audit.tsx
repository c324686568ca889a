import { formatCount, plural, UNKNOWN } from '#components/format/number.ts'
import { formatDuration, formatInstant } from '#components/format/time.ts'
import { FactList } from '#components/ui/fact-list.tsx'
import { Section } from '#components/ui/section.tsx'
import type { AuditDocument } from '#lib/domain/audit/audit-document.ts'
import { countAudit, countByClass } from '#lib/domain/audit/count-audit.ts'
import { AttackTable } from './attack-table.tsx'
import { ClassTable } from './class-table.tsx'

type SuiteAuditProps = { title: string; audit: AuditDocument; isOutdated: boolean }

/** The latest audit of one suite: figures, classes by task, then every attack. */
export function SuiteAudit({ title, audit, isOutdated }: SuiteAuditProps) {
  const counts = countAudit(audit)
  const isSound = counts.solved + counts.unnamed === 0
  return (
    <Section aside={formatInstant(audit.auditedAt)} id={audit.suiteId} title={title}>
      {isOutdated ? (
        <p className="mb-2 text-warn">
          This audit is of another version of the suite. Run{' '}
          <code>proofboard audit {audit.suiteId}</code> again.
        </p>
      ) : null}
      <p className="mb-3 text-base">
        {formatCount(counts.attacks)} attacks of {plural(counts.classes, 'class', 'classes')} on{' '}
        {plural(counts.tasks, 'task')}:{' '}
        <strong className={isSound ? 'text-good' : 'text-bad'}>
          {counts.solved} paid, {counts.unnamed} unnamed
        </strong>
        , {counts.named} named, {counts.prevented} prevented.
      </p>
      <div className="mb-4 grid gap-x-8 md:grid-cols-2">
        <FactList facts={listFacts(audit)} />
        <FactList facts={listSkipped(audit)} />
      </div>
      <ClassTable audit={audit} />
      <details className="mt-3">
        <summary className="cursor-pointer">{`All ${counts.attacks} attacks`}</summary>
        {countByClass(audit).map((one) => (
          <AttackTable audit={audit} classId={one.class} key={one.class} />
        ))}
      </details>
    </Section>
  )
}

function listFacts({ harness, suiteVersion, isolation, asRoot, node, durationMs }: AuditDocument) {
  const commit = harness.commit?.slice(0, 12) ?? UNKNOWN
  return [
    { name: 'Suite version', value: suiteVersion ?? UNKNOWN },
    {
      name: 'Harness',
      value: `${harness.version}, commit ${commit}${harness.dirty ? ', with local changes' : ''}`,
    },
    { name: 'Isolation', value: `${isolation}${asRoot ? ', runner is root' : ''}` },
    { name: 'Node', value: `${node}, ${formatDuration(durationMs)}` },
  ]
}

function listSkipped({ skipped }: AuditDocument) {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  if (reasons.length === 0) return [{ name: 'Skipped', value: 'nothing' }]
  return reasons.map((reason) => {
    const own = skipped.filter((one) => one.reason === reason)
    const pairs = own.reduce((sum, { tasks }) => sum + tasks, 0)
    return {
      name: 'Skipped',
      value: `${plural(pairs, 'pair')} of ${plural(own.length, 'attack')}: ${reason}`,
    }
  })
}
