import type { Board, InstrumentCheck } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatDay, visibleText } from '../ui/format.ts'

const CLAIM =
  'Every attempt is graded where the agent cannot reach, and stored as evidence. Only results that meet every evidence rule are ranked.'
/** The claim for suites graded by another program, whose grading is unknown. */
const REPORTED_CLAIM = 'Only results that meet every evidence rule are ranked.'

type HomeHeroProps = {
  board: Board | null
  isReported: boolean
  /** The board with the controls that check the instrument: this one, or another of this server; null = none. */
  checked: Checked | null
}
type Checked = { board: Board; checks: readonly InstrumentCheck[] }

/** The first lines of the home page: the question, how it is answered, and the amount of evidence. */
export function HomeHero({ board, isReported, checked }: HomeHeroProps) {
  return (
    <header className="mb-4 sm:mb-6">
      <h1 className="max-w-3xl text-balance font-semibold text-xl tracking-tight sm:text-3xl">
        How often do coding agents and browser libraries really finish the job?
      </h1>
      <p className="mt-2 max-w-3xl text-muted sm:text-lg">{isReported ? REPORTED_CLAIM : CLAIM}</p>
      {board ? <BoardFacts board={board} checked={isReported ? null : checked} /> : null}
    </header>
  )
}

function BoardFacts({ board, checked }: { board: Board; checked: Checked | null }) {
  const { suiteId } = board.suite
  // Controls are not entries; they have a line of their own.
  const entries = board.rows.filter(({ subject }) => subject.kind !== 'control')
  const episodes = entries.reduce((sum, { success }) => sum + success.attempts, 0)
  const latest = board.rows
    .map(({ lastStartedAt }) => lastStartedAt)
    .sort()
    .at(-1)
  return (
    <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-muted">
      <Fact
        count={board.suite.tasks.length}
        href={`/suites/${encodeURIComponent(suiteId)}`}
        one="task"
      />
      {entries.length > 0 ? (
        <>
          <Fact count={entries.length} many="entries" one="entry" />
          <Fact
            count={episodes}
            href={`/runs?suite=${encodeURIComponent(suiteId)}`}
            one="scored episode"
          />
        </>
      ) : null}
      {latest ? (
        <span>
          updated <time dateTime={latest}>{formatDay(latest)}</time>
        </span>
      ) : null}
      {checked ? (
        <InstrumentLine {...checked} isOther={checked.board.suite.suiteId !== suiteId} />
      ) : null}
      <a className="link" href="/methodology">
        How to read this
      </a>
    </p>
  )
}

type FactProps = { count: number; one: string; many?: string; href?: string }

/** A number that links to what it counts. */
function Fact({ count, one, many, href }: FactProps) {
  const [number, ...words] = countOf(count, one, many).split(' ')
  const summary = (
    <>
      <strong className="font-semibold text-ink">{number}</strong> {words.join(' ')}
    </>
  )
  if (href === undefined) return <span>{summary}</span>
  return (
    <a className="link" href={href}>
      {summary}
    </a>
  )
}

type InstrumentLineProps = Checked & {
  /** True if the controls ran on another suite than the current one. */
  isOther: boolean
}

/** Reports in one line whether the controls, which are not competitors, have the expected results. */
function InstrumentLine({ board: { suite }, checks, isOther }: InstrumentLineProps) {
  const right = checks.filter(({ asExpected }) => asExpected).length
  const wrong = checks.filter(({ asExpected }) => !asExpected).map(({ name }) => name)
  return (
    <a
      className={wrong.length > 0 ? 'font-medium text-bad' : 'text-good'}
      href={`/?suite=${encodeURIComponent(suite.suiteId)}&kind=control`}
      title="Controls with a known result check the instrument itself: the reference solution must be solved, an empty, a wrong and a cheating one must not"
    >
      {wrong.length > 0 ? '✗' : '✓'} instrument checks
      {isOther ? ` on ${visibleText(suite.title)}` : ''}: {right} of {checks.length} as expected
      {wrong.length > 0 ? ` (not: ${wrong.join(', ')})` : ''}
    </a>
  )
}
