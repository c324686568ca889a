import type { Metadata } from 'next'
import { HealthFacts } from '#components/admin/health-facts.tsx'
import { formatCount, formatInstant, formatSize, visibleText } from '#components/ui/format.ts'
import { CommandLines, PageHeading, Section } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { countOf } from '#lib/domain/text/index.ts'
import { showTo } from '#lib/server/accounts/show-to.ts'
import { getSystem, type SystemView } from '#lib/server/care/get-system.ts'
import { guardPage } from '#lib/server/http/guard.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: 'System' }

/** The state of the server: health, backups, retention and recent errors. */
export default async function SystemPage() {
  const actor = await guardPage()
  const view = await showTo(actor, await getSystem(new Date()))
  return (
    <>
      <PageHeading title="System">
        Data folder: <code className="break-all text-sm">{visibleText(view.dataDir)}</code>{' '}
      </PageHeading>
      {view.health.problems.length > 0 ? (
        <Notice title="Action needed">
          {view.health.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      ) : null}
      <Section id="health" title="Health">
        <HealthFacts health={view.health} program={view.program} />
      </Section>
      <Section id="backups" title="Backups">
        <Backups view={view} />
      </Section>
      <Section id="retention" title="Log retention">
        <Retention retention={view.retention} />
      </Section>
      <Section id="recent-problems" title="Recent warnings and errors of the web process">
        <RecentProblems
          hasDetails={actor.role === 'admin'}
          logFile={view.logFile}
          recentProblems={view.recentProblems}
        />
      </Section>
    </>
  )
}

function Backups({ view: { backups, backupPlace } }: { view: SystemView }) {
  return (
    <>
      {backups.length === 0 ? (
        <p className="mb-3 text-muted">
          No backups in <code className="break-all">{visibleText(backupPlace)}</code>.
        </p>
      ) : (
        <ul className="mb-3 border-line border-b">
          {backups.map(({ name, createdAt, bytes, counts, holds }) => (
            <li className="flex flex-wrap gap-x-4 border-line border-t py-1.5" key={name}>
              <span className="tabular-nums">{formatInstant(createdAt)}</span>
              <span className="tabular-nums">{formatSize(bytes)}</span>
              <span>{countOf(counts.episodes, 'episode')}</span>
              <span className="text-muted">
                {holds.evidence ? 'with evidence' : 'without evidence'}
              </span>
            </li>
          ))}
        </ul>
      )}
      <CommandLines lines={['npx proofboard server backup create --with-evidence --keep 7']} />
    </>
  )
}

function Retention({ retention: { quotaBytes, keepDays, pruned } }: Pick<SystemView, 'retention'>) {
  const rules = [
    quotaBytes === null ? null : `run folders over ${formatSize(quotaBytes)}`,
    keepDays === null ? null : `logs older than ${countOf(keepDays, 'day')}`,
  ].filter((rule) => rule !== null)
  return (
    <>
      <p className="mb-3">
        {rules.length > 0
          ? `Prunes ${rules.join(' and ')}. Envelopes, plans, solutions and grading evidence stay.`
          : 'Logs are never pruned. Set PROOFBOARD_LOG_QUOTA or PROOFBOARD_KEEP_LOGS_DAYS to prune old logs.'}{' '}
        {pruned && pruned.files > 0
          ? `Pruned so far: ${countOf(pruned.files, 'file')}, ${formatSize(pruned.bytes)}.`
          : null}
      </p>
      <CommandLines lines={['npx proofboard server retention --dry-run']} />
    </>
  )
}

type RecentProblemsProps = Pick<SystemView, 'recentProblems' | 'logFile'> & {
  /** True = shows lines unchanged, with stack traces. */
  hasDetails: boolean
}

function RecentProblems({ recentProblems, logFile, hasDetails }: RecentProblemsProps) {
  return (
    <>
      <p className="mb-2 text-muted">
        {recentProblems.length === 0
          ? 'None since the server started.'
          : `The last ${formatCount(recentProblems.length)} since the server started.`}{' '}
        {logFile === null
          ? 'The full log goes to stderr.'
          : `The full log is in ${visibleText(logFile)}.`}
      </p>
      <ul className="border-line border-b empty:hidden">
        {recentProblems.map(({ at, level, component, text, message }) => (
          <li className="border-line border-t py-1.5" key={text}>
            {hasDetails ? (
              <details>
                <summary className="untrusted cursor-pointer">
                  <ProblemLine at={at} level={level} message={message} component={component} />
                </summary>
                <code className="untrusted mt-1 block break-all text-xs">{visibleText(text)}</code>
              </details>
            ) : (
              <span className="untrusted">
                <ProblemLine at={at} level={level} message={message} component={component} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

type ProblemLineProps = Pick<
  SystemView['recentProblems'][number],
  'at' | 'level' | 'component' | 'message'
>

function ProblemLine({ at, level, component, message }: ProblemLineProps) {
  return (
    <>
      <span className="text-muted tabular-nums">{formatInstant(at)}</span> {level} {component}:{' '}
      {visibleText(message)}
    </>
  )
}
