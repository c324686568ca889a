import type { EpisodeView } from '#lib/domain/api/index.ts'
import { modelLabel, subjectLabel } from '#lib/domain/record/index.ts'
import { formatWay } from '#lib/domain/tasks/index.ts'
import { visibleText } from '../ui/format.ts'
import { PageHeading } from '../ui/layout.tsx'

type EpisodeHeadingProps = {
  view: Pick<EpisodeView, 'episode' | 'taskTitle'>
  /** The task has a page. */
  isTaskKnown: boolean
}

/** The task of an episode, where it ran, and who worked on it. */
export function EpisodeHeading({ view, isTaskKnown }: EpisodeHeadingProps) {
  const { browser, subject, suiteId, taskId, runId, repetition, attempt, fault } = view.episode
  const facts = [
    subject.name,
    subject.version,
    modelLabel(subject),
    browser ? formatWay({ driven: browser.driven, subject }) : null,
    fault ? `fault ${fault.plan}` : null,
  ]
  return (
    <PageHeading
      title={visibleText(view.taskTitle)}
      trail={
        <>
          <a className="link" href="/runs">
            Runs
          </a>{' '}
          /{' '}
          <a className="link untrusted" href={`/runs/${runId}`} title={runId}>
            {visibleText(subjectLabel(subject))}
          </a>{' '}
          /{' '}
          {isTaskKnown ? (
            <a className="link" href={`/suites/${suiteId}/tasks/${taskId}`}>
              {taskId}
            </a>
          ) : (
            taskId
          )}
        </>
      }
    >
      {visibleText(facts.filter(Boolean).join(' · '))}, repetition {repetition}, attempt {attempt}
    </PageHeading>
  )
}
