import { areTestsOnline, type DescribedTask, ONLINE_TESTS } from '#lib/domain/tasks/index.ts'
import { visibleText } from '../ui/format.ts'
import { FactList, Section, ShortDigest } from '../ui/layout.tsx'

/** Shows what a task without a view of its own states about itself. */
export function DescribedFacts({ task }: { task: DescribedTask }) {
  const stated = Object.entries(task.facts).map(([name, value]) => ({
    name: visibleText(name),
    value: visibleText(value),
  }))
  return (
    <Section id="verification" title="Verification">
      <FactList
        facts={[...stated, { name: 'Digest', value: <ShortDigest digest={task.digest} /> }]}
      />
      {task.unproven ? (
        <p className="mt-2 max-w-3xl">
          Unproven: nothing shows that the check refuses work that does nothing, so no entry with
          this task is ranked.
        </p>
      ) : null}
      {areTestsOnline(task) ? <p className="mt-2 max-w-3xl text-warn">{ONLINE_TESTS}</p> : null}
    </Section>
  )
}
