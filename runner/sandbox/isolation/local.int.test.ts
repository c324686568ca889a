import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeRuns } from '#lib/testing/chaos/isolated-runs.ts'
import {
  findProcesses,
  plantSecrets,
  SandboxedAttempt,
  uniqueSleep,
} from '#lib/testing/chaos/sandboxed-attempt.ts'
import { allocateUser } from './allocate-sandbox-uid.ts'
import { local } from './local.ts'

let attempt: SandboxedAttempt
beforeEach(() => {
  attempt = new SandboxedAttempt(local)
})
afterEach(() => attempt.remove())

describe('local', () => {
  it('as root gives a user of its own, who reads neither home nor data', {
    tags: 'root',
  }, async () => {
    const secrets = plantSecrets()
    try {
      const { home, data, otherWorkspace } = secrets.files
      const { said, ...ending } = await attempt.run(
        `id -u; for f in '${home}' '${data}' '${otherWorkspace}'; do cat "$f" 2>/dev/null && echo "READ $f"; done; cat own.txt; env`,
      )
      expect(ending).toMatchObject({ cause: 'exited', clean: true })
      expect(Number(said.split('\n')[0])).toBeGreaterThan(2e9)
      expect(said).toContain('own work')
      expect(said).not.toMatch(/READ/)
      expect(said).not.toContain(secrets.word)
    } finally {
      secrets.remove()
    }
  })

  it('as root leaves a folder that all users share as it is', { tags: 'root' }, async () => {
    chmodSync(attempt.folder, 0o1777)
    expect(await attempt.run('true')).toMatchObject({ cause: 'exited', exitCode: 0 })
    expect(statSync(attempt.folder).mode & 0o7777).toBe(0o1777)
  })

  it('as root ends what hides from every look, by its user', { tags: 'root' }, async () => {
    const nap = uniqueSleep()
    const hidden = `(cd /; env -i setsid sh -c 'sleep ${nap} & exec sleep ${nap}' </dev/null >/dev/null 2>&1 &); exit 0`
    expect(await attempt.run(hidden)).toMatchObject({ cause: 'exited', clean: true })
    expect(findProcesses(nap)).toEqual([])
  })

  it("as root ends at the end of a run what hides from every look, and leaves the verifier's processes be", {
    tags: 'root',
  }, async () => {
    const nap = uniqueSleep()
    const users = [allocateUser(), allocateUser('verifier')]
    const sleepers = users.map(({ uid, gid }) =>
      spawn('/bin/sleep', [nap], { uid, gid, stdio: 'ignore' }),
    )
    const [subject, verifier] = sleepers.map((one) => once(one, 'exit'))
    const command = local.cleanup('a-run')
    const [program = '', ...given] = command?.argv ?? []
    await once(spawn(program, given, { stdio: 'ignore' }), 'exit')
    expect(await subject).toEqual([null, 'SIGKILL'])
    expect(sleepers[1]?.exitCode ?? sleepers[1]?.signalCode).toBeNull()
    // A pid that never exists stands for a runner that is dead.
    await once(spawn(program, [...given.slice(0, -1), '99999999'], { stdio: 'ignore' }), 'exit')
    expect(await verifier).toEqual([null, 'SIGKILL'])
    for (const { giveBack } of users) giveBack()
  })

  it('as a plain user has no walls: it reads the home, other attempts and the reference, but not our environment', {
    tags: 'plain-user',
  }, async () => {
    const secrets = plantSecrets()
    try {
      const { home, data, otherWorkspace, reference } = secrets.files
      const { said } = await attempt.run(
        `for f in '${home}' '${data}' '${otherWorkspace}' '${reference}'; do cat "$f" >/dev/null && echo "READ $f"; done`,
      )
      expect(said.trim().split('\n')).toEqual(
        [home, data, otherWorkspace, reference].map((path) => `READ ${path}`),
      )
      const { said: environment } = await attempt.run('env')
      expect(environment).toContain('PATH=')
      expect(environment).not.toContain(secrets.word)
    } finally {
      secrets.remove()
    }
  })

  it('hands arguments over without any shell reading them', async () => {
    const { said } = await attempt.run(['printf', '%s|', '$HOME', '`id`', ''])
    expect(said).toBe('$HOME|`id`||')
  })

  it('reaches this machine: its loopback is ours', async () => {
    const near = createServer((socket) => socket.end('reached'))
    await new Promise<void>((resolve) => near.listen(0, '127.0.0.1', resolve))
    const address = near.address()
    const port = typeof address === 'object' ? address?.port : null
    const { said } = await attempt.run([
      'node',
      '-e',
      `require('node:net').connect(${port}, '127.0.0.1').pipe(process.stdout)`,
    ])
    near.close()
    expect(said).toBe('reached')
  })

  it('ends a disk filler and a daemon that stays where it can be seen', async () => {
    const nap = uniqueSleep()
    const filling = await attempt.run(
      'i=0; while :; do dd if=/dev/zero of=f$i bs=512k count=1 2>/dev/null; i=$((i+1)); done',
      { diskQuotaBytes: 16 << 20 },
    )
    expect(filling).toMatchObject({ cause: 'disk', clean: true })
    const leaving = await attempt.run(
      `env -i setsid sleep ${nap} </dev/null >/dev/null 2>&1 & exit 0`,
    )
    expect(leaving).toMatchObject({ cause: 'exited', clean: true })
    expect(findProcesses(nap)).toEqual([])
  })

  describeRuns('local')
})
