import { realpathSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { countOf } from '#lib/domain/text/index.ts'
import { browserError, isRunnerError } from '../runner-error.ts'
import { holdsPrivate, systemMounts } from '../sandbox/isolation/system-mounts.ts'
import { findTool } from '../sandbox/process/find-tool.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import { TOOL_ENV } from '../sandbox/process/run-tool.ts'
import { type Service, startService } from '../sandbox/process/start-service.ts'
import { BrowserConnection } from './browser-connection.ts'
import type { FoundProgram } from './find-chromium.ts'

const START_MS = 20_000
const GRACE_MS = 200
const KEPT_LINES = 40
/**
 * A socket's path has at most 107 bytes; Chromium appends `/org.chromium.Chromium.XXXXXX/SingletonSocket` to its
 * folder.
 */
const MAX_PROFILE_BYTES = 107 - 45

/** The folder of the run's browsers: below its temporary folder, with the run's mark. */
export type BrowserPlace = {
  chromium: FoundProgram
  temporary: string
  runMark: string
  noSandbox: boolean
  /** The folder of all episodes, outside of which browsers can read no other files; null = they can. */
  stagingFolder: string | null
}

/** A running browser with the harness's own connection to it. */
export type OwnedBrowser = {
  service: Service
  port: number
  connection: BrowserConnection
  /** Ends its whole process tree and removes its profile. */
  end: () => Promise<void>
}

/** Starts a browser with a fresh profile. Throws a RunnerError if it does not start within 20 seconds. */
export async function launchChromium(place: BrowserPlace): Promise<OwnedBrowser> {
  refuseLongFolder(place.temporary)
  const profile = await mkdtemp(join(place.temporary, 'browser-'))
  const lines: string[] = []
  let tellAddress: (address: string) => void = () => {}
  const listening = new Promise<string>((resolve) => {
    tellAddress = resolve
  })
  const { chromium, stagingFolder, noSandbox } = place
  const argv = [chromium.path, ...chromiumArguments({ profile, noSandbox })] as const
  const service = startService(
    {
      argv: stagingFolder === null ? argv : encloseBrowser(argv, { profile, stagingFolder }),
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
    if (isRunnerError(error, 'browser')) throw error
    throw browserError(
      `${place.chromium.path} was started but did not accept a connection: ${(error as Error).message}`,
    )
  }
}

/** Rejects a long path, with which Chromium would abort without a message. */
function refuseLongFolder(temporary: string): void {
  const max = MAX_PROFILE_BYTES - '/browser-XXXXXX'.length
  if (process.platform !== 'linux' || Buffer.byteLength(temporary) <= max) return
  throw browserError(
    `the temporary folder ${temporary} has a longer path than Chromium can use (${countOf(max, 'byte')}): set TMPDIR to a shorter one`,
  )
}

/** The same environment for all: no settings of the owner, one language, one time zone. */
function browserEnv(home: string): Record<string, string> {
  return { ...TOOL_ENV, HOME: home, TMPDIR: home, LANG: 'en_US.UTF-8', TZ: 'UTC' }
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
    throw browserError(
      `${chromium.path} opened no debugging port within ${START_MS / 1000} s: ${advice}`,
    )
  const how = first.error ?? first.signal ?? `exit code ${first.exitCode}`
  throw browserError(`${chromium.path} ended at its start (${how})${showReason(lines)}: ${advice}`)
}

/** Returns the last line of output other than the missing message bus. */
function showReason(lines: readonly string[]): string {
  const message = lines.findLast((line) => line.trim() !== '' && !line.includes('dbus'))
  return message ? `, saying "${message.trim()}"` : ''
}

/** Fonts and Chromium settings of this machine. */
const ETC = ['/etc/fonts', '/etc/chromium', '/etc/chromium.d', '/etc/passwd', '/etc/group']
const FOLDERS = ['/etc', '/etc/pki', '/etc/pki/tls', '/etc/ssl', '/run', '/var', '/var/cache']

type SandboxPlace = {
  profile: string
  /** The folder that contains all episodes' folders, for uploads and downloads. */
  stagingFolder: string
}

/**
 * Runs a browser that sees only its own profile, the episodes' folders and the system: its driver may open `file:`
 * addresses, upload any readable file, and name any folder for downloads. Its network stays the machine's.
 */
function encloseBrowser(
  [program, ...args]: readonly [string, ...string[]],
  { profile, stagingFolder }: SandboxPlace,
): [string, ...string[]] {
  const isRoot = process.getuid?.() === 0
  const real = realpathSync(program)
  const own = real.startsWith('/usr/') ? [] : [holdsPrivate(dirname(real)) ? real : dirname(real)]
  const given = [...new Set([...own, ...(program.startsWith('/usr/') ? [] : [program])])]
  return [
    findTool('bwrap') ?? 'bwrap',
    ...(isRoot
      ? ['--unshare-ipc', '--unshare-pid']
      : ['--unshare-user', '--unshare-ipc', '--unshare-pid']),
    // Libraries run as users of their own, whose private folders it has to read and write.
    ...['--cap-drop', 'ALL', ...(isRoot ? ['--cap-add', 'CAP_DAC_OVERRIDE'] : [])],
    ...['--die-with-parent', '--new-session'],
    ...FOLDERS.flatMap((path) => ['--dir', path]),
    ...systemMounts(),
    ...[...ETC, '/var/cache/fontconfig'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--perms', '1777', '--tmpfs', '/tmp'],
    ...given.flatMap((path) => ['--ro-bind', path, path]),
    ...[profile, stagingFolder].flatMap((path) => ['--bind', path, path]),
    ...['--remount-ro', '/', '--chdir', profile, '--'],
    ...[program, ...args],
  ]
}

/** The visible page in CSS pixels; the window's frame is added to it. */
export const VIEW = { width: 1280, height: 800 }

/** Returns whether Chromium has to run without its sandbox: it refuses to start as root with it. */
export function mustGoUnsandboxed(env: Env): boolean {
  return env.PROOFBOARD_CHROMIUM_NO_SANDBOX === '1' || process.getuid?.() === 0
}

/**
 * Arguments of every browser of a run: headless, a fresh profile, a debugging port that the system chooses, and no
 * access to anything but this machine.
 */
function chromiumArguments(options: { profile: string; noSandbox: boolean }): string[] {
  return [
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${options.profile}`,
    ...(options.noSandbox ? ['--no-sandbox'] : []),
    // Only this machine's own names are resolved; numeric addresses go to a proxy that does not exist.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
    '--proxy-server=http://127.0.0.1:9',
    '--proxy-bypass-list=localhost;*.localhost;127.0.0.1',
    '--disable-background-networking',
    '--disable-breakpad',
    '--disable-client-side-phishing-detection',
    '--disable-component-extensions-with-background-pages',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-dev-shm-usage',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,DialMediaRouteProvider',
    '--disable-gpu',
    '--disable-quic',
    '--disable-search-engine-choice-screen',
    '--disable-sync',
    '--force-color-profile=srgb',
    '--hide-scrollbars',
    '--lang=en-US',
    '--metrics-recording-only',
    '--mute-audio',
    '--no-default-browser-check',
    '--no-first-run',
    '--no-pings',
    '--password-store=basic',
    '--use-mock-keychain',
    // A hidden tab must not be slower than a shown one: libraries differ in which one they show.
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    `--window-size=${VIEW.width},${VIEW.height}`,
    'about:blank',
  ]
}
