// @ts-check

import { existsSync } from 'node:fs'
import Module, { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readArguments } from './read-arguments.mjs'

const TYPESCRIPT_5 = 'typescript-gate'

/** @typedef {{ rule: string, from: string, to: string }} Violation */

const ROOMS = ['app', 'components', 'lib', 'runner', 'prisma', 'exercises/browser']

// `node lib/setup/cruise.mjs [--json]`: checks every import against the rules of `.dependency-cruiser.mjs`.

const { values } = readArguments('npm run cruise [-- --json]', { json: { type: 'boolean' } })
const { modules, violations } = await cruiseTree(process.cwd())
if (values.json) {
  console.log(JSON.stringify({ modules, violations }))
} else {
  for (const { rule, from, to } of violations) console.log(`${rule}: ${from} → ${to}`)
  console.log(`${modules} modules, ${violations.length} violations`)
}
if (violations.length > 0) process.exitCode = 1

/**
 * Checks the tree at `root` (the current directory) against its own `.dependency-cruiser.mjs`.
 * @param {string} root
 * @returns {Promise<{ modules: number, violations: Violation[] }>}
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
  const found = violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }))
  return { modules: totalCruised, violations: found }
}

/**
 * Provides TypeScript 5.9 as `typescript` in this process only: dependency-cruiser 17 needs the compiler's old API,
 * which TypeScript 7 no longer has.
 */
export function provideTypescript() {
  const original = Reflect.get(Module, '_resolveFilename')
  Reflect.set(
    Module,
    '_resolveFilename',
    /** @this {unknown} @param {string} request @param {unknown[]} rest */
    function resolveTypescript(request, ...rest) {
      return original.call(this, request.replace(/^typescript(?=$|\/)/, TYPESCRIPT_5), ...rest)
    },
  )
  const hook = `export const resolve = (name, context, next) =>
    next(name === 'typescript' ? '${TYPESCRIPT_5}' : name, context)`
  register(`data:text/javascript,${encodeURIComponent(hook)}`, import.meta.url)
}
