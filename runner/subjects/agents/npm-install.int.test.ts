import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { TEST_CERTIFICATE } from '#lib/testing/cases/test-certificate.ts'
import { startCountingProxy } from '#lib/testing/factories/counting-proxy.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { listProcesses } from '../../sandbox/process/list-processes.ts'
import { npmInstall } from './npm-install.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-npm-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const home = join(folder, 'home')
const prefix = join(folder, 'prefix')
const args: string[] = []
const closing: (() => unknown)[] = []
beforeEach(() => {
  for (const path of [home, prefix]) mkdirSync(path, { recursive: true })
  args.length = 0
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  rmSync(home, { recursive: true })
})

/** Returns the variables that npmInstall reads, with these lines as the user's npm settings. */
function userWith(...lines: string[]) {
  writeFileSync(join(home, '.npmrc'), `${lines.join('\n')}\n`)
  return { PATH: process.env.PATH, HOME: home }
}

/** Starts a registry that has no package, or one that never responds; returns its port. */
async function startRegistry(kind: 'empty' | 'silent' | 'tls'): Promise<number> {
  const result: RequestListener = (request, response) => {
    args.push(`${request.url}`)
    if (kind !== 'silent') response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }
  const server: Server & { closeAllConnections(): void } =
    kind === 'tls' ? createTlsServer(TEST_CERTIFICATE, result) : createHttpServer(result)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

it('reaches the registry through the proxy and with the certificate of the user’s settings', async () => {
  const proxy = await startCountingProxy(await startRegistry('tls'))
  closing.push(proxy.close)
  const certificate = join(folder, 'authority.pem')
  writeFileSync(certificate, TEST_CERTIFICATE.cert)
  const own = userWith(
    'registry=https://model.test/',
    `https-proxy=${proxy.url}`,
    `cafile=${certificate}`,
  )
  const failure = await npmInstall(prefix, 'left-pad@1.3.0', own)
  expect(args).toContain('/left-pad')
  expect(failure).toMatch(/^npm install left-pad@1\.3\.0 failed: code E404$/)
})

it('says what to do about a certificate that is not trusted', async () => {
  const proxy = await startCountingProxy(await startRegistry('tls'))
  closing.push(proxy.close)
  const own = userWith(
    'registry=https://model.test/',
    `https-proxy=${proxy.url}`,
    ...['fetch-retry-mintimeout=10', 'fetch-retry-maxtimeout=10'],
  )
  const failure = await npmInstall(prefix, 'left-pad@1.3.0', own)
  expect(failure).toContain('is not trusted: set NODE_EXTRA_CA_CERTS to the file of its authority')
})

it('keeps logins from npm, and names them in a failure', async () => {
  const registry = `http://127.0.0.1:${await startRegistry('empty')}/`
  const own = userWith(`registry=${registry}`, '//npm.example/:_authToken=s3cret')
  const failure = await npmInstall(prefix, 'left-pad@1.3.0', own)
  expect(failure).toContain('without the logins in your npm settings (//npm.example/:_authToken)')
  expect(failure).not.toContain('s3cret')
})

/** Finds the npm that this process started for a registry. */
const findNpm = (registry: string) =>
  listProcesses().find(
    ({ parent, environment }) => parent === process.pid && environment.includes(registry),
  )

it('says that npm was ended by a signal, not that it took half an hour', async () => {
  const registry = `http://127.0.0.1:${await startRegistry('silent')}/`
  const installing = npmInstall(prefix, 'ended-early@1.3.0', userWith(`registry=${registry}`))
  await expect.poll(() => args, { timeout: 60_000 }).toContain('/ended-early')
  process.kill(findNpm(registry)?.pid ?? 0, 'SIGKILL')
  expect(await installing).toBe(
    'npm was ended (SIGKILL) before it finished; try again: finished downloads are in its cache',
  )
})

it('stops in order when the command is interrupted', async () => {
  const registry = `http://127.0.0.1:${await startRegistry('silent')}/`
  const data = join(folder, 'data')
  const { HOME } = userWith(`registry=${registry}`)
  const install = ['agents', 'install', 'claude']
  const { child, ended } = startProofboard(data, install, { HOME, npm_config_registry: registry })
  await expect.poll(() => args, { timeout: 60_000 }).not.toEqual([])
  child.kill('SIGINT')
  const { code, stderr } = await ended
  expect(stderr).toMatch(/^stopped: @anthropic-ai\/claude-code@\S+ was not installed$/m)
  expect(code).toBe(130)
  expect(existsSync(join(data, 'agents')) ? readdirSync(join(data, 'agents')) : []).toEqual([])
})
