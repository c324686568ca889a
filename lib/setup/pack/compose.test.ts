import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readEnv } from '#lib/env.ts'
import { parseEvidenceUrl } from '#lib/server/evidence/s3-settings.ts'
import { fillIn, readCompose } from '#lib/testing/factories/compose.ts'
import { ROOT } from '../layout.mjs'
import { readRoles } from '../serve/run-servers.mjs'

const { services, volumes } = readCompose()

describe('compose.yaml', () => {
  it('starts a proxy, two web servers, three workers, a database and a store', () => {
    const counts = Object.entries(services).map(([name, one]) => [name, one.deploy?.replicas ?? 1])
    expect(Object.fromEntries(counts)).toEqual({
      proxy: 1,
      web: 2,
      worker: 3,
      database: 1,
      store: 1,
    })
  })

  it.each(['web', 'worker'])('tells %s what our settings understand', (name) => {
    const variables = fillIn(services[name]?.environment ?? {})
    const env = readEnv(variables)
    expect(readRoles(variables)).toEqual([name])
    expect(env.database).toBe('postgresql://proofboard:chosen@database:5432/proofboard')
    const evidence = parseEvidenceUrl(env.evidenceUrl ?? '')
    expect(services[evidence.endpoint.hostname]).toBeDefined()
    expect(evidence.board).toBe('proofboard')
    expect(env.trustedProxy).toBe(true)
    expect(services[new URL(env.database).hostname]).toBeDefined()
    expect(variables.AWS_SECRET_ACCESS_KEY).toBe(
      fillIn(services.store?.environment ?? {}).ROOT_SECRET_KEY,
    )
    const ours = Object.keys(variables).filter((key) => key.startsWith('PROOFBOARD_'))
    const known = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
    for (const key of ours) expect(known, key).toContain(`\`${key}\``)
  })

  it('has every folder that it mounts, owned by the user of the image', () => {
    const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    const mounts = Object.values(services).flatMap(({ volumes: own, build }) =>
      own.map((mount) => ({ mount: mount.split(':'), build })),
    )
    const isFile = ({ mount: [place = ''] }: (typeof mounts)[number]) => place.startsWith('./')
    for (const { mount } of mounts.filter(isFile))
      expect(existsSync(join(ROOT, mount[0] ?? '')), mount[0]).toBe(true)
    for (const { mount, build } of mounts.filter((one) => !isFile(one))) {
      expect(Object.keys(volumes)).toContain(mount[0])
      if (build) expect(dockerfile).toMatch(new RegExp(`--owner=node .* ${mount[1]}\\b`))
    }
  })

  it('lets readers reach the web servers through the proxy alone', () => {
    const published = Object.entries(services).flatMap(([name, { ports }]) =>
      ports.map((port) => `${name} ${port}`),
    )
    expect(published).toEqual(['proxy 3000:80'])
    const nginx = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
    expect(nginx).toContain('server web:3000 resolve;')
    expect(nginx).toContain('listen 80 default_server;')
  })

  it('names every foreign image with its version and digest, and waits for what it needs', () => {
    for (const { image, build, depends_on } of Object.values(services)) {
      if (build === undefined) expect(image).toMatch(/:[v\d][\w.-]+@sha256:[0-9a-f]{64}$/)
      else expect(Object.keys(depends_on)).toEqual(['database', 'store'])
    }
  })
})
