import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '#runner/process/start-service.ts'

const CHROMIUM = '/usr/bin/chromium'
const CHROMEDRIVER = '/usr/bin/chromedriver'
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--remote-debugging-port=0',
]

/** A browser of a test file, as the harness would hand it to a library. */
export type TestBrowser = { endpoint: string; close: () => Promise<void> }

/** Starts a Chromium with a fresh profile and one empty page. */
export async function startChromium(): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'proofboard-chromium-'))
  const argv = [CHROMIUM, ...FLAGS, `--user-data-dir=${profile}`, 'about:blank'] as const
  const { found, stop } = await startAndRead(argv, /DevTools listening on ws:\/\/([^/]+)\//)
  return {
    endpoint: `http://${found}`,
    close: async () => {
      await stop()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

export const hasChromedriver = existsSync(CHROMEDRIVER)

/** Starts a chromedriver that attaches to browsers of ours. */
export async function startChromedriver(): Promise<{ port: number; close: () => Promise<void> }> {
  const { found, stop } = await startAndRead(
    [CHROMEDRIVER, '--port=0'],
    /successfully on port (\d+)/,
  )
  return {
    port: Number(found),
    close: async () => {
      await stop()
    },
  }
}

async function startAndRead(argv: readonly [string, ...string[]], pattern: RegExp) {
  let tell: (found: string) => void = () => {}
  const told = new Promise<string>((resolve) => {
    tell = resolve
  })
  const service = startService({
    argv,
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', HOME: tmpdir() },
    runMark: `test-${process.pid}`,
    onLine: (line) => {
      const found = pattern.exec(line)?.[1]
      if (found !== undefined) tell(found)
    },
  })
  const found = await Promise.race([
    told,
    service.ended.then((ending) => {
      throw new Error(`${argv[0]} did not start: ${JSON.stringify(ending)}`)
    }),
  ])
  return { found, stop: service.stop }
}
