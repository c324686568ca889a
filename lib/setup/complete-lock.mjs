// @ts-check
// `node lib/setup/complete-lock.mjs`: completes package-lock.json for every platform.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { addMissingPackages } from './package-lock.mjs'

const path = fileURLToPath(new URL('../../package-lock.json', import.meta.url))
const { lock, added } = addMissingPackages(JSON.parse(readFileSync(path, 'utf8')))
if (added.length > 0) writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(added.length === 0 ? 'package-lock.json is complete' : `added ${added.join(', ')}`)
