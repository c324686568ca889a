import { plural } from '#components/format/number.ts'
import { formatDuration } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { FactList } from '#components/ui/fact-list.tsx'
import { Section } from '#components/ui/section.tsx'
import { ShortDigest } from '#components/ui/short-digest.tsx'
import type { Exercise } from '#lib/domain/task.ts'
import { MutationFacts } from './mutation-facts.tsx'

/** What an exercise is judged by; its files lie in the suite's folder. */
export function ExerciseFacts({ exercise }: { exercise: Exercise }) {
  const { files, expectedTests, runTests, typeTests, verifyTimeoutMs, digest, mutation } = exercise
  return (
    <>
      <FactList
        facts={[
          { name: 'Solution', value: <Paths paths={files.solution} /> },
          { name: 'Tests', value: runTests ? <Paths paths={files.test} /> : 'none are run' },
          {
            name: 'Types',
            value: typeTests ? 'checked by type tests as well' : 'compiled strictly',
          },
          { name: 'Check takes', value: `at most ${formatDuration(verifyTimeoutMs)}` },
          { name: 'Digest', value: <ShortDigest digest={digest} /> },
        ]}
      />
      {mutation ? (
        <Section id="test-quality" title="Test quality">
          <MutationFacts mutation={mutation} />
        </Section>
      ) : null}
      <Section
        aside={plural(expectedTests.length, 'test')}
        id="contract"
        title="What has to hold at the end"
      >
        <ul className="border-line border-b">
          {expectedTests.map((name, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tests may bear one name.
            <li className="untrusted border-line border-t py-1.5" key={`${name} ${place}`}>
              {visibleText(name)}
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

function Paths({ paths }: { paths: readonly string[] }) {
  return <code className="text-xs">{visibleText(paths.join(', '))}</code>
}
