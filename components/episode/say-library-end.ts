import type { Episode } from '#lib/domain/episode.ts'

type Ending = { tone: 'plain' | 'warn'; text: string }

/** What the library said of its work beside what the contract said of the result; null = there was no browser. */
export function sayLibraryEnd({
  browser,
  contract,
  outcome,
}: Pick<Episode, 'browser' | 'contract' | 'outcome'>): Ending | null {
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
