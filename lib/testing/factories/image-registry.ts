import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'
const CONFIG = 'application/vnd.docker.container.image.v1+json'
const LAYER = 'application/vnd.docker.image.rootfs.diff.tar.gzip'

/** An image registry on a local port, from which a Docker engine can pull without TLS. */
export type ImageRegistry = { address: string; close: () => void }

/**
 * Serves one image of an engine as `<address>/<name>:<tag>`. `save` writes the image to the given file, as `docker
 * save` does.
 */
export async function serveImages(
  name: string,
  tag: string,
  save: (file: string) => void,
): Promise<ImageRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-registry-'))
  save(join(folder, 'image.tar'))
  execFileSync('tar', ['-xf', join(folder, 'image.tar'), '-C', folder])
  const saved = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const [{ Config: config, Layers: layers }] = saved as [{ Config: string; Layers: string[] }]
  const files = new Map([config, ...layers].map((path) => describeFile(join(folder, path))))
  const describe = (path: string, mediaType: string) => {
    const [digest, file] = describeFile(join(folder, path))
    return { mediaType, digest, size: statSync(file).size }
  }
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: describe(config, CONFIG),
    layers: layers.map((path) => describe(path, LAYER)),
  })
  const digest = digestOf(Buffer.from(manifest))
  const manifests = [tag, digest].map((reference) => `/v2/${name}/manifests/${reference}`)
  const server = createServer(({ url = '' }, response) => {
    const file = files.get(url.split('/blobs/')[1] ?? '')
    if (url === '/v2/') response.end('{}')
    else if (manifests.includes(url)) sendManifest(response, manifest, digest)
    else if (file !== undefined) createReadStream(file).pipe(response)
    else response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const digestOf = (bytes: Buffer): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const describeFile = (file: string): [string, string] => [digestOf(readFileSync(file)), file]

function sendManifest(response: ServerResponse, manifest: string, digest: string): void {
  const headers = { 'content-type': MANIFEST, 'docker-content-digest': digest }
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(manifest) })
  response.end(manifest)
}
