import { existsSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Isolation } from '#runner/sandbox/isolation/isolation.ts'
import { pollUntil } from '../factories/proofboard-command.ts'
import { findProcesses, plantSecrets, SandboxedAttempt, uniqueSleep } from './sandboxed-attempt.ts'

const MIB = 1 << 20

/** Defines tests for a level with a sandbox; call it inside a `describe`. */
export function testIsolation(isolation: () => Isolation): void {
  let attempt: SandboxedAttempt
  beforeEach(() => {
    attempt = new SandboxedAttempt(isolation())
  })
  afterEach(() => {
    expect(findProcesses(attempt.mark)).toEqual([])
    attempt.remove()
  })

  describeOrdinaryWork(() => attempt)
  describeSecrets(() => attempt)
  describeMemory(() => attempt)
  describeNetwork(() => attempt)
  describeLimits(() => attempt)
}

function describeOrdinaryWork(attempt: () => SandboxedAttempt): void {
  it('works in its folders, under the same paths every time, with a node of our version', async () => {
    const { said, ...ending } = await attempt().run(
      'pwd; cat own.txt; echo more > new.txt; echo $HOME $TMPDIR; touch "$HOME/a" "$TMPDIR/b" && node --version; exit 3',
    )
    expect(said.split('\n')).toEqual([
      '/workspace',
      'own work',
      '/home/agent /tmp',
      process.version,
      '',
    ])
    expect(ending).toMatchObject({ cause: 'exited', exitCode: 3, clean: true })
    // The system's own node may have the same version.
    expect((await attempt().run('command -v node')).said).toBe('/opt/node/bin/node\n')
    const { said: again } = await attempt().run(['cat', 'new.txt'])
    expect(again).toBe('more\n')
  })

  it('hands arguments over without any shell reading them', async () => {
    const { said } = await attempt().run(['printf', '%s|', '$HOME', '`id`', "a'b", ''])
    expect(said).toBe("$HOME|`id`|a'b||")
  })

  it('reads stdin from a file that ends, and has it closed otherwise', async () => {
    const { said } = await attempt().run('cat; cat', {
      program: { stdin: join(attempt().workspace, 'own.txt') },
    })
    expect(said).toBe('own work\n')
    expect(await attempt().run('cat')).toMatchObject({ cause: 'exited', exitCode: 0, said: '' })
  })

  it('gives exactly the environment it was given', async () => {
    const { said } = await attempt().run('env', { program: { env: { LANG: 'C', KEY: 'a\tb=c' } } })
    const names = said.split('\n').map((line) => line.split('=')[0] as string)
    const ofTheShell = ['PWD', 'SHLVL', '_', 'HOSTNAME', 'HOME', '']
    expect(names.filter((name) => !ofTheShell.includes(name)).sort()).toEqual([
      'KEY',
      'LANG',
      'PATH',
    ])
    expect(said).toContain('KEY=a\tb=c')
  })

  it('is ended at the time limit and when the run is stopped, deaf or not', async () => {
    const deaf = "trap '' TERM INT HUP; touch ready; while :; do sleep 0.05; done"
    expect(await attempt().run(deaf, { timeoutMs: 1500 })).toMatchObject({
      cause: 'timeout',
      clean: true,
    })
    expect(await attempt().run(deaf, { signal: onceReady(attempt()) })).toMatchObject({
      cause: 'cancelled',
      clean: true,
    })
  })

  it('lets a subject that listens close its files', async () => {
    const { said, cause } = await attempt().run(
      'trap "echo closed; exit 0" TERM; touch ready; while :; do sleep 0.05; done',
      { program: { finished: onceReady(attempt()) } },
    )
    expect({ cause, said }).toEqual({ cause: 'finished', said: expect.stringContaining('closed') })
  })
}

/** Aborts once the subject has written the file `ready`, so that no time limit includes the start of a container. */
function onceReady({ workspace }: SandboxedAttempt): AbortSignal {
  const ready = join(workspace, 'ready')
  rmSync(ready, { force: true })
  const controller = new AbortController()
  void pollUntil(() => existsSync(ready)).then(() => controller.abort())
  return controller.signal
}

function describeSecrets(attempt: () => SandboxedAttempt): void {
  it('shows nothing of the home, the data folder, other attempts, the reference, our environment', async () => {
    const secrets = plantSecrets()
    try {
      const paths = Object.values(secrets.files).map((path) => `'${path}'`)
      const { said } = await attempt().run(
        `cat own.txt; for f in ${paths.join(' ')}; do cat "$f" 2>/dev/null && echo READ "$f"; done
         env; cat /proc/*/environ 2>/dev/null
         grep -rsl ${secrets.word.slice(0, -1)}${secrets.word.at(-1)} /home /root /run /tmp /var /mnt /srv /etc /workspace 2>/dev/null | sed 's/^/FOUND /'`,
        { program: { env: { PATH: process.env.PATH ?? '' } } },
      )
      expect(said).toContain('own work')
      expect(said).not.toMatch(/READ|FOUND/)
      expect(said).not.toContain(secrets.word)
    } finally {
      secrets.remove()
    }
  })

  it('writes nowhere but in its own folders, and is an unprivileged user', async () => {
    const { said } = await attempt().run(
      `for f in / /etc /usr /usr/bin /opt /run /home /dev /proc/sys/kernel /sys; do ( echo x > "$f/proofboard-test" ) 2>/dev/null && echo WROTE "$f"; done
       id -u; grep CapEff /proc/self/status; mount -t tmpfs none /workspace 2>/dev/null && echo MOUNTED; true`,
    )
    expect(said).not.toMatch(/WROTE|MOUNTED/)
    expect(said).toMatch(/CapEff:\s*0{16}/)
    expect(said).toMatch(/^[1-9]\d*$/m)
  })
}

/** Syscall number of keyctl, which requests a keyring here, by architecture. */
const KEYCTL: Readonly<Record<string, number>> = { x64: 250, arm64: 219 }

function describeMemory(attempt: () => SandboxedAttempt): void {
  it('leaves nothing in keyrings of the kernel, which the next sandbox of the same user would read', async () => {
    const call = `syscall(${KEYCTL[process.arch] ?? 250}, 0, $_, 1)`
    const requested = `for (-3, -4, -5) { my $found = ${call}; printf "%d %d\\n", $found, $! }`
    const { said } = await attempt().run(
      `command -v perl > /dev/null || exit 0; perl -e '${requested}'`,
    )
    // No such call (38), or forbidden (1); without perl the output is empty.
    expect(said).toMatch(/^(-1 (38|1)\n){3}$|^$/)
  })
}

function describeNetwork(attempt: () => SandboxedAttempt): void {
  it('reaches the gateway and no other address: not our loopback, no name, nothing outside', async () => {
    const near = createServer((socket) => socket.end('reached'))
    await new Promise<void>((resolve) => near.listen(0, '127.0.0.1', resolve))
    const gateway = createHttpServer((request, response) => {
      request.pipe(response)
    })
    const socketPath = join(attempt().folder, 'gateway.sock')
    await new Promise<void>((resolve) => gateway.listen(socketPath, resolve))
    const { port } = near.address() as AddressInfo
    const door = { socketPath, port }
    // 192.0.2.1 is reserved for documentation.
    const script = `
      const net = require('node:net')
      const reach = (port, host) => new Promise((resolve) => {
        const socket = net.connect({ port, host })
        socket.setTimeout(3000, () => { resolve('timeout'); socket.destroy() })
        socket.on('connect', () => { resolve('CONNECTED'); socket.destroy() }).on('error', (e) => resolve(e.code))
      })
      const big = 'x'.repeat(3e6)
      ;(async () => {
        const post = await fetch('http://127.0.0.1:8787/v1', { method: 'POST', body: big })
        console.log(JSON.stringify({
          gateway: (await post.text()).length,
          loopback: await reach(${port}, '127.0.0.1'),
          outside: await reach(80, '192.0.2.1'),
          name: await require('node:dns/promises').lookup('example.org').then(() => 'RESOLVED', (e) => e.code),
          interfaces: Object.keys(require('node:os').networkInterfaces()),
        }))
      })()`
    try {
      const { said, ...ending } = await attempt().run(['node', '-e', script], {
        program: { gateway: door },
      })
      expect(ending).toMatchObject({ cause: 'exited', exitCode: 0, clean: true })
      const seen = JSON.parse(said)
      expect(seen).toMatchObject({ gateway: 3e6, interfaces: ['lo'] })
      expect([seen.loopback, seen.outside]).not.toContain('CONNECTED')
      expect(seen.loopback).toBe('ECONNREFUSED')
      expect(seen.name).not.toBe('RESOLVED')
    } finally {
      await Promise.all([near, gateway].map(closed))
    }
  })

  it('keeps the bridge inside: a subject that kills it cuts itself off and leaves nothing', async () => {
    const gateway = createHttpServer((_, response) => response.end('answer'))
    const socketPath = join(attempt().folder, 'gateway.sock')
    await new Promise<void>((resolve) => gateway.listen(socketPath, resolve))
    const ask =
      "node -e \"fetch('http://127.0.0.1:8787/').then(async (r) => console.log(await r.text()), () => console.log('cut off'))\""
    const kill =
      'for p in $(ls /proc); do tr "\\0" " " 2>/dev/null < /proc/$p/cmdline | grep -qE "^(/opt/node/bin/)?node .*bridge.mjs" && kill -9 $p; done'
    try {
      const { said, clean } = await attempt().run(`${ask}; ${kill}; sleep 0.2; ${ask}; true`, {
        program: { gateway: { socketPath, port: 1 } },
      })
      expect(said.trim().split('\n')).toEqual(['answer', 'cut off'])
      expect(clean).toBe(true)
    } finally {
      await closed(gateway)
    }
  })
}

const closed = (server: Server | ReturnType<typeof createServer>) =>
  new Promise((resolve) => server.close(resolve))

function describeLimits(attempt: () => SandboxedAttempt): void {
  it('contains a fork bomb from the start', async () => {
    const nap = uniqueSleep()
    const ending = await attempt().run(
      `bomb() { while :; do sleep ${nap} & bomb & done; }; bomb & bomb & exec sleep 20`,
    )
    expect(ending).toMatchObject({ cause: 'processes', clean: true })
    expect(findProcesses(nap)).toEqual([])
  })

  const FILLS = 'ends a subject that fills the disk below %s'
  const isEnded = async (folder: string) => {
    const ending = await attempt().run(
      `i=0; while [ $i -lt 400 ]; do dd if=/dev/zero of=${folder}/f$i bs=1M count=1 2>/dev/null || sleep 1; i=$((i+1)); sleep 0.005; done; sleep 20`,
      { diskQuotaBytes: 48 * MIB },
    )
    expect(ending).toMatchObject({ cause: 'disk', clean: true })
  }
  it.each(['/workspace'])(FILLS, isEnded)
  it.each(['/home/agent', '/tmp', '/dev/shm'])(FILLS, { tags: 'night' }, isEnded)

  it('takes along daemons that left their session, their parent, their folder and their environment', async () => {
    const nap = uniqueSleep()
    const ending = await attempt().run(
      `cd /; (setsid env -i sh -c 'cd /; sleep ${nap} & exec sleep ${nap}' </dev/null >/dev/null 2>&1 &); exit 0`,
    )
    expect(ending).toMatchObject({ cause: 'exited', exitCode: 0, clean: true })
    await pollUntil(() => findProcesses(nap).length === 0, 2000)
  })

  it('keeps the head of a flood of output in little memory', { tags: 'night' }, () =>
    flood(attempt(), 384 * MIB),
  )
}

/** Writes endless output: its start is stored, all of it is counted, and none of it stays in memory. */
export async function flood(attempt: SandboxedAttempt, bytes: number): Promise<void> {
  const before = process.memoryUsage().rss
  const { saidBytes, said, cause } = await attempt.run(`yes flood | head -c ${bytes}`, {
    timeoutMs: 50_000,
  })
  expect(cause).toBe('exited')
  expect(saidBytes).toBeGreaterThan(bytes)
  expect(said.length).toBeLessThan(300 << 10)
  expect(process.memoryUsage().rss - before).toBeLessThan(256 * MIB)
}
