import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RELEASED_PROGRAMS } from '#lib/domain/eligibility/index.ts'
import { buildPrograms } from './bundle/build-programs.ts'

it('is a verifier that boards know: add its digest to the newest line of released-programs.ts; starts without a code cache that cannot be read', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'proofboard-verifier-'))
  try {
    const { digest } = await buildPrograms(cache)
    expect([...RELEASED_PROGRAMS.verifiers], digest).toContain(digest)
    const [built = ''] = readdirSync(cache)
    mkdirSync(join(cache, built, 'typescript.cache'))
    expect(await buildPrograms(cache)).toMatchObject({ digest, compiler: { cache: null } })
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
})

it('belongs to a version that boards know', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([...RELEASED_PROGRAMS.versions]).toContain(version)
})
