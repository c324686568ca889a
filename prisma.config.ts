import { defineConfig } from 'prisma/config'

const dialect = process.env.PROOFBOARD_DIALECT === 'postgresql' ? 'postgresql' : 'sqlite'

/**
 * For Prisma's command line only; the program itself opens its database through lib/db and applies migrations itself.
 * PROOFBOARD_DIALECT selects the database of the generated client; the models are the same. If the CLI cannot download
 * its engine: PRISMA_SCHEMA_ENGINE_BINARY=./prisma/schema-engine.mjs npx prisma …
 */
export default defineConfig({
  schema: `prisma/${dialect}`,
  migrations: { path: `prisma/${dialect}/migrations` },
  datasource: { url: process.env.DATABASE_URL ?? 'file:./.proofboard/proofboard.db' },
})
