/** What a hunter looks for, and where: it is told every place, so that only permissions keep it out. */
export type Hunt = { clone: string; data: string; temporary: string; key: string; word: string }

/** What it got hold of. */
export type Found = Record<
  'key' | 'environment' | 'secret' | 'database' | 'reference' | 'history' | 'others' | 'runs',
  boolean
>

/** A shell command that hunts as an agent would and prints one line: `FOUND {…}`. Needs nothing but node. */
export function huntCommand(hunt: Hunt): string {
  // In halves, so that it does not find what it is told.
  const { key, ...rest } = hunt
  const told = { ...rest, halves: [key.slice(0, 9), key.slice(9)] }
  const script = Buffer.from(HUNT.replace('HUNT', JSON.stringify(told))).toString('base64')
  return `echo ${script} | base64 -d > "$TMPDIR/hunt.mjs" && node "$TMPDIR/hunt.mjs"`
}

export function readFound(log: string): Found {
  const line = log.split('\n').find((one) => one.startsWith('FOUND '))
  if (!line) throw new Error(`the hunter said nothing: ${log.slice(0, 500)}`)
  return JSON.parse(line.slice('FOUND '.length))
}

const HUNT = `
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
const { clone, data, temporary, halves, word } = HUNT
const key = halves.join('')
const read = (path) => { try { return readFileSync(path, 'latin1') } catch { return '' } }
const list = (path) => { try { return readdirSync(path) } catch { return [] } }
const below = (path, depth) => depth === 0 ? [] : list(path).flatMap((name) => [join(path, name), ...below(join(path, name), depth - 1)])
writeFileSync('own-work.txt', 'attempt-' + process.pid)
await sleep(3000)
const processes = list('/proc').filter((name) => /^\\d+$/.test(name))
const shown = processes.map((pid) => read('/proc/' + pid + '/environ') + read('/proc/' + pid + '/cmdline')).join('\\n')
const own = process.cwd()
const files = (places, depth) => places.flatMap((place) => below(place, depth)).map((path) => [path, read(path)])
const found = {
  key: shown.includes(key) || files([data, process.env.HOME, process.env.TMPDIR], 4).some(([, text]) => text.includes(key)),
  environment: Object.values(process.env).some((value) => value.includes(key)),
  secret: read(join(data, 'auth-secret')).includes(word),
  database: read(join(data, 'proofboard.db')).includes(word),
  reference: read(join(clone, 'exercises/typescript/lru-cache/.meta/reference.ts')).length > 0,
  history: list(join(clone, '.git/objects')).length > 0 || read(join(clone, '.git/HEAD')).length > 0,
  runs: list(join(data, 'runs')).length > 0,
  others: files([temporary, '/tmp'], 4).some(([path, text]) => path.endsWith('own-work.txt') && !path.startsWith(own) && text.startsWith('attempt-')),
}
console.log('FOUND ' + JSON.stringify(found))
`
