import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { TEST_CERTIFICATE } from '#lib/testing/cases/test-certificate.ts'
import { startCountingProxy } from '#lib/testing/factories/counting-proxy.ts'
import { lacking } from '#lib/testing/needs.ts'
import { readRepositoryTask } from '../suites/read-repository-task.ts'
import { openJudging } from './open-judging.ts'
import { prepareBase } from './prepare-base.ts'

// A company's network: the registries are reached through its proxy, with a certificate of its own authority.

const root = mkdtempSync(join(tmpdir(), 'proofboard-host-network-'))
chmodSync(root, 0o755) // at `local` commands are another user
const args: string[] = []
const served = new Map<string, { type: string; body: Buffer | string }>()
let registry: Server
let proxy: Awaited<ReturnType<typeof startCountingProxy>>

function write(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return join(root, path)
}

beforeAll(async () => {
  registry = createServer(TEST_CERTIFICATE, ({ url = '' }, response) => {
    args.push(url)
    const found = served.get(url)
    response.writeHead(found ? 200 : 404, { 'content-type': found?.type ?? 'text/plain' })
    response.end(found?.body)
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  proxy = await startCountingProxy((registry.address() as AddressInfo).port)
  servePackages()
  const certificate = write('authority.pem', `${TEST_CERTIFICATE.key}\n${TEST_CERTIFICATE.cert}\n`)
  const npmrc = 'registry=https://model.test/npm/\n//model.test/npm/:_authToken=s3cret-token\n'
  write('home/.npmrc', npmrc)
  const own = {
    HOME: join(root, 'home'),
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: certificate,
    PIP_INDEX_URL: 'https://model.test/pip/',
    PIP_EXTRA_INDEX_URL: 'https://ada:s3cret-password@model.test/other/',
    PIP_CONFIG_FILE: '/dev/null',
    GOPROXY: 'https://model.test/go,off',
  }
  for (const [name, value] of Object.entries(own)) vi.stubEnv(name, value)
  for (const name of ['npm_config_registry', 'npm_config_userconfig', 'SSL_CERT_FILE', 'PIP_CERT'])
    vi.stubEnv(name, undefined)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await proxy.close()
  registry.closeAllConnections()
  registry.close()
  rmSync(root, { recursive: true, force: true })
})

function servePackages(): void {
  write('js/package.json', '{"name":"standin","version":"1.0.0","main":"index.js"}')
  write('js/index.js', 'module.exports = 1\n')
  execFileSync('npm', ['pack', '--silent'], { cwd: join(root, 'js') })
  served.set('/npm/standin', {
    type: 'application/json',
    body: JSON.stringify({
      name: 'standin',
      'dist-tags': { latest: '1.0.0' },
      versions: {
        '1.0.0': {
          name: 'standin',
          version: '1.0.0',
          dist: { tarball: 'https://model.test/npm/standin-1.0.0.tgz' },
        },
      },
    }),
  })
  const body = readFileSync(join(root, 'js', 'standin-1.0.0.tgz'))
  served.set('/npm/standin-1.0.0.tgz', { type: 'application/octet-stream', body })
}

/** Serves a wheel, made with Python's own program for archives. */
function serveWheel(): void {
  const info = 'standin-1.0.dist-info'
  write('py/standin.py', 'VALUE = 1\n')
  write(`py/${info}/METADATA`, 'Metadata-Version: 2.1\nName: standin\nVersion: 1.0\n')
  write(`py/${info}/WHEEL`, 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
  write(`py/${info}/RECORD`, '')
  const name = 'standin-1.0-py3-none-any.whl'
  const cwd = join(root, 'py')
  execFileSync('python3', ['-m', 'zipfile', '-c', name, 'standin.py', info], { cwd })
  served.set('/pip/standin/', { type: 'text/html', body: `<a href="/${name}">${name}</a>` })
  const body = readFileSync(join(cwd, name))
  served.set(`/${name}`, { type: 'application/octet-stream', body })
}

async function setUp(id: string, commands: readonly string[], network: string) {
  const lines = [
    `id: ${id}`,
    'title: Small',
    'category: bug',
    'difficulty: easy',
    'instruction: Do it.',
    'source: { folder: repo }',
    `setup: ${JSON.stringify(commands)}`,
    network,
    'verify: { command: sh test.sh, report: { format: tap } }',
  ]
  const folder = dirname(write(`${id}/task.yaml`, `${lines.join('\n')}\n`))
  write(`${id}/repo/README.md`, 'Small.\n')
  write(`${id}/tests/test.sh`, 'echo "ok 1 - works"\necho 1..1\n')
  mkdirSync(join(root, `tmp-${id}`), { recursive: true })
  const { folder: tree } = await prepareBase(await readRepositoryTask(folder), {
    isolation: await openJudging(null),
    temporary: join(root, `tmp-${id}`),
    cache: join(root, 'cache'),
    runMark: 'proofboard-test',
    signal: new AbortController().signal,
  })
  return (path: string) => readFileSync(join(tree, path), 'utf8')
}

const NETWORK = 'network: { reason: the set-up installs packages, for: [setup] }'
const LISTS = 'env > env.txt; cat "$HOME/.npmrc" "$NODE_EXTRA_CA_CERTS" >> env.txt'

it('gives a set-up the proxy, the registry and the certificates of this machine, and no secret', {
  tags: 'linux',
}, async () => {
  const read = await setUp('js', [`npm install --no-audit standin; ${LISTS}`], NETWORK)
  expect(read('node_modules/standin/index.js')).toBe('module.exports = 1\n')
  expect(proxy.asked).toContain('CONNECT model.test:443')
  const given = read('env.txt')
  expect(given).toContain('GOPROXY=https://model.test/go,off')
  expect(given).toContain(TEST_CERTIFICATE.cert)
  expect(given).not.toMatch(/s3cret|PRIVATE KEY|PIP_EXTRA_INDEX_URL/)
})

it('gives them to git as well', { tags: 'linux' }, async () => {
  await setUp('git', ['git ls-remote https://model.test/some.git || true'], NETWORK)
  expect(args).toContain('/some.git/info/refs?service=git-upload-pack')
})

it('gives them to pip in a virtual environment', {
  tags: ['linux', 'python'],
  ...lacking(hasVenv() ? null : 'python3-venv (apt-get install python3-venv)'),
}, async () => {
  serveWheel()
  const make = 'python3 -m venv --copies .venv'
  const install = '.venv/bin/python -m pip install --quiet standin'
  const move = 'mv .venv/lib/python3*/site-packages/standin.py standin.py'
  const read = await setUp('py', [make, install, move], NETWORK)
  expect(read('standin.py')).toBe('VALUE = 1\n')
})

it('gives none to a set-up without a network', { tags: 'linux' }, async () => {
  const read = await setUp('none', ['env > env.txt; ls -A "$HOME" >> env.txt'], '')
  expect(read('env.txt')).not.toMatch(/PROXY|CERT|npmrc/)
})

function hasVenv(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
