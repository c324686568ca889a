import { formatCount } from '#components/format/number.ts'
import { formatDuration } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { FactList } from '#components/ui/fact-list.tsx'
import { Section } from '#components/ui/section.tsx'
import { ShortDigest } from '#components/ui/short-digest.tsx'
import { BROWSER_FAULTS } from '#lib/domain/browser/browser-fault.ts'
import { ABILITY_WORDS, INJECTOR_WORDS } from '#lib/domain/browser/browser-words.ts'
import { sayAssertion } from '#lib/domain/browser/say-assertion.ts'
import { faultsOf, type Workflow } from '#lib/domain/browser/workflow.ts'
import { AssertionSentences } from './assertion-sentences.tsx'

/** A workflow as its author wrote it: what a user would ask for, and what has to hold at the end. */
export function WorkflowView({ workflow }: { workflow: Workflow }) {
  const { instruction, contract } = workflow
  return (
    <>
      <Section id="instruction" title="Instruction">
        <p className="untrusted max-w-3xl whitespace-pre-wrap text-base">
          {visibleText(instruction.replaceAll('{{origin}}', 'the app’s address'))}
        </p>
        <p className="mt-2 text-muted">
          A language model is told this and nothing else; a scripted driver plays the same.
        </p>
      </Section>
      <Section id="start" title="Start and limits">
        <WorkflowFacts workflow={workflow} />
      </Section>
      <Section id="contract" title="What has to hold at the end">
        <AssertionSentences assertions={contract.map(sayAssertion)} />
      </Section>
      <Section id="faults" title="Faults it can take">
        <WorkflowFaults workflow={workflow} />
      </Section>
    </>
  )
}

function WorkflowFacts({ workflow }: { workflow: Workflow }) {
  const { app, start, seed, budgets, needs, files, digest } = workflow
  return (
    <FactList
      facts={[
        { name: 'App', value: app },
        { name: 'Begins at', value: <code className="text-xs">{visibleText(start)}</code> },
        { name: 'State', value: `made from seed ${seed}, the same for everybody` },
        {
          name: 'Limits',
          value: `${formatDuration(budgets.timeoutMs)}, ${formatCount(budgets.maxActions)} actions`,
        },
        {
          name: 'A library must',
          value:
            needs.length > 0
              ? needs.map((need) => ABILITY_WORDS[need]).join(', ')
              : 'click, type and read',
        },
        ...(files.length > 0
          ? [{ name: 'Files at hand', value: visibleText(files.join(', ')) }]
          : []),
        { name: 'Digest', value: <ShortDigest digest={digest} /> },
      ]}
    />
  )
}

function WorkflowFaults({ workflow }: { workflow: Workflow }) {
  const kinds = faultsOf(workflow)
  if (kinds.length === 0) return <p className="text-muted">No fault is planned for this task.</p>
  return (
    <>
      <p className="mb-2 text-muted">
        Each is injected once, at the first such request of an episode.
      </p>
      <dl className="border-line border-b">
        {kinds.map((kind) => (
          <div
            className="grid gap-x-5 gap-y-0.5 border-line border-t py-1.5 sm:grid-cols-[11rem_minmax(0,1fr)_minmax(0,14rem)]"
            key={kind}
          >
            <dt className="font-medium">{kind}</dt>
            <dd>
              {BROWSER_FAULTS[kind].what}{' '}
              <span className="text-muted">· by {INJECTOR_WORDS[BROWSER_FAULTS[kind].by]}</span>
            </dd>
            <dd className="untrusted">
              <code className="text-xs">{visibleText(workflow.faults[kind] ?? '')}</code>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
