import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { withDownloads } from './shared-downloads.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let homes = 0
/** Runs a set-up that reports whether npm's folder had the download, and downloads it. */
async function setUp(suite: string, then: (npm: string) => Promise<void> | void = () => {}) {
  const home = join(root, `home-${homes++}`)
  mkdirSync(home)
  const place = { suite, temporary: root, home, inside: home, commands: [] }
  return withDownloads(place, async ({ npm_config_cache: npm = '' }, bytes) => {
    const isThere = existsSync(join(npm, 'left.tgz'))
    mkdirSync(npm, { recursive: true })
    writeFileSync(join(npm, 'left.tgz'), 'x'.repeat(5000))
    await then(npm)
    return { isThere, bytes }
  })
}

it('a set-up finds what those of its suite downloaded, which does not count, and no others', async () => {
  expect(await setUp('/suite/a')).toEqual({ isThere: false, bytes: 0 })
  const again = await setUp('/suite/a')
  expect(again.isThere).toBe(true)
  expect(again.bytes).toBeGreaterThan(5000)
  expect((await setUp('/suite/b')).isThere).toBe(false)
})

it('a failed set-up keeps them', async () => {
  const fails = () => Promise.reject(new Error('no such version'))
  await expect(setUp('/suite/failing', fails)).rejects.toThrow('no such version')
  expect((await setUp('/suite/failing')).isThere).toBe(true)
})

it('set-ups of a suite wait for each other', async () => {
  const both = await Promise.all(
    [1, 2].map(() => setUp('/suite/waiting', () => sleep(50).then(() => {}))),
  )
  expect(both.map(({ isThere }) => isThere)).toEqual([false, true])
})

it('a link in place of the downloads is not followed', async () => {
  await setUp('/suite/link', (npm) => {
    rmSync(join(npm, '..'), { recursive: true })
    symlinkSync('/etc', join(npm, '..'))
  })
  expect(await setUp('/suite/link')).toEqual({ isThere: false, bytes: 0 })
})
