import { defineConfig } from 'prisma/config'

/**
 * For Prisma's command line only; the program itself opens its database through lib/db and applies migrations itself.
 * Where the CLI cannot fetch its engine: PRISMA_SCHEMA_ENGINE_BINARY=./prisma/schema-engine.mjs npx prisma …
 */
export default defineConfig({
  schema: 'prisma',
  migrations: { path: 'prisma/sqlite/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'file:./.proofboard/proofboard.db' },
})
