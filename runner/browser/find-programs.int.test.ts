import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRunnerError } from '../runner-error.ts'
import { findChromedriver } from './chromedriver.ts'
import { findChromium } from './find-chromium.ts'
import { startBrowserPool } from './start-browser-pool.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-')) // short, because profiles are below it
  mkdirSync(join(folder, 'runs'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function writeProgram(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(isRunnerError(error, 'browser')).toBe(true)
  const { message } = error as Error
  expect(message).not.toContain('\n')
  return message
}

describe('findChromium', () => {
  it('takes the one that is named and asks it for its version', async () => {
    const path = writeProgram('named', 'echo "Chromium 150.0.1.2 built on somewhere"')
    const found = await findChromium({ PROOFBOARD_CHROMIUM: path, PATH: process.env.PATH })
    expect(found).toEqual({ path, version: 'Chromium 150.0.1.2', major: 150 })
  })

  it('refuses a wrong path, an empty machine and a program that says no version', async () => {
    const wrong = findChromium({ PROOFBOARD_CHROMIUM: '/nowhere/chromium' })
    expect(await refusalOf(wrong)).toContain(
      'PROOFBOARD_CHROMIUM=/nowhere/chromium is not an executable program',
    )
    expect(await refusalOf(findChromium({ PROOFBOARD_CHROMIUM: folder }))).toContain(
      'is not an executable program',
    )
    const silent = writeProgram('silent', 'exit 0')
    expect(await refusalOf(findChromium({ PROOFBOARD_CHROMIUM: silent }))).toContain(
      'does not print its version',
    )
  })
})

it('passes over programs that are there and do not work', async () => {
  const [broken, working] = [join(folder, 'broken'), join(folder, 'working')]
  for (const place of [broken, working]) mkdirSync(place)
  for (const name of ['chromium', 'chromedriver'])
    writeProgram(`broken/${name}`, 'echo "requires the snap to be installed" >&2; exit 1')
  writeProgram('working/chromium', 'echo "Chromium 150.0.1.2"')
  writeProgram('working/chromedriver', 'echo "ChromeDriver 150.0.9.9 (abc)"')
  const PATH = `${broken}:${working}`
  const chromium = await findChromium({ PATH })
  expect(chromium.path).toBe(join(working, 'chromium'))
  const elsewhere = { ...chromium, path: '/x' }
  expect(await findChromedriver({ PATH }, elsewhere)).toMatchObject({
    path: join(working, 'chromedriver'),
  })
})

describe('findChromedriver', () => {
  const chromium = { path: '/x', version: 'Chromium 150.0.1.2', major: 150 }

  it('takes one of the same major version and refuses another', async () => {
    const fitting = writeProgram('fitting', 'echo "ChromeDriver 150.0.9.9 (abc)"')
    expect(await findChromedriver({ PROOFBOARD_CHROMEDRIVER: fitting }, chromium)).toMatchObject({
      version: 'ChromeDriver 150.0.9.9',
    })
    const old = writeProgram('old', 'echo "ChromeDriver 149.0.9.9 (abc)"')
    const refusal = await refusalOf(findChromedriver({ PROOFBOARD_CHROMEDRIVER: old }, chromium))
    expect(refusal).toContain('does not fit Chromium 150.0.1.2')
    const wrong = findChromedriver({ PROOFBOARD_CHROMEDRIVER: '/nowhere/driver' }, chromium)
    expect(await refusalOf(wrong)).toContain(
      'PROOFBOARD_CHROMEDRIVER=/nowhere/driver is not an executable program',
    )
  })
})

describe('startBrowserPool', () => {
  it('tells in one sentence that a browser ended at its start, and leaves no profile', async () => {
    const path = writeProgram(
      'crashing',
      'case "$1" in --version) echo "Chromium 150.0.1.2";; *) echo "no usable display" >&2; exit 3;; esac',
    )
    const temporary = join(folder, 'runs')
    const pool = await startBrowserPool({
      env: { PROOFBOARD_CHROMIUM: path },
      temporary,
      runMark: 'run_find0-1',
    })
    const refusal = await refusalOf(pool.lease({ reuse: 'reused', webdriver: false }))
    expect(refusal).toContain('ended at its start (exit code 3), saying "no usable display"')
    expect(readdirSync(temporary)).toEqual([])
    await pool.close()
  })
})
