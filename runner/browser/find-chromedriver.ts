import { findBinary } from '../agents/find-binary.ts'
import { BrowserError } from './browser-error.ts'
import { askProgram, type FoundProgram } from './find-chromium.ts'

const FOLDERS = '/usr/lib/chromium:/usr/lib/chromium-browser'

/** The chromedriver that fits this Chromium. Throws a BrowserError that says what to do. */
export async function findChromedriver(
  own: Readonly<Record<string, string | undefined>>,
  chromium: FoundProgram,
): Promise<FoundProgram> {
  const given = own.PROOFBOARD_CHROMEDRIVER
  const path = given
    ? findBinary(given, '')
    : findBinary('chromedriver', `${own.PATH ?? ''}:${FOLDERS}`)
  if (path === null)
    throw new BrowserError(
      given
        ? `PROOFBOARD_CHROMEDRIVER=${given} is not an executable program: give the path of a chromedriver, or unset it`
        : `no chromedriver was found: install the one of ${chromium.version} (Debian: apt-get install chromium-driver), or set PROOFBOARD_CHROMEDRIVER to the path of one`,
    )
  const driver = await askProgram(path, 'PROOFBOARD_CHROMEDRIVER')
  if (driver.major !== chromium.major)
    throw new BrowserError(
      `${path} is ${driver.version}, which does not fit ${chromium.version}: install the chromedriver of version ${chromium.major}, or set PROOFBOARD_CHROMEDRIVER to the path of one`,
    )
  return driver
}
