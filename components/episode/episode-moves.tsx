import { tabHref } from './episode-tabs.ts'

type EpisodeMovesProps = {
  previous: string | null
  next: string | null
  solved: { episodeId: string; isSameRun: boolean } | null
  /** The page with both solutions; null = there is none. */
  besideHref: string | null
}

/** Links to failed episodes of the same run (also k and j), and to an attempt that solved the same task. */
export function EpisodeMoves({ previous, next, solved, besideHref }: EpisodeMovesProps) {
  if (!previous && !next && !solved) return null
  return (
    <nav aria-label="Related episodes" className="space-y-1">
      {previous || next ? (
        <p className="flex flex-wrap gap-x-4">
          <FailedLink direction="previous" episodeId={previous} shortcut="k" />
          <FailedLink direction="next" episodeId={next} shortcut="j" />
        </p>
      ) : null}
      {solved ? (
        <p>
          <a className="link" href={tabHref(solved.episodeId, 'summary')}>
            A solved attempt of the same task
          </a>
          {solved.isSameRun ? '' : ', by another run'}
          {besideHref ? (
            <>
              {' · '}
              <a className="link" href={besideHref}>
                side by side
              </a>
            </>
          ) : null}
        </p>
      ) : null}
    </nav>
  )
}

type FailedLinkProps = {
  direction: 'previous' | 'next'
  episodeId: string | null
  shortcut: 'j' | 'k'
}

function FailedLink({ direction, episodeId, shortcut }: FailedLinkProps) {
  if (!episodeId) return null
  return (
    <a
      aria-keyshortcuts={shortcut}
      className="link"
      data-failed={direction}
      href={tabHref(episodeId, 'summary')}
    >
      {direction === 'next' ? 'Next failure' : 'Previous failure'}{' '}
      <kbd className="rounded border border-line bg-sunken px-1 text-xs">{shortcut}</kbd>
    </a>
  )
}
