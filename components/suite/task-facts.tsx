import type { ReactNode } from 'react'
import { BROWSER_FAULTS } from '#lib/domain/record/index.ts'
import {
  ABILITY_LABELS,
  type Exercise,
  faultsOf,
  formatAssertion,
  formatBehaviour,
  INJECTOR_LABELS,
  kindOf,
  type SaidAssertion,
  type Task,
  type TaskMutation,
  type Workflow,
} from '#lib/domain/tasks/index.ts'
import { countOf, present } from '#lib/domain/text/index.ts'
import { formatCount, formatDuration, visibleText } from '../ui/format.ts'
import { FactList, Section, ShortDigest } from '../ui/layout.tsx'
import { DescribedFacts } from './described-facts.tsx'
import { TextList } from './fact-parts.tsx'
import { formatCaught, formatMutationChecks, formatSurviving } from './format.ts'
import { HarborFacts } from './harbor-facts.tsx'
import { RepositoryFacts } from './repository-facts.tsx'

/** Describes how a task is judged, by its kind; unknown for other programs' tasks. */
export function TaskFacts({ task }: { task: Task }) {
  const known = kindOf(task)
  const { expect = [] } = task
  return (
    <>
      {VIEWS[known.kind](known.task as never)}
      {expect.length > 0 ? (
        <Section id="behaviour" title="Expected behaviour">
          <p className="mb-2 text-muted">
            Checked on the transcript of each episode. It does not affect the score.
          </p>
          <TextList items={expect.map((one) => visibleText(formatBehaviour(one)))} />
        </Section>
      ) : null}
    </>
  )
}

type ViewOf<K> = (task: Extract<ReturnType<typeof kindOf>, { kind: K }>['task']) => ReactNode
const VIEWS: { [K in ReturnType<typeof kindOf>['kind']]: ViewOf<K> } = {
  browser: (workflow) => <WorkflowView workflow={workflow} />,
  repository: (task) => <RepositoryFacts task={task} />,
  harbor: (task) => <HarborFacts task={task} />,
  reported: (exercise) => <ExerciseFacts exercise={exercise} />,
  described: (task) => <DescribedFacts task={task} />,
  exercise: (exercise) => <ExerciseFacts exercise={exercise} />,
}

/** Describes how an exercise is verified. */
function ExerciseFacts({ exercise }: { exercise: Exercise }) {
  const { files, expectedTests, runTests, typeTests, verifyTimeoutMs, digest, mutation } = exercise
  const { importNotes = [], testCommand } = exercise
  return (
    <>
      <Section id="verification" title="Verification">
        <FactList
          facts={present([
            { name: 'Solution', value: <Paths paths={files.solution} /> },
            { name: 'Tests', value: runTests ? <Paths paths={files.test} /> : 'none' },
            {
              name: 'Type checks',
              value: typeTests ? 'strict compilation and type tests' : 'strict compilation',
            },
            { name: 'Verification timeout', value: formatDuration(verifyTimeoutMs) },
            testCommand !== undefined && {
              name: 'Test command',
              value: <TestCommandFact command={testCommand} />,
            },
            { name: 'Digest', value: <ShortDigest digest={digest} /> },
            importNotes.length > 0 && {
              name: 'Import notes',
              value: visibleText(importNotes.join('; ')),
            },
          ])}
        />
      </Section>
      {mutation ? (
        <Section id="test-quality" title="Test quality">
          <MutationFacts mutation={mutation} />
        </Section>
      ) : null}
      <Section aside={countOf(expectedTests.length, 'test')} id="contract" title="Success criteria">
        <ul className="gap-x-10 border-line border-b lg:columns-2">
          {expectedTests.map((name, place) => (
            <li
              className="untrusted break-inside-avoid border-line border-t py-1.5"
              // biome-ignore lint/suspicious/noArrayIndexKey: two tests may bear one name.
              key={`${name} ${place}`}
            >
              {visibleText(name)}
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

function TestCommandFact({ command }: { command: string }) {
  return (
    <span className="untrusted">
      <code className="text-xs">{visibleText(command)}</code>{' '}
      <span className="text-muted">(diagnostic: it decides nothing)</span>
    </span>
  )
}

function Paths({ paths }: { paths: readonly string[] }) {
  return <code className="text-xs">{visibleText(paths.join(', '))}</code>
}

/** Measures of how well the tests of an exercise detect wrong solutions. */
function MutationFacts({ mutation }: { mutation: TaskMutation }) {
  const { mutants, compiled, caughtByVisible, caughtByHeldOut, surviving, wrong, wrongCaught } =
    mutation
  return (
    <>
      <p className="mb-2 max-w-3xl text-muted">
        A mutant is the reference with one small bug. Some survivors behave exactly like the
        reference, so no test can catch them.
        {mutation.isStale ? ' The task changed since this was measured.' : ''}
      </p>
      <FactList
        facts={present([
          { name: 'Wrong solutions', value: `${formatCaught(wrongCaught, wrong)} caught` },
          {
            name: 'Mutants',
            value: `${formatCount(mutants)}, of which ${formatCount(compiled)} compile and are counted`,
          },
          { name: 'Visible tests', value: `${formatCaught(caughtByVisible, compiled)} caught` },
          caughtByHeldOut !== null && {
            name: 'Held-out transcript',
            value: `${formatCaught(caughtByHeldOut, compiled)} caught`,
          },
          {
            name: 'Surviving',
            value: `${formatCount(surviving)}, ${formatSurviving(mutation)}`,
          },
          { name: 'Tested with', value: formatMutationChecks(mutation) },
        ])}
      />
    </>
  )
}

/** A browser workflow: instruction, start, success criteria and faults. */
function WorkflowView({ workflow }: { workflow: Workflow }) {
  const { instruction, contract } = workflow
  return (
    <>
      <Section id="instruction" title="Instruction">
        <p className="untrusted max-w-3xl whitespace-pre-wrap text-base">
          {visibleText(instruction.replaceAll('{{origin}}', 'the app’s address'))}
        </p>
        <p className="mt-2 text-muted">
          A language model gets only this instruction. A scripted driver performs the same steps.
        </p>
      </Section>
      <Section id="start" title="Start and limits">
        <WorkflowFacts workflow={workflow} />
      </Section>
      <Section id="contract" title="Success criteria">
        <AssertionSentences assertions={contract.map(formatAssertion)} />
      </Section>
      <Section id="faults" title="Injectable faults">
        <WorkflowFaults workflow={workflow} />
      </Section>
    </>
  )
}

function WorkflowFacts({ workflow }: { workflow: Workflow }) {
  const { app, start, seed, budgets, needs, files, digest } = workflow
  return (
    <FactList
      facts={present([
        { name: 'App', value: app },
        { name: 'Start page', value: <code className="text-xs">{visibleText(start)}</code> },
        {
          name: 'Initial state',
          value: `generated from seed ${seed}, identical for every episode`,
        },
        {
          name: 'Limits',
          value: `${formatDuration(budgets.timeoutMs)}, ${countOf(budgets.maxActions, 'action')}`,
        },
        {
          name: 'Required actions',
          value:
            needs.length > 0
              ? needs.map((need) => ABILITY_LABELS[need]).join(', ')
              : 'click, type, read',
        },
        files.length > 0 && { name: 'Provided files', value: visibleText(files.join(', ')) },
        { name: 'Digest', value: <ShortDigest digest={digest} /> },
      ])}
    />
  )
}

function WorkflowFaults({ workflow }: { workflow: Workflow }) {
  const kinds = faultsOf(workflow)
  if (kinds.length === 0) return <p className="text-muted">This task defines no faults.</p>
  return (
    <>
      <p className="mb-2 text-muted">
        Each fault is injected once per episode, at the first matching request.
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
              <span className="text-muted">
                · injected by {INJECTOR_LABELS[BROWSER_FAULTS[kind].by]}
              </span>
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

/** A longer value is shown as data. */
const MAX_SENTENCE = 160

function ExactSentence({ text }: { text: string }) {
  if (text.length <= MAX_SENTENCE) return <p className="untrusted text-muted text-xs">{text}</p>
  return (
    <details className="text-muted text-xs">
      <summary className="cursor-pointer">Expected values</summary>
      <p className="untrusted">{text}</p>
    </details>
  )
}

type AssertionSentencesProps = { assertions: readonly SaidAssertion[]; isPart?: boolean }

/** Success criteria in sentences, one assertion per line; parts of a group are below it. */
function AssertionSentences({ assertions, isPart = false }: AssertionSentencesProps) {
  return (
    <ul className={isPart ? undefined : 'border-line border-b'}>
      {assertions.map((assertion, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a contract never changes.
        <li className={isPart ? 'py-1' : 'border-line border-t py-1.5'} key={place}>
          <Sentence assertion={assertion} />
        </li>
      ))}
    </ul>
  )
}

function Sentence({ assertion: { kind, label, sentence, parts } }: { assertion: SaidAssertion }) {
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <span className="untrusted min-w-0 flex-1">{visibleText(label ?? sentence)}</span>
        <span className="text-muted text-xs">{kind}</span>
      </div>
      {label === null ? null : <ExactSentence text={visibleText(sentence)} />}
      {parts.length > 0 ? (
        <div className="mt-1 ml-1.5 border-line border-l pl-4">
          <AssertionSentences assertions={parts} isPart />
        </div>
      ) : null}
    </>
  )
}
