import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleEntry } from '#lib/setup/bundle.mjs'
import { listProcesses } from '../sandbox/process/list-processes.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'killed-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a harness that holds a browser and a chromedriver until it is killed. */
async function writeHarness(temporary: string): Promise<string> {
  const [pool, guard] = await Promise.all(
    ['runner/browser/start-browser-pool.ts', 'runner/sandbox/process/start-guard.ts'].map((path) =>
      bundleEntry(path),
    ),
  )
  const path = join(folder, 'harness.mjs')
  writeFileSync(
    path,
    `import { startBrowserPool } from ${JSON.stringify(pool)}
    import { startGuard } from ${JSON.stringify(guard)}
    const temporary = ${JSON.stringify(temporary)}
    const { mark } = startGuard('run_killed0', temporary, null)
    const pool = await startBrowserPool({ env: process.env, temporary, runMark: mark })
    await pool.lease({ reuse: 'reused', webdriver: true })
    console.log('up')
    setInterval(() => {}, 1000)`,
  )
  return path
}

/** Lists all descendants of a process. */
function descendants(root: number): string[] {
  const all = listProcesses()
  const members = new Set([root])
  for (let grew = true; grew; ) {
    const before = members.size
    for (const { pid, parent } of all) if (members.has(parent)) members.add(pid)
    grew = members.size > before
  }
  return all.flatMap(({ pid, identity, cwd, environment }) =>
    pid !== root &&
    (members.has(pid) ||
      environment.includes(`PROOFBOARD_RUN=run_killed0-${root}`) ||
      cwd.startsWith(folder))
      ? [identity]
      : [],
  )
}

it('leaves no process and no profile when the harness is killed with -9', {
  tags: 'chromedriver',
}, async () => {
  const temporary = join(folder, 'run')
  mkdirSync(temporary)
  const child = spawn(process.execPath, [await writeHarness(temporary)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const started = descendants(child.pid!)
  expect(started.length).toBeGreaterThan(5)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const isAlive = () => listProcesses().some(({ identity }) => started.includes(identity))
  for (let round = 0; round < 400 && (isAlive() || existsSync(temporary)); round++) await sleep(50)
  const left = listProcesses().filter(({ identity }) => started.includes(identity))
  expect(left).toEqual([])
  expect(existsSync(temporary)).toBe(false)
})
