import { dirname } from 'node:path'
import { browserError } from '../runner-error.ts'
import type { Env } from '../sandbox/process/own-env.ts'
import { type Service, startService } from '../sandbox/process/start-service.ts'
import { listBinaries } from '../subjects/agents/find-binary.ts'
import { type FoundProgram, findWorking } from './find-chromium.ts'

const START_MS = 10_000
const GRACE_MS = 100

export type Chromedriver = { service: Service; port: number }

/** Starts a chromedriver on a port that the system chooses. Throws a RunnerError if it does not start. */
export async function launchChromedriver(
  driver: Pick<FoundProgram, 'path'>,
  place: { temporary: string; runMark: string },
): Promise<Chromedriver> {
  let tellPort: (port: number) => void = () => {}
  const listening = new Promise<number>((resolve) => {
    tellPort = resolve
  })
  const service = startService(
    {
      argv: [driver.path, '--port=0', '--log-level=SEVERE'],
      cwd: place.temporary,
      env: { PATH: '/usr/bin:/bin', HOME: place.temporary, TMPDIR: place.temporary },
      runMark: place.runMark,
      onLine: (line) => {
        const port = /started successfully on port (\d+)/.exec(line)?.[1]
        if (port) tellPort(Number(port))
      },
    },
    GRACE_MS,
  )
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), START_MS)
  })
  const first = await Promise.race([listening, service.ended, hung])
  clearTimeout(timer)
  if (typeof first === 'number') return { service, port: first }
  await service.stop()
  throw browserError(
    `${driver.path} did not come up: set PROOFBOARD_CHROMEDRIVER to the path of one that works`,
  )
}

const FOLDERS = '/usr/lib/chromium:/usr/lib/chromium-browser'

/** Finds the first chromedriver that works and matches this Chromium. Throws a RunnerError that says what to do. */
export async function findChromedriver(env: Env, chromium: FoundProgram): Promise<FoundProgram> {
  const given = env.PROOFBOARD_CHROMEDRIVER
  const searched = `${dirname(chromium.path)}:${env.PATH ?? ''}:${FOLDERS}`
  const paths = given ? listBinaries(given, '') : listBinaries('chromedriver', searched)
  const found = await findWorking(paths, 'PROOFBOARD_CHROMEDRIVER', (driver) =>
    driver.major === chromium.major
      ? null
      : browserError(
          `${driver.path} is ${driver.version}, which does not fit ${chromium.version}: install the chromedriver of version ${chromium.major}, or set PROOFBOARD_CHROMEDRIVER to the path of one`,
        ),
  )
  if (found !== null) return found
  throw browserError(
    given
      ? `PROOFBOARD_CHROMEDRIVER=${given} is not an executable program: give the path of a chromedriver, or unset it`
      : `no chromedriver was found: install the one of ${chromium.version} (Debian: apt-get install chromium-driver), or set PROOFBOARD_CHROMEDRIVER to the path of one`,
  )
}
