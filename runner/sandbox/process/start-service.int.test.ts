import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { listProcesses } from './list-processes.ts'
import { type Service, startService } from './start-service.ts'

const started: Service[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()))
})

function start(script: string, lines: string[] = []): Service {
  const service = startService({
    argv: ['/bin/sh', '-c', script],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    runMark: 'run_service0-1',
    onLine: (line) => lines.push(line),
  })
  started.push(service)
  return service
}

const carrying = (marker: string) =>
  listProcesses().filter(({ environment }) => environment.includes(marker))

async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 200 && !holds(); round++) await sleep(25)
  expect(holds()).toBe(true)
}

describe('startService', () => {
  it('tells every line and takes lines', async () => {
    const lines: string[] = []
    const service = start('echo up; read said; echo "heard $said" >&2', lines)
    await until(() => lines.includes('up'))
    service.send('this')
    await until(() => lines.includes('heard this'))
    expect(await service.ended).toMatchObject({ exitCode: 0, signal: null })
  })

  it('ends children that left the group and ignore SIGTERM', async () => {
    const service = start(
      `trap '' TERM; setsid sh -c "trap '' TERM; sleep 60 & sleep 60" & sleep 60`,
    )
    await until(() => carrying(service.marker).length >= 3)
    expect(await service.stop()).toBe(true)
    expect(carrying(service.marker)).toEqual([])
  })

  it('answers a program that is not there as a value', async () => {
    const service = startService({
      argv: ['/nowhere/at-all'],
      cwd: '/',
      env: {},
      runMark: 'run_service0-1',
      onLine: () => {},
    })
    expect((await service.ended).error).toContain('ENOENT')
    expect(await service.stop()).toBe(true)
  })
})
