import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installNode } from '../factories/install-runtime.ts'
import { BASE_IMAGE, type TestDocker } from './test-docker.ts'

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** The parts of node's official image that the server's Dockerfile needs. */
const DOCKERFILE = `FROM ${BASE_IMAGE}
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY certificates ${CERTIFICATES}
ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \\
  && useradd --create-home --uid 1000 node
`

/**
 * Builds an image of node on this distribution, with this machine's npm and certificates, tagged as the official image
 * (`node:24.21.0-bookworm`), so that a Dockerfile can be built without an image registry. Throws an Error.
 */
export async function buildNodeImage(engine: TestDocker, name: string): Promise<void> {
  const version = /^node:(\d+\.\d+\.\d+)/.exec(name)?.[1] ?? ''
  const node = await installNode(version)
  if (!node.ok) throw new Error(`node ${version} cannot be installed: ${node.reason}`)
  const context = mkdtempSync(join(tmpdir(), 'proofboard-node-image-'))
  try {
    const modules = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim()
    copyFileSync(node.program, join(context, 'node'))
    cpSync(join(modules, 'npm'), join(context, 'npm'), { recursive: true, dereference: true })
    if (existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(context, 'certificates'))
    else writeFileSync(join(context, 'certificates'), '')
    writeFileSync(join(context, 'Dockerfile'), DOCKERFILE)
    engine.docker('build', '--network=none', `--tag=${name}`, context)
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}
