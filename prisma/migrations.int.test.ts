import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'

it('the committed migrations make exactly what the schema says', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'proofboard-diff-'))
  try {
    const env = {
      PRISMA_SCHEMA_ENGINE_BINARY: resolve('prisma/schema-engine.mjs'),
      DATABASE_URL: `file:${join(dir, 'shadow.db')}`,
    }
    const args = [
      'migrate',
      'diff',
      '--from-migrations',
      'prisma/sqlite/migrations',
      '--to-schema',
      'prisma/sqlite',
    ]
    const cli = resolve('node_modules/prisma/build/index.js')
    const { exitCode, stdout, stderr } = await execa('node', [cli, ...args, '--exit-code'], {
      env,
      reject: false,
    })
    expect({ exitCode, said: `${stdout}\n${stderr}` }).toMatchObject({
      exitCode: 0,
      said: expect.stringContaining('No difference detected'),
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
