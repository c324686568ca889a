import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { endedCpuMs, treeCpuMs } from './cpu-time.mjs'

const WORKED_MS = 200
/** However busy the machine is, this much is worked. */
const WORK = `while (process.cpuUsage().user < ${WORKED_MS}e3);`
const node = (code: string) => [process.execPath, ['-e', code]] as const

/** What the system counts in hundredths of a second can be that much less. */
const ABOUT_MS = WORKED_MS - 20

describe('the time of processors', { tags: 'linux' }, () => {
  it('is that of what a command started too, counted once when it has ended', () => {
    endedCpuMs()
    const [program, args] = node(WORK)
    spawnSync(...node(`require('child_process').spawnSync('${program}', ${JSON.stringify(args)})`))
    expect(endedCpuMs()).toBeGreaterThan(ABOUT_MS)
    expect(endedCpuMs()).toBe(0)
  })

  it('is that of what still runs, in the whole tree', async () => {
    const belowUs = () => (treeCpuMs() ?? 0) - process.cpuUsage().user / 1e3
    const before = belowUs()
    const child = spawn(...node(`${WORK} console.log(); setInterval(() => {}, 1e6)`))
    await once(child.stdout, 'data')
    expect(belowUs() - before).toBeGreaterThan(ABOUT_MS)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(belowUs() - before).toBeGreaterThan(ABOUT_MS)
  })
})
