// @ts-check

import { existsSync } from 'node:fs'
import Module, { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readArguments } from './read-arguments.mjs'

const LENT = 'typescript-gate'

/** @typedef {{ rule: string, from: string, to: string }} Breach */

const ROOMS = ['app', 'components', 'lib', 'runner', 'prisma', 'exercises/browser']

// `node lib/setup/cruise.mjs [--json]`: checks every import against the rules of `.dependency-cruiser.mjs`.

const { values } = readArguments('npm run cruise [-- --json]', { json: { type: 'boolean' } })
const { modules, breaches } = await cruiseTree(process.cwd())
if (values.json) {
  console.log(JSON.stringify({ modules, breaches }))
} else {
  for (const { rule, from, to } of breaches) console.log(`${rule}: ${from} → ${to}`)
  console.log(`${modules} modules, ${breaches.length} violations`)
}
if (breaches.length > 0) process.exitCode = 1

/**
 * Checks the tree at `root` (the current directory) against its own `.dependency-cruiser.mjs`.
 * @param {string} root
 * @returns {Promise<{ modules: number, breaches: Breach[] }>}
 */
export async function cruiseTree(root) {
  provideTypescript()
  const { cruise } = await import('dependency-cruiser')
  const { default: extractTSConfig } = await import(
    'dependency-cruiser/config-utl/extract-ts-config'
  )
  const { default: config } = await import(
    pathToFileURL(join(root, '.dependency-cruiser.mjs')).href
  )
  const { forbidden, options } = config
  const rooms = ROOMS.filter((room) => existsSync(join(root, room)))
  const { output } = await cruise(
    rooms,
    { ...options, baseDir: root, validate: true, ruleSet: { forbidden } },
    undefined,
    { tsConfig: extractTSConfig(join(root, 'tsconfig.json')) },
  )
  if (typeof output === 'string') throw new Error(output)
  const { totalCruised, violations } = output.summary
  const breaches = violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }))
  return { modules: totalCruised, breaches }
}

/**
 * dependency-cruiser 17 reads TypeScript through the compiler's old API, which TypeScript 7 no longer has.
 * From here on `typescript` means the 5.9 that the gate uses, in this process only.
 */
export function provideTypescript() {
  const original = Reflect.get(Module, '_resolveFilename')
  Reflect.set(
    Module,
    '_resolveFilename',
    /** @this {unknown} @param {string} request @param {unknown[]} rest */
    function resolveLent(request, ...rest) {
      return original.call(this, request.replace(/^typescript(?=$|\/)/, LENT), ...rest)
    },
  )
  const hook = `export const resolve = (name, context, next) =>
    next(name === 'typescript' ? '${LENT}' : name, context)`
  register(`data:text/javascript,${encodeURIComponent(hook)}`, import.meta.url)
}
