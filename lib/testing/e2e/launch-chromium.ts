import { type Browser, chromium } from 'playwright-core'

/** Chromium must neither look for updates nor call home: the tests run without a network. */
const QUIET = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** The Chromium that `npm test` found. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.PROOFBOARD_CHROMIUM ?? '/usr/bin/chromium'
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args: [...QUIET, ...asRoot] })
}
