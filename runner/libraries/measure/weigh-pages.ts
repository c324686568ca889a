import type { LibraryFact } from '#lib/domain/axes/library-facts.ts'
import type { AppHouse } from '../../apps/app-house.ts'
import type { HostReport } from '../host-protocol.ts'
import type { PlayScript } from './open-bench.ts'

const DRIVER = 'runner/libraries/measure/look-driver.ts'
/** First pages of the fixture apps: a catalogue, a table, a list of forms. */
const APPS = ['shop', 'admin', 'application']
const ENOUGH_ACTIONS = 3

let looks = 0

/** How much a library gives back for opening a page and looking at it once, over the first pages of the apps. */
export async function weighPages(
  play: PlayScript,
  apps: AppHouse,
): Promise<NonNullable<LibraryFact['pagesShown']> | null> {
  const reports: (HostReport | null)[] = []
  for (const app of APPS) {
    const tenant = await apps.open({ app, tenant: `look${looks++}`, seed: 7, fault: null })
    try {
      const { report } = await play({
        driver: DRIVER,
        origin: tenant.origin,
        maxActions: ENOUGH_ACTIONS,
      })
      reports.push(report)
    } finally {
      await tenant.close()
    }
  }
  return addUp(reports)
}

/** Null unless every page was seen: a mean over some would be a guess. */
export function addUp(
  reports: readonly (Pick<HostReport, 'ending' | 'resultBytes' | 'resultTokens'> | null)[],
): NonNullable<LibraryFact['pagesShown']> | null {
  const seen = reports.flatMap((report) =>
    report?.ending === 'finished' && report.resultBytes !== null ? [report] : [],
  )
  if (seen.length === 0 || seen.length < reports.length) return null
  const bytes = seen.reduce((sum, { resultBytes }) => sum + (resultBytes ?? 0), 0)
  const isCounted = seen.every(({ resultTokens }) => resultTokens !== null)
  const tokens = isCounted ? seen.reduce((sum, one) => sum + (one.resultTokens ?? 0), 0) : null
  return { pages: seen.length, bytes, tokens }
}
