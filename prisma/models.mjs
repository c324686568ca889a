// @ts-check
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const SQLITE = 'prisma/sqlite/migrations'
export const POSTGRESQL = 'prisma/postgresql/migrations'
/** The models after the last PostgreSQL migration, from which the next one starts. */
export const MIGRATED_MODELS = 'prisma/postgresql/migrated-models.txt'

/** All models as one text. @returns {string} */
export function readModels() {
  const files = readdirSync('prisma/models').sort()
  return files.map((name) => readFileSync(join('prisma/models', name), 'utf8')).join('\n')
}
