import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { pollUntil } from '#lib/testing/factories/proofboard-command.ts'
import { listProcesses } from './list-processes.ts'

const started: ReturnType<typeof spawn>[] = []
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})

const environmentOf = (pid: number | undefined) =>
  listProcesses().find((one) => one.pid === pid)?.environment ?? ''

it('a process that executes another program has the environment of that one from the next look on', async () => {
  const script = 'read line; exec env -i PROOFBOARD_MARK=second sleep 60'
  const env = { PATH: '/usr/bin:/bin', PROOFBOARD_MARK: 'first' } as unknown as NodeJS.ProcessEnv
  const child = spawn('/bin/sh', ['-c', script], { env, stdio: ['pipe', 'ignore', 'ignore'] })
  started.push(child)
  await pollUntil(() => environmentOf(child.pid).includes('PROOFBOARD_MARK=first'))
  expect(environmentOf(child.pid)).toContain('PROOFBOARD_MARK=first')
  child.stdin?.end('go on\n')
  await pollUntil(() => environmentOf(child.pid).includes('PROOFBOARD_MARK=second'))
  expect(environmentOf(child.pid)).not.toContain('PROOFBOARD_MARK=first')
})

it('a process that ended is not listed, also where it was before', async () => {
  const child = spawn('/bin/sleep', ['60'], { stdio: 'ignore' })
  started.push(child)
  await pollUntil(() => listProcesses().some(({ pid }) => pid === child.pid))
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(listProcesses().some(({ pid }) => pid === child.pid)).toBe(false)
})
