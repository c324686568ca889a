import type { PrunedNote } from '#lib/domain/api/index.ts'
import type { FilmFrame } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatDuration, visibleText } from '../ui/format.ts'
import { ScrollBox } from '../ui/table.tsx'

type FilmstripProps = {
  episodeId: string
  film: readonly FilmFrame[] | null
  /** Why the listed screenshots cannot be shown. */
  absent: string | null
  pruned: readonly PrunedNote[]
}

/** Thumbnails of the page, one at the end of each step, in a row that scrolls. */
export function FilmstripView({ episodeId, film, absent, pruned }: FilmstripProps) {
  if (absent) return <p className="text-muted">The screenshots of the steps are {absent}.</p>
  if (film === null) return <p className="text-muted">No screenshots of the steps were taken.</p>
  const gone = new Set(pruned.map(({ path }) => path))
  // File names contain the frame's number, which is lost if a line is unreadable.
  const frames = film.flatMap((frame) =>
    gone.has(frame.path) ? [] : [{ frame, number: Number(frame.path.replace(/\D/g, '')) }],
  )
  if (frames.length === 0) {
    return <p className="text-muted">The screenshots of the steps were pruned.</p>
  }
  return (
    <>
      <ScrollBox aria-label="Filmstrip" className="overflow-x-auto pb-2">
        <ol className="flex w-max gap-3 print:w-auto print:flex-wrap">
          {frames.map(({ frame, number }) => (
            <li className="w-52" key={number}>
              <FilmFrameImage episodeId={episodeId} frame={frame} number={number} />
            </li>
          ))}
        </ol>
      </ScrollBox>
      <p className="mt-1 text-muted text-xs">
        {countOf(frames.length, 'screenshot')}, each taken when a step had ended; of a long episode
        not every step has one. The library does not wait for them, so a screenshot may show the
        beginning of the next step.
      </p>
    </>
  )
}

type FilmFrameImageProps = { episodeId: string; frame: FilmFrame; number: number }

function FilmFrameImage({ episodeId, frame, number }: FilmFrameImageProps) {
  const { step, action, endMs, lateMs, failed } = frame
  const name = visibleText([step, action].filter(Boolean).join(': ') || `Step ${number}`)
  const source = `/api/v1/episodes/${episodeId}/screenshot?frame=${number}`
  return (
    <figure>
      <a
        className={`block overflow-hidden rounded border ${failed ? 'border-bad' : 'border-line'} bg-sunken`}
        href={source}
        title="Open this screenshot"
      >
        {/* biome-ignore lint/performance/noImgElement: evidence is shown unchanged, never resized by a server. */}
        <img
          alt={`The page ${failed ? 'when this failed' : 'after this step'}: ${name}`}
          className="aspect-[8/5] w-full object-contain"
          height={130}
          loading="lazy"
          src={source}
          width={208}
        />
      </a>
      <figcaption className="mt-1 text-xs">
        <span className="untrusted line-clamp-2">{name}</span>
        <span className={failed ? 'text-bad' : 'text-muted'} title={`seen ${lateMs} ms later`}>
          {formatDuration(endMs)} · {failed ? 'failed' : 'done'}
        </span>
      </figcaption>
    </figure>
  )
}
