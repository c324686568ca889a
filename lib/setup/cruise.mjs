// @ts-check
// `node lib/setup/cruise.mjs [--json]`: the floor plan of the house, held against every import.
import { cruiseTree } from './walls/cruise-tree.mjs'

const { modules, breaches } = await cruiseTree(process.cwd())
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ modules, breaches }))
} else {
  for (const { rule, from, to } of breaches) console.log(`${rule}: ${from} → ${to}`)
  console.log(`${modules} modules, ${breaches.length} breaches`)
}
if (breaches.length > 0) process.exitCode = 1
