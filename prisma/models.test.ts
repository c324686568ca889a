import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MIGRATED_MODELS, POSTGRESQL, readModels, SQLITE } from './models.mjs'

const list = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
const [base = '', ...later] = list(POSTGRESQL)

it('every later SQLite migration has a twin of the same name for PostgreSQL', () => {
  const lacking = list(SQLITE).filter((name) => name > base && !later.includes(name))
  const command = lacking.map((name) => `node prisma/add-postgresql-migration.mjs ${name}`)
  expect(command, 'run this, and add by hand what it names').toEqual([])
})

it('the PostgreSQL migrations lead to the models', () => {
  const isSame = readFileSync(MIGRATED_MODELS, 'utf8') === readModels()
  const newest = list(SQLITE).at(-1)
  expect(isSame, `run node prisma/add-postgresql-migration.mjs ${newest}`).toBe(true)
})
