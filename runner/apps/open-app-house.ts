import { PROJECT_ROOT } from '../suites/project-paths.ts'
import type { AppHouse } from './app-house.ts'
import { startAppHouse } from './start-app-house.ts'
import { findThirdParty } from './third-party/find-third-party.ts'
import { startThirdPartyHouse } from './third-party/start-third-party-house.ts'

const START_WITHIN_MS = 60_000

/** All apps of one run: our own on one server that is started now, other people's as they are asked for. */
export async function openAppHouse({
  temporary,
  runMark,
}: {
  temporary: string
  runMark: string
}): Promise<AppHouse> {
  const home = { folder: temporary, runMark, startMs: START_WITHIN_MS }
  const own = await startAppHouse({ runMark })
  const others = startThirdPartyHouse(PROJECT_ROOT, home)
  return {
    open: (order) => (findThirdParty(order.app) ? others : own).open(order),
    close: async () => {
      await Promise.all([own.close(), others.close()])
    },
  }
}
