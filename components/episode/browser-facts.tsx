import {
  type AnyEpisode,
  type BrowserRecord,
  type Environment,
  formatLoad,
  type MachineLoad,
} from '#lib/domain/record/index.ts'
import {
  DRIVEN_LABELS,
  formatRung,
  REUSE_LABELS,
  RUNG_LABELS,
  TARGETING_LABELS,
} from '#lib/domain/tasks/index.ts'
import { countOf, present } from '#lib/domain/text/index.ts'
import { formatCount, formatDuration, formatSize, UNKNOWN, visibleText } from '../ui/format.ts'
import { type Fact, FactList } from '../ui/layout.tsx'

type BrowserFactsProps = { episode: AnyEpisode; browser: BrowserRecord }

/** Facts of a browser episode: what the library reported compared with the success criteria. */
export function BrowserFacts({ episode, browser }: BrowserFactsProps) {
  const ending = formatLibraryEnd(episode)
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
    { name: 'Driven', value: DRIVEN_LABELS[driven] },
    { name: 'Locator strategy', value: TARGETING_LABELS[targeting] },
    {
      name: 'Connection time',
      value: formatDuration(connectMs),
      title: 'Included in the library’s time',
    },
    {
      name: 'Returned',
      value:
        resultBytes === null
          ? UNKNOWN
          : `${formatSize(resultBytes)}, ${resultTokens === null ? UNKNOWN : countOf(resultTokens, 'token')}`,
      title: 'Output that the library returned to its driver; tokens in the o200k encoding',
    },
    {
      name: 'Sandbox',
      value: formatReach(browser),
      title: 'What the library could access besides its browser',
    },
    { name: 'Library error', value: <LibraryError error={libraryError} /> },
  ]
}

function formatReach({ reach }: BrowserRecord): string {
  if (!reach) return UNKNOWN
  const { sandbox, toldApart, refused } = reach
  const own = sandbox === 'none' ? 'local (no sandbox)' : `${sandbox}, access to its browser only`
  if (toldApart === false) return `${own}; requests of other programs not distinguished`
  return refused ? `${own}; ${countOf(refused, 'request')} of other programs refused` : own
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
  if (!recovery) return [{ name: 'Recovery', value: 'not needed' }]
  const { fault, rung, detectMs } = recovery
  return present<Fact>([
    { name: 'Recovery', value: `${formatRung(rung)}: ${RUNG_LABELS[rung].meaning}` },
    fault !== null && {
      name: 'Detected after',
      value: detectMs === null ? `${UNKNOWN} no error reported` : formatDuration(detectMs),
      title: `From the injection of ${fault} to the library’s first error`,
    },
  ])
}

function browserFacts(
  { reuse, harnessMs, processes, reset, load }: BrowserRecord,
  name: Environment['browser'],
): Fact[] {
  const { peakPssBytes, libraryPeakPssBytes, peakCount, zombies } = processes
  const { word, meaning } = REUSE_LABELS[reuse]
  return [
    { name: 'Browser', value: name ? visibleText(`${name.name} ${name.version}`) : UNKNOWN },
    { name: 'Browser start', value: `${word}: ${meaning}` },
    {
      name: 'Harness time',
      value: formatDuration(harnessMs),
      title: 'Time outside the library and the app',
    },
    {
      name: 'Peak memory',
      value: `${formatSize(peakPssBytes)}, of which library ${formatSize(libraryPeakPssBytes)}`,
      title: 'Proportional set size of the process trees: shared pages are counted once',
    },
    {
      name: 'Processes',
      value: `peak ${formatCount(peakCount)}, ${zombies === null ? UNKNOWN : countOf(zombies, 'zombie')}`,
    },
    ...loadFacts(load),
    { name: 'Browser cleanup', value: reset === null ? UNKNOWN : RESET_WORDS[reset] },
  ]
}

const LOAD_WORDS: Record<MachineLoad['state'], string> = {
  free: 'enough CPU',
  busy: 'busy machine',
  starved: 'starved by other programs',
}

/** Machine load; empty for envelopes that do not record it. */
function loadFacts(load: MachineLoad | undefined): Fact[] {
  if (load === undefined) return []
  const title = 'While the subject worked: browser and library, and what else ran on the machine'
  return [{ name: 'Machine', value: `${LOAD_WORDS[load.state]}: ${formatLoad(load)}`, title }]
}

const RESET_WORDS: Record<NonNullable<BrowserRecord['reset']>, string> = {
  verified: 'reset and verified',
  'thrown-away': 'discarded',
}

type Ending = { tone: 'plain' | 'warn'; text: string }

/** Compares the library's report with the success criteria; null = no browser. */
export function formatLibraryEnd({
  browser,
  contract,
  outcome,
}: Pick<AnyEpisode, 'browser' | 'contract' | 'outcome'>): Ending | null {
  if (!browser) return null
  const verdict = contract?.verdict ?? null
  const message = browser.libraryError ? 'The library reported an error' : NO_ERROR[browser.driven]
  if (verdict === null) return plain(`${message}; the success criteria were not evaluated.`)
  if (verdict === 'inconclusive')
    return plain(`${message}; the success criteria were inconclusive.`)
  if (verdict === 'pass') {
    return browser.libraryError
      ? warn(`${message}, but the success criteria are met (success with an error).`)
      : plain(`${message}, and the success criteria are met.`)
  }
  if (browser.libraryError) return plain(`${message}, and the success criteria are not met.`)
  if (outcome.status !== 'unsolved') {
    return plain(
      'The library reported no error before the episode ended, and the success criteria are not met.',
    )
  }
  return warn(`${message}, but the success criteria are not met (false success).`)
}

const NO_ERROR = {
  scripted: 'The library reported success',
  llm: 'The library reported no error and the model finished',
}

function plain(text: string): Ending {
  return { tone: 'plain', text }
}

function warn(text: string): Ending {
  return { tone: 'warn', text }
}
