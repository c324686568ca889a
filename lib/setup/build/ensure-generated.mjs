// @ts-check
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../process/run-command.mjs'
import { ROOT } from '../root.mjs'
import { hashSources } from './hash-sources.mjs'
import { refresh } from './refresh.mjs'

const OUTPUT = join(ROOT, 'lib', 'db', 'generated')
const SOURCES = ['prisma', 'prisma.config.ts', 'package-lock.json']
const ENV = {
  // The command line would fetch an engine; ours is a package (see prisma/schema-engine.mjs).
  PRISMA_SCHEMA_ENGINE_BINARY: join(ROOT, 'prisma', 'schema-engine.mjs'),
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
}

/**
 * Generates the database client from prisma/ when its schema changed.
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<boolean>} whether it was generated
 */
export function ensureGenerated({ signal } = {}) {
  return refresh({
    label: 'database client',
    stampPath: join(OUTPUT, '.sources'),
    hash: () => hashSources(ROOT, SOURCES, (path) => !path.endsWith('.sql')),
    exists: () => existsSync(OUTPUT),
    make: () =>
      runCommand(
        process.execPath,
        ['node_modules/prisma/build/index.js', 'generate', '--no-hints'],
        { env: ENV, signal },
      ),
  })
}
