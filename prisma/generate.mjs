// @ts-check
// `node prisma/generate.mjs sqlite|postgresql`: what `prisma generate` does, without the 150 MB of Prisma's command line.
import { createRequire } from 'node:module'

// Their ES modules import files without an extension, which node does not find.
const require = createRequire(import.meta.url)
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts')
const { getGenerators, loadSchemaContext } = require('@prisma/internals')

const [, , dialect] = process.argv
const generators = await getGenerators({
  schemaContext: await loadSchemaContext({ schemaPath: { cliProvidedPath: `prisma/${dialect}` } }),
  registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
  cliCommand: 'generate',
})
for (const generator of generators) {
  await generator.generate()
  generator.stop()
}
