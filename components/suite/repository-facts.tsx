import { areTestsOnline, ONLINE_TESTS, type RepositoryTask } from '#lib/domain/tasks/index.ts'
import { countOf, present } from '#lib/domain/text/index.ts'
import { formatDuration, visibleText } from '../ui/format.ts'
import { FactList, Section, ShortDigest } from '../ui/layout.tsx'
import { Code, TextList } from './fact-parts.tsx'

/** Describes how a repository task is prepared and verified. */
export function RepositoryFacts({ task }: { task: RepositoryTask }) {
  const { expectedTests, flakyTests } = task
  return (
    <>
      <Section id="verification" title="Verification">
        <FactList facts={listFacts(task)} />
        <p className="mt-2 max-w-3xl text-muted">
          The solution is applied as a patch to a fresh copy, protected files are restored, and the
          tests are added. Tests run in the solution’s own process: the report and the exit code
          must agree. Before the unaltered tests, the work is judged by runs with failing tests
          added and with tests changed, drawn at random: another expected value, message or error
          or, in a test without one, the opposite assertion. Those must fail, and the others pass.
          The episode records the chance that a guess passes them. A solution that can tell changed
          tests from others by their text can still report false results.
        </p>
        {areTestsOnline(task) ? <p className="mt-2 max-w-3xl text-warn">{ONLINE_TESTS}</p> : null}
      </Section>
      <Section aside={countOf(expectedTests.length, 'test')} id="contract" title="Success criteria">
        <TextList items={expectedTests.map(visibleText)} />
      </Section>
      {flakyTests.length > 0 ? (
        <Section aside={countOf(flakyTests.length, 'test')} id="excluded" title="Excluded tests">
          <TextList
            items={flakyTests.map(({ name, reason }) => (
              <span key={name}>
                {visibleText(name)} <span className="text-muted">{visibleText(reason)}</span>
              </span>
            ))}
          />
        </Section>
      ) : null}
    </>
  )
}

function listFacts({ source, setup, change, verify, budgets, network, digest }: RepositoryTask) {
  const limits = [
    ...(budgets.timeoutMs === undefined ? [] : [formatDuration(budgets.timeoutMs)]),
    ...(budgets.maxSteps === undefined ? [] : [countOf(budgets.maxSteps, 'step')]),
  ]
  return present([
    { name: 'Repository', value: <Code text={formatSource(source)} /> },
    setup.length > 0 && { name: 'Setup', value: <Code text={setup.join('; ')} /> },
    { name: 'May change', value: <Code text={change.allow.join(', ')} /> },
    change.protect.length > 0 && {
      name: 'Protected',
      value: <Code text={change.protect.join(', ')} />,
    },
    { name: 'Verify command', value: <Code text={verify.command} /> },
    { name: 'Report', value: verify.report.format },
    { name: 'Verification timeout', value: formatDuration(verify.timeoutMs) },
    limits.length > 0 && { name: 'Limits', value: limits.join(', ') },
    {
      name: 'Network',
      value:
        network === 'off' ? 'off' : `${network.for.join(', ')}: ${visibleText(network.reason)}`,
    },
    { name: 'Digest', value: <ShortDigest digest={digest} /> },
  ])
}

function formatSource(source: RepositoryTask['source']): string {
  if (!('git' in source)) return source.folder
  const below = source.folder === undefined ? '' : ` ${source.folder}`
  return `${source.git} ${source.commit}${below}`
}
