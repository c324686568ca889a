import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Service, startService } from '../process/start-service.ts'
import { BrowserConnection } from './browser-connection.ts'
import { BrowserError } from './browser-error.ts'
import { chromiumArguments } from './chromium-arguments.ts'
import { encloseBrowser } from './enclose-browser.ts'
import type { FoundProgram } from './find-chromium.ts'

const START_MS = 20_000
const GRACE_MS = 200
const KEPT_LINES = 40
/** A socket's path has 107 bytes; Chromium puts `/org.chromium.Chromium.XXXXXX/SingletonSocket` behind its folder. */
const MOST_PROFILE_BYTES = 107 - 45

/** Where the house's browsers live: below the run's temporary folder, carrying the run's mark. */
export type BrowserPlace = {
  chromium: FoundProgram
  temporary: string
  runMark: string
  noSandbox: boolean
  /** The folder of all episodes' places, where browsers are kept from every other file; null = they are not. */
  desks: string | null
}

/** A running browser with the harness's own connection to it. */
export type OwnedBrowser = {
  service: Service
  port: number
  connection: BrowserConnection
  /** Ends its whole tree and removes its profile. */
  end: () => Promise<void>
}

/** Starts a browser with a fresh profile. Throws a BrowserError when it does not come up within 20 seconds. */
export async function launchChromium(place: BrowserPlace): Promise<OwnedBrowser> {
  refuseLongFolder(place.temporary)
  const profile = await mkdtemp(join(place.temporary, 'browser-'))
  const lines: string[] = []
  let tellAddress: (address: string) => void = () => {}
  const listening = new Promise<string>((resolve) => {
    tellAddress = resolve
  })
  const { chromium, desks, noSandbox } = place
  const argv = [chromium.path, ...chromiumArguments({ profile, noSandbox })] as const
  const service = startService(
    {
      argv: desks === null ? argv : encloseBrowser(argv, { profile, desks }),
      cwd: profile,
      env: browserEnv(profile),
      runMark: place.runMark,
      onLine: (line) => {
        lines.push(line.slice(0, 500))
        if (lines.length > KEPT_LINES) lines.shift()
        const address = /DevTools listening on (ws:\/\/\S+)/.exec(line)?.[1]
        if (address) tellAddress(address)
      },
    },
    GRACE_MS,
  )
  const removeProfile = () => rm(profile, { recursive: true, force: true, maxRetries: 5 })
  try {
    const address = await waitForAddress(listening, service, place, lines)
    const connection = await BrowserConnection.open(address)
    const end = async () => {
      await connection.close()
      await service.stop()
      await removeProfile()
    }
    return { service, port: Number(new URL(address).port), connection, end }
  } catch (error) {
    await service.stop()
    await removeProfile()
    if (error instanceof BrowserError) throw error
    throw new BrowserError(
      `${place.chromium.path} was started but cannot be spoken to: ${(error as Error).message}`,
    )
  }
}

/** Chromium would abort without a word about it. */
function refuseLongFolder(temporary: string): void {
  const most = MOST_PROFILE_BYTES - '/browser-XXXXXX'.length
  if (process.platform !== 'linux' || Buffer.byteLength(temporary) <= most) return
  throw new BrowserError(
    `the temporary folder ${temporary} has a longer path than Chromium can use (${most} bytes): set TMPDIR to a shorter one`,
  )
}

/** The same for everybody: nothing of the owner's settings, one language, one time zone. */
function browserEnv(home: string): Record<string, string> {
  return { PATH: '/usr/bin:/bin', HOME: home, TMPDIR: home, LANG: 'en_US.UTF-8', TZ: 'UTC' }
}

async function waitForAddress(
  listening: Promise<string>,
  { ended }: Service,
  { chromium }: BrowserPlace,
  lines: readonly string[],
): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), START_MS)
  })
  const first = await Promise.race([listening, ended, hung])
  clearTimeout(timer)
  if (typeof first === 'string') return first
  const advice = 'set PROOFBOARD_CHROMIUM to the path of a Chromium that works'
  if (first === null)
    throw new BrowserError(
      `${chromium.path} opened no debugging port within ${START_MS / 1000} s: ${advice}`,
    )
  const how = first.error ?? first.signal ?? `exit code ${first.exitCode}`
  throw new BrowserError(
    `${chromium.path} ended at its start (${how})${showReason(lines)}: ${advice}`,
  )
}

/** The last line that says more than that there is no message bus here. */
function showReason(lines: readonly string[]): string {
  const said = lines.findLast((line) => line.trim() !== '' && !line.includes('dbus'))
  return said ? `, saying "${said.trim()}"` : ''
}
