import { formatBytes, formatCount, UNKNOWN } from '#components/format/number.ts'
import { formatDuration } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import type { BrowserRecord } from '#lib/domain/browser/browser-record.ts'
import {
  DRIVEN_WORDS,
  REUSE_WORDS,
  RUNG_WORDS,
  sayRung,
  TARGETING_WORDS,
} from '#lib/domain/browser/browser-words.ts'
import type { Environment } from '#lib/domain/environment.ts'
import type { Episode } from '#lib/domain/episode.ts'
import { sayLibraryEnd } from './say-library-end.ts'

type BrowserFactsProps = { episode: Episode; browser: BrowserRecord }

/** What only a browser episode has; what the library said stands beside what the contract said. */
export function BrowserFacts({ episode, browser }: BrowserFactsProps) {
  const ending = sayLibraryEnd(episode)
  return (
    <>
      {ending ? (
        <p className={`mb-3 text-base ${ending.tone === 'warn' ? 'text-warn' : ''}`}>
          {ending.text}
        </p>
      ) : null}
      <div className="grid gap-x-10 lg:grid-cols-2">
        <FactList facts={[...libraryFacts(browser), ...recoveryFacts(browser)]} />
        <FactList facts={browserFacts(browser, episode.environment?.browser ?? null)} />
      </div>
    </>
  )
}

function libraryFacts(browser: BrowserRecord): Fact[] {
  const { driven, targeting, connectMs, resultBytes, resultTokens, libraryError } = browser
  return [
    { name: 'Driven', value: DRIVEN_WORDS[driven] },
    { name: 'Points by', value: TARGETING_WORDS[targeting] },
    {
      name: 'Connected after',
      value: formatDuration(connectMs),
      title: 'Part of the subject’s time',
    },
    {
      name: 'Gave back',
      value:
        resultBytes === null
          ? UNKNOWN
          : `${formatBytes(resultBytes)}, ${formatCount(resultTokens)} tokens`,
      title: 'What the library showed to whoever drives it; tokens by the o200k encoding',
    },
    {
      name: 'Sandbox',
      value: sayReach(browser),
      title: 'What the library could reach beside its browser',
    },
    { name: 'Library error', value: <LibraryError error={libraryError} /> },
  ]
}

function sayReach({ reach }: BrowserRecord): string {
  if (!reach) return UNKNOWN
  const { sandbox, toldApart, refused } = reach
  const own = sandbox === 'none' ? 'local (no sandbox)' : `${sandbox}: only its browser`
  if (toldApart === false) return `${own}; requests of other programs not told apart`
  return refused ? `${own}; ${formatCount(refused)} requests of other programs refused` : own
}

function LibraryError({ error }: { error: BrowserRecord['libraryError'] }) {
  if (!error) return 'none'
  const where = [error.action, error.step && `in “${error.step}”`].filter(Boolean).join(' ')
  return (
    <>
      {where ? visibleText(where) : null}
      <pre className="mt-1 whitespace-pre-wrap rounded bg-sunken p-2 text-xs">
        {visibleText(error.message)}
      </pre>
    </>
  )
}

function recoveryFacts({ recovery }: BrowserRecord): Fact[] {
  if (!recovery) return [{ name: 'Recovery', value: 'nothing went wrong' }]
  const { fault, rung, detectMs } = recovery
  return [
    { name: 'Recovery', value: `${sayRung(rung)}: ${RUNG_WORDS[rung].meaning}` },
    ...(fault
      ? [
          {
            name: 'Detected after',
            value: detectMs === null ? `${UNKNOWN} no error was seen` : formatDuration(detectMs),
            title: `From the firing of ${fault} to the library’s first error`,
          },
        ]
      : []),
  ]
}

function browserFacts(
  { reuse, harnessMs, processes, reset }: BrowserRecord,
  name: Environment['browser'],
): Fact[] {
  const { peakPssBytes, libraryPeakPssBytes, peakCount, zombies } = processes
  const { word, meaning } = REUSE_WORDS[reuse]
  return [
    { name: 'Browser', value: name ? visibleText(`${name.name} ${name.version}`) : UNKNOWN },
    { name: 'Browser was', value: `${word}: ${meaning}` },
    {
      name: 'Harness',
      value: formatDuration(harnessMs),
      title: 'Time that is neither the library’s nor the app’s',
    },
    {
      name: 'Peak memory',
      value: `${formatBytes(peakPssBytes)}, the library’s part ${formatBytes(libraryPeakPssBytes)}`,
      title: 'Proportional set size of the process trees: shared pages are counted once',
    },
    {
      name: 'Processes',
      value: `${formatCount(peakCount)} at most, ${formatCount(zombies)} zombies`,
    },
    { name: 'Afterwards', value: reset === null ? UNKNOWN : RESET_WORDS[reset] },
  ]
}

const RESET_WORDS: Record<NonNullable<BrowserRecord['reset']>, string> = {
  verified: 'shown to hold nothing of this episode any more',
  'thrown-away': 'thrown away',
}
