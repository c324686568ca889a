#!/usr/bin/env node
// node prisma/add-postgresql-migration.mjs NAME: writes the PostgreSQL migration for the SQLite migration of that name,
// from the difference between the models at the last migration and the current ones. Needs no database.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATED_MODELS, POSTGRESQL, readModels, SQLITE } from './models.mjs'

const [name] = process.argv.slice(2)
if (!/^\d{14}_[a-z0-9_]+$/.test(name ?? ''))
  fail('usage: node prisma/add-postgresql-migration.mjs 20261124120000_name')
const folder = join(POSTGRESQL, name)
if (existsSync(folder)) fail(`${folder} is there already: remove it to write it again`)

const sql = diff().replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
const twin = join(SQLITE, name, 'migration.sql')
const byHand = existsSync(twin)
  ? readFileSync(twin, 'utf8').match(/^(CREATE TRIGGER|DROP TRIGGER|INSERT|UPDATE|DELETE)\b.*$/gm)
  : null
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'migration.sql'), sql)
writeFileSync(MIGRATED_MODELS, readModels())
console.log(`wrote ${folder}/migration.sql`)
if (byHand)
  console.log(
    `add by hand what the SQLite migration does besides tables:\n  ${byHand.join('\n  ').slice(0, 2000)}`,
  )

/** Returns the statements from the models of the last migration to the current ones; empty = no table changes. */
function diff() {
  const before = mkdtempSync(join(tmpdir(), 'proofboard-models-'))
  try {
    const base = readFileSync('prisma/postgresql/base.prisma', 'utf8')
    const models = existsSync(MIGRATED_MODELS) ? readFileSync(MIGRATED_MODELS, 'utf8') : ''
    writeFileSync(join(before, 'schema.prisma'), `${base}\n${models}`)
    const args = [
      'migrate',
      'diff',
      '--from-schema',
      before,
      '--to-schema',
      'prisma/postgresql',
      '--script',
    ]
    const engine = join(process.cwd(), 'prisma', 'schema-engine.mjs')
    const env = {
      ...process.env,
      PROOFBOARD_DIALECT: 'postgresql',
      PRISMA_SCHEMA_ENGINE_BINARY: engine,
      CHECKPOINT_DISABLE: '1',
    }
    const text = execFileSync(process.execPath, ['node_modules/prisma/build/index.js', ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return text.replace('-- This is an empty migration.', '-- No table changes.')
  } finally {
    rmSync(before, { recursive: true, force: true })
  }
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
