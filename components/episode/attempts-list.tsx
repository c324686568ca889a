import Link from 'next/link'
import { formatDuration } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { OutcomeGlyph } from '#components/run/outcome-glyph.tsx'
import { OUTCOME_WORDS } from '#components/run/outcome-words.ts'
import type { Episode } from '#lib/domain/episode.ts'
import type { EpisodeCell } from '#lib/domain/views/run-view.ts'

type AttemptsListProps = { episode: Episode; attempts: readonly EpisodeCell[] }

/** Every attempt of this slot; none is ever overwritten. */
export function AttemptsList({ episode, attempts }: AttemptsListProps) {
  return (
    <>
      <ol className="border-line border-b">
        {attempts.map((cell) => (
          <li
            className="flex min-h-9 flex-wrap items-center gap-x-3 border-line border-t py-1"
            key={cell.episodeId}
          >
            <OutcomeGlyph className="size-5" status={cell.status} />
            {cell.episodeId === episode.episodeId ? (
              <strong className="font-medium">Attempt {cell.attempt} (this one)</strong>
            ) : (
              <Link className="link" href={`/episodes/${cell.episodeId}`} prefetch={false}>
                Attempt {cell.attempt}
              </Link>
            )}
            <span>{OUTCOME_WORDS[cell.status].word}</span>
            <span className="text-muted">{formatDuration(cell.totalMs)}</span>
          </li>
        ))}
      </ol>
      {episode.previousAttempt ? (
        <p className="untrusted mt-2 text-muted">
          Tried again because: {visibleText(episode.previousAttempt.reason)}
        </p>
      ) : null}
    </>
  )
}
