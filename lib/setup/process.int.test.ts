import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashSources } from './build.mjs'
import { holdLock, runCommand } from './process.mjs'
import { isPortFree } from './serve/listen.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-setup-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('holdLock', () => {
  it('lets one in at a time', async () => {
    const path = join(folder, 'lock')
    const seen: string[] = []
    const work = (name: string) =>
      holdLock(path, async () => {
        seen.push(`${name} in`)
        await wait(30)
        seen.push(`${name} out`)
      })
    await Promise.all([work('a'), work('b'), work('c')])
    const names = seen.map((line) => line.split(' ')[0])
    expect(names.filter((_, n) => n % 2 === 0)).toEqual(names.filter((_, n) => n % 2 === 1))
    expect(existsSync(path)).toBe(false)
  })

  it('takes over from a holder that is dead', async () => {
    const path = join(folder, 'lock')
    writeFileSync(path, '999999999 0\n')
    expect(await holdLock(path, async () => readFileSync(path, 'utf8'))).toMatch(
      String(process.pid),
    )
  })

  it('takes over from a holder that has been silent for a minute', async () => {
    const path = join(folder, 'lock')
    writeFileSync(path, '1 0\n')
    const longAgo = new Date(Date.now() - 120_000)
    utimesSync(path, longAgo, longAgo)
    expect(await holdLock(path, async () => 'in')).toBe('in')
  })

  it('leaves the lock to another that took it over', async () => {
    const path = join(folder, 'lock')
    await holdLock(path, async () => writeFileSync(path, '1 0\n'))
    expect(readFileSync(path, 'utf8')).toBe('1 0\n')
  })

  it('is free again after a failure', async () => {
    const path = join(folder, 'lock')
    await expect(holdLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(existsSync(path)).toBe(false)
  })
})

/** Returns whether a process is alive and not a zombie. */
function lives(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('endCommandsOnSignal', { tags: 'linux' }, () => {
  /**
   * Starts a program that runs a command whose child ignores SIGTERM, and then another; returns their process ids once
   * both run.
   */
  async function startProgram(command: string, args: readonly string[] = []) {
    const ignoresSigterm = `trap '' TERM; echo $$ > ${folder}/deaf; while :; do sleep 1; done`
    const work = `sh -c "${ignoresSigterm.replaceAll('$', '\\$')}" & echo $$ > ${folder}/command; wait`
    const source = `import { endCommandsOnSignal, runCommand } from ${JSON.stringify(resolve('lib/setup/process.mjs'))}
endCommandsOnSignal()
await runCommand('sh', ['-c', ${JSON.stringify(work)}])
await runCommand('sh', ['-c', 'echo > ${folder}/next'])
`
    writeFileSync(join(folder, 'ours.mjs'), source)
    const ours = spawn(command, [...args, join(folder, 'ours.mjs')], { stdio: 'ignore' })
    const read = (name: string) => Number(readFileSync(join(folder, name), 'utf8'))
    await expect.poll(() => existsSync(join(folder, 'deaf')), { timeout: 60_000 }).toBe(true)
    await wait(50)
    const pids = [read('command'), read('deaf')]
    expect(pids.map(lives)).toEqual([true, true])
    return { ours, pids }
  }

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends on %s what its commands started, however deaf that is, and begins no other',
    async (signal) => {
      const { ours, pids } = await startProgram(process.execPath)
      ours.kill(signal)
      const [code] = await once(ours, 'exit')
      expect(code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal])
      expect(pids.map(lives)).toEqual([false, false])
      expect(existsSync(join(folder, 'next'))).toBe(false)
    },
  )

  it('ends them as well when the shell that npm put before it was killed', async () => {
    const { ours, pids } = await startProgram('sh', ['-c', `"${process.execPath}" "$0"; true`])
    ours.kill('SIGKILL')
    await expect.poll(() => pids.map(lives), { timeout: 60_000 }).toEqual([false, false])
  })
})

describe('runCommand', () => {
  it('answers exit code, output and each line', async () => {
    const lines: string[] = []
    const script = 'console.log("one"); console.error("two"); process.exit(3)'
    const { code, output } = await runCommand(process.execPath, ['-e', script], {
      onLine: (line: string) => lines.push(line),
    })
    expect(code).toBe(3)
    expect(output).toContain('one')
    expect(lines.sort()).toEqual(['one', 'two'])
  })

  it('answers 127 when there is no such command', async () => {
    expect((await runCommand('no-such-command-here', [])).code).toBe(127)
  })

  it('stops the command when it is aborted', async () => {
    const stopping = new AbortController()
    const running = runCommand(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      signal: stopping.signal,
    })
    stopping.abort()
    expect((await running).code).not.toBe(0)
  })
})

describe('hashSources', () => {
  it('changes with names and bytes, not with times', () => {
    writeFileSync(join(folder, 'a.txt'), 'one')
    const first = hashSources(folder, ['.'])
    utimesSync(join(folder, 'a.txt'), 1, 1)
    expect(hashSources(folder, ['.'])).toBe(first)
    writeFileSync(join(folder, 'a.txt'), 'two')
    const second = hashSources(folder, ['.'])
    writeFileSync(join(folder, 'b.test.ts'), '')
    expect(new Set([first, second, hashSources(folder, ['.'])]).size).toBe(3)
    expect(hashSources(folder, ['.', 'absent'], (path: string) => !path.endsWith('.test.ts'))).toBe(
      second,
    )
  })
})

describe('isPortFree', () => {
  it.each(['127.0.0.1', '0.0.0.0', '::'])('sees a server on %s', async (host) => {
    const server = createServer()
    await new Promise<void>((resolve) => {
      server.listen(0, host, resolve)
    })
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    expect(await isPortFree(port)).toBe(false)
    await new Promise((resolve) => {
      server.close(resolve)
    })
    expect(await isPortFree(port)).toBe(true)
  })
})
