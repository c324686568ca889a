// @ts-check
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lendTypescript } from './lend-typescript.mjs'

/** @typedef {{ rule: string, from: string, to: string }} Breach */

const ROOMS = ['app', 'components', 'lib', 'runner', 'prisma', 'exercises/browser']

/**
 * Holds the tree at `root` (the current directory) against its own `.dependency-cruiser.mjs`.
 * @param {string} root
 * @returns {Promise<{ modules: number, breaches: Breach[] }>}
 */
export async function cruiseTree(root) {
  lendTypescript()
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
