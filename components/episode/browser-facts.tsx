import type { AnyEpisode } from '#lib/domain/record/any-record.ts'
import type { BrowserRecord } from '#lib/domain/record/browser.ts'
import type { Environment } from '#lib/domain/record/environment.ts'
import {
  DRIVEN_WORDS,
  formatRung,
  REUSE_WORDS,
  RUNG_WORDS,
  TARGETING_WORDS,
} from '#lib/domain/tasks/browser-labels.ts'
import { formatBytes, formatCount, formatDuration, UNKNOWN, visibleText } from '../ui/format.ts'
import { type Fact, FactList } from '../ui/layout.tsx'

type BrowserFactsProps = { episode: AnyEpisode; browser: BrowserRecord }

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
    { name: 'Recovery', value: `${formatRung(rung)}: ${RUNG_WORDS[rung].meaning}` },
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

type Ending = { tone: 'plain' | 'warn'; text: string }

/** What the library said of its work beside what the contract said of the result; null = there was no browser. */
export function sayLibraryEnd({
  browser,
  contract,
  outcome,
}: Pick<AnyEpisode, 'browser' | 'contract' | 'outcome'>): Ending | null {
  if (!browser) return null
  const verdict = contract?.verdict ?? null
  const said = browser.libraryError ? 'The library reported an error' : NO_ERROR[browser.driven]
  if (verdict === null) return plain(`${said}; the contract was never evaluated.`)
  if (verdict === 'inconclusive') return plain(`${said}; the contract came to no verdict.`)
  if (verdict === 'pass') {
    return browser.libraryError
      ? warn(`${said}, the contract passed: a success with an error.`)
      : plain(`${said}, and the contract passed.`)
  }
  if (browser.libraryError) return plain(`${said}, and the contract failed.`)
  if (outcome.status !== 'unsolved') {
    return plain('The library reported no error before the episode ended, and the contract failed.')
  }
  return warn(`${said}, the contract failed: a false success.`)
}

const NO_ERROR = {
  scripted: 'The library reported success',
  llm: 'The library reported no error and the model ended its work',
}

function plain(text: string): Ending {
  return { tone: 'plain', text }
}

function warn(text: string): Ending {
  return { tone: 'warn', text }
}
