import {
  areTestsOnline,
  HARBOR_GRADING,
  type HarborTask,
  ONLINE_TESTS,
} from '#lib/domain/tasks/index.ts'
import { present } from '#lib/domain/text/index.ts'
import { formatCount, formatDuration, visibleText } from '../ui/format.ts'
import { FactList, Section, ShortDigest } from '../ui/layout.tsx'
import { Code, TextList } from './fact-parts.tsx'

/** Describes how a task in Harbor's format is run and verified. */
export function HarborFacts({ task }: { task: HarborTask }) {
  return (
    <>
      <Section id="verification" title="Verification">
        <FactList facts={listFacts(task)} />
        <p className="mt-2 max-w-3xl text-muted">
          Graded by the {HARBOR_GRADING}. A reward of 1 or more is solved; a smaller one is recorded
          and counts as unsolved. Rewarded work is judged again, also by changed tests, which must
          not be rewarded; where none can be changed, work that ends the verifier’s process with
          exit code 0 can be rewarded.
        </p>
        {task.unproven ? (
          <p className="mt-2 max-w-3xl">
            Unproven: nothing shows that the check tells good work from none, so no entry with this
            task is ranked. A proof would add that: put a script that solves the task at{' '}
            <Code text="solution/solve.sh" />, then run{' '}
            <Code text="npx proofboard suite verify <folder>" />. The solution has to pass, doing
            nothing has to fail, and changed tests must not be passed.
          </p>
        ) : null}
        {areTestsOnline(task) ? <p className="mt-2 max-w-3xl text-warn">{ONLINE_TESTS}</p> : null}
      </Section>
      {task.notes.length > 0 ? (
        <Section id="notes" title="Notes">
          <TextList items={task.notes.map(visibleText)} />
        </Section>
      ) : null}
    </>
  )
}

function listFacts(task: HarborTask) {
  const { place, image, agent, verifier, limits, authors, digest } = task
  const { healthcheck, steps } = task
  const { cpus, memoryMb, storageMb } = limits
  const most = [
    ...(cpus === null ? [] : [`${formatCount(cpus)} CPUs`]),
    ...(memoryMb === null ? [] : [`${formatCount(memoryMb)} MB memory`]),
    ...(storageMb === null ? [] : [`${formatCount(storageMb)} MB storage`]),
  ]
  return present([
    { name: 'Environment', value: <Code text={formatPlace(place, image)} /> },
    { name: 'Verifier', value: <Code text="tests/test.sh" /> },
    steps !== undefined && { name: 'Steps', value: formatSteps(task) },
    healthcheck !== undefined && {
      name: 'Healthcheck',
      value: <Code text={healthcheck.command} />,
    },
    { name: 'Verification timeout', value: formatDuration(verifier.timeoutMs) },
    agent.timeoutMs !== null && { name: 'Limits', value: formatDuration(agent.timeoutMs) },
    most.length > 0 && { name: 'Container', value: most.join(', ') },
    { name: 'Network', value: `agent ${agent.network}, verifier ${verifier.network}` },
    authors.length > 0 && { name: 'Authors', value: visibleText(authors.join(', ')) },
    { name: 'Digest', value: <ShortDigest digest={digest} /> },
  ])
}

/** The names of the steps, and which of them have to be solved. */
function formatSteps({ steps = [], stepReward }: HarborTask): string {
  const names = steps.map(({ name }) => name).join(', ')
  return visibleText(`${names} (${stepReward === 'final' ? 'the last' : 'each'} has to be solved)`)
}

function formatPlace(place: HarborTask['place'], image: string | null): string {
  if (place.kind === 'files') return `${place.workdir} (${image ?? place.from})`
  return `docker: ${image ?? 'environment/Dockerfile'}`
}
