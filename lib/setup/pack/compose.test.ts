import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readEnv } from '#lib/env.ts'
import { parseEvidenceUrl } from '#lib/server/evidence/s3-settings.ts'
import { ROOT } from '../layout.mjs'
import { readRoles } from '../serve/run-servers.mjs'

const serviceSchema = z.object({
  image: z.string(),
  build: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  deploy: z.object({ replicas: z.number() }).optional(),
  depends_on: z.record(z.string(), z.unknown()).default({}),
})
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.unknown()),
})

const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
const { services, volumes } = composeSchema.parse(parse(text, { merge: true }))

/** Variables filled in as compose does: with what was chosen, else with the default. */
function fillIn(environment: Record<string, string>): Record<string, string> {
  const fill = (value: string) =>
    value.replace(/\$\{\w+:(?:-([^}]*)|\?[^}]*)\}/g, (_, fallback) => fallback ?? 'chosen')
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fill(value)]))
}

describe('compose.yaml', () => {
  it('starts two web servers, three workers, a database and a store', () => {
    const counts = Object.entries(services).map(([name, one]) => [name, one.deploy?.replicas ?? 1])
    expect(Object.fromEntries(counts)).toEqual({ web: 2, worker: 3, database: 1, store: 1 })
  })

  it.each(['web', 'worker'])('tells %s what our settings understand', (name) => {
    const told = fillIn(services[name]?.environment ?? {})
    const env = readEnv(told)
    expect(readRoles(told)).toEqual([name])
    expect(env.database).toBe('postgresql://proofboard:chosen@database:5432/proofboard')
    const evidence = parseEvidenceUrl(env.evidenceUrl ?? '')
    expect(services[evidence.endpoint.hostname]).toBeDefined()
    expect(evidence.board).toBe('proofboard')
    expect(services[new URL(env.database).hostname]).toBeDefined()
    expect(told.AWS_SECRET_ACCESS_KEY).toBe(
      fillIn(services.store?.environment ?? {}).ROOT_SECRET_KEY,
    )
    const ours = Object.keys(told).filter((key) => key.startsWith('PROOFBOARD_'))
    const known = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
    for (const key of ours) expect(known, key).toContain(`\`${key}\``)
  })

  it('has every folder that it mounts, owned by the user of the image', () => {
    const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    for (const { volumes: mounts, build } of Object.values(services)) {
      for (const mount of mounts) {
        const [volume = '', folder = ''] = mount.split(':')
        expect(Object.keys(volumes)).toContain(volume)
        if (build) expect(dockerfile).toMatch(new RegExp(`--owner=node .* ${folder}\\b`))
      }
    }
  })

  it('names every foreign image with its version, and waits for what it needs', () => {
    for (const { image, build, depends_on } of Object.values(services)) {
      if (build === undefined) expect(image).toMatch(/:[v\d][\w.-]+$/)
      else expect(Object.keys(depends_on)).toEqual(['database', 'store'])
    }
  })
})
