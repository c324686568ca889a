import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A package of the registry: its package.json, and its files by path. */
type ServedPackage = {
  manifest: Record<string, unknown> & { name: string; version: string }
  files: Record<string, string>
}

/** An npm registry on a local port. */
export type PackageRegistry = { url: string; close: () => void }

/** Serves one version of each package, as npm installs it. */
export async function servePackages(packages: readonly ServedPackage[]): Promise<PackageRegistry> {
  const archives = new Map(packages.map((one) => [one.manifest.name, packArchive(one)]))
  const server = createServer(({ url = '', headers }, response) => {
    const [name = '', isArchive] = decodeURIComponent(url.slice(1)).split('/-/')
    const archive = archives.get(name)
    const found = packages.find(({ manifest }) => manifest.name === name)
    if (archive === undefined || found === undefined) return response.writeHead(404).end('{}')
    if (isArchive !== undefined) return response.end(archive)
    const { manifest } = found
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
    const dist = { tarball: `http://${headers.host}/${name}/-/package.tgz`, integrity }
    response.setHeader('content-type', 'application/json')
    return response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: { ...manifest, dist } },
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function packArchive({ manifest, files }: ServedPackage): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-package-'))
  try {
    const all = { ...files, 'package.json': JSON.stringify(manifest) }
    for (const [path, text] of Object.entries(all)) {
      const target = join(folder, 'package', path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, text, { mode: 0o755 })
    }
    execFileSync('tar', ['-C', folder, '-czf', join(folder, 'package.tgz'), 'package'])
    return readFileSync(join(folder, 'package.tgz'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64']

const TOY_PROGRAM = `#!/usr/bin/env node
const { readdirSync } = require('node:fs')
const parts = readdirSync(require('node:path').join(__dirname, '..', '..')).filter((name) => name.startsWith('toy-agent-'))
console.log('toy-agent 1.0.0 with', parts.join(' '))
`

/** An agent with a package for each platform, as real ones have. Its program prints those that are installed. */
export const TOY_AGENT: readonly ServedPackage[] = [
  {
    manifest: {
      name: 'toy-agent',
      version: '1.0.0',
      bin: { toy: 'bin/toy.js' },
      optionalDependencies: Object.fromEntries(
        PLATFORMS.map((platform) => [`toy-agent-${platform}`, '1.0.0']),
      ),
    },
    files: { 'bin/toy.js': TOY_PROGRAM },
  },
  ...PLATFORMS.map((platform) => {
    const [os, cpu] = platform.split('-')
    const name = `toy-agent-${platform}`
    return {
      manifest: { name, version: '1.0.0', os: [os], cpu: [cpu] },
      files: { program: platform },
    }
  }),
]
